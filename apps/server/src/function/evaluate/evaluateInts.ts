import { type Rounding, roundScaled } from "../../base/number/roundScaled.js";
import { compareCodePoints } from "../../base/text/codePointOrder.js";
import { type Cell, intCell } from "../term/cell.js";

export type IntFn = "+" | "-" | "*" | "/" | "%" | "negate" | "abs" | "rescale" | Rounding;

/** Integers at scales of their own in, one at `decimals` out; bigint division truncates toward zero, as SQL's does. */
export function evaluateInts(
  fn: IntFn,
  values: readonly bigint[],
  [scale = 0, otherScale = 0]: readonly number[],
  decimals: number,
): Cell {
  const [a = 0n, b = 0n] = values;
  switch (fn) {
    case "+":
      return intCell(a + b);
    case "-":
      return intCell(a - b);
    case "*":
      return intCell((a * b) / 10n ** BigInt(scale + otherScale - decimals));
    case "/":
      return b === 0n ? null : intCell((a * 10n ** BigInt(decimals - scale + otherScale)) / b);
    case "%":
      return b === 0n ? null : a % b;
    case "negate":
      return intCell(-a);
    case "abs":
      return intCell(a < 0n ? -a : a);
    case "floor":
    case "ceil":
    case "round":
      return roundScaled(fn, a, scale - decimals);
    case "rescale":
      return decimals >= scale
        ? intCell(a * 10n ** BigInt(decimals - scale))
        : a / 10n ** BigInt(scale - decimals);
  }
}

/** Below 0, 0 or above: numbers by what they stand for, strings by code point. */
export function compareCells(a: Cell, b: Cell, scaleOfA: number, scaleOfB: number): number {
  if (typeof a === "string" && typeof b === "string") return compareCodePoints(a, b);
  if (typeof a !== "bigint" || typeof b !== "bigint") {
    throw new Error("only numbers and strings compare");
  }
  const decimals = Math.max(scaleOfA, scaleOfB);
  const left = a * 10n ** BigInt(decimals - scaleOfA);
  const right = b * 10n ** BigInt(decimals - scaleOfB);
  return left < right ? -1 : left > right ? 1 : 0;
}
