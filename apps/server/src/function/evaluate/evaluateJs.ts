import { scaledNumber } from "../../base/number/scaledNumber.js";
import { type Cell, overflow } from "../term/cell.js";
import type { JsFn, TypedExpression } from "../term/typedExpression.js";

/** One operator of JavaScript; a missing value is undefined to it. */
export function createJsFunction(
  fn: JsFn,
  args: readonly TypedExpression[],
  decimals: number,
): (cells: readonly Cell[]) => Cell {
  switch (fn) {
    case "js number": {
      const factor = 10 ** (args[0]?.decimals ?? 0);
      return ([cell]) => (cell === null ? null : Number(cell) / factor);
    }
    case "js of truth":
      return ([cell]) => (cell === null ? Number.NaN : Number(cell));
    case "js =":
      return ([a, b]) => a === b;
    case "js truthy":
      return ([cell]) => Boolean(numberOf(cell));
    case "js store":
      return ([cell]) => {
        const value = numberOf(cell);
        const scaled = scaledNumber(value, decimals);
        if (scaled !== null) return BigInt(scaled);
        return Number.isFinite(value) ? overflow : null;
      };
    default: {
      const apply = operators[fn];
      return ([a, b]) => apply(numberOf(a), numberOf(b));
    }
  }
}

const numberOf = (cell: Cell | undefined): number => (typeof cell === "number" ? cell : Number.NaN);

const operators = {
  "js +": (a: number, b: number) => a + b,
  "js -": (a: number, b: number) => a - b,
  "js *": (a: number, b: number) => a * b,
  "js /": (a: number, b: number) => a / b,
  "js %": (a: number, b: number) => a % b,
  "js negate": (a: number) => -a,
  "js abs": Math.abs,
  "js floor": Math.floor,
  "js ceil": Math.ceil,
  "js trunc": Math.trunc,
  "js round": Math.round,
  "js sqrt": Math.sqrt,
  "js pow": (a: number, b: number) => a ** b,
  "js min": (a: number, b: number) => Math.min(a, b),
  "js max": (a: number, b: number) => Math.max(a, b),
  "js <": (a: number, b: number) => a < b,
  "js <=": (a: number, b: number) => a <= b,
  "js >": (a: number, b: number) => a > b,
  "js >=": (a: number, b: number) => a >= b,
} as const satisfies Partial<Record<JsFn, (a: number, b: number) => number | boolean>>;
