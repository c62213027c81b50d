import type { Expression } from "../../model/expression.js";
import type { FilterValue } from "../../model/filter.js";
import { timeColumn } from "../../model/schema.js";
import type { Node } from "./syntax.js";

/** The node inside any number of parentheses. */
export function withoutParens(node: Node): Node {
  let inner = node;
  while (inner.kind === "paren") inner = inner.operand;
  return inner;
}

/**
 * The value that a filter compares with, when the node is one; null when it has to be computed from
 * a row.
 */
export function literalOf(node: Node): FilterValue | null {
  const inner = withoutParens(node);
  switch (inner.kind) {
    case "string":
      return inner.value;
    case "number":
      return numberValue(inner.text);
    case "constant":
      return inner.value;
    case "cast": {
      const { operand, types } = inner;
      const isBigint = types.length === 1 && types[0]?.value.toLowerCase() === "bigint";
      if (!isBigint || operand.kind !== "number" || !isInteger(operand.text)) return null;
      return BigInt(operand.text);
    }
    default:
      return null;
  }
}

/**
 * A number as written, digit by digit: a double where that is exact, else BigInt or the text.
 */
function numberValue(written: string): number | bigint | string {
  const text = withoutExponent(written);
  const number = Number(text);
  if (isInteger(text)) return Number.isSafeInteger(number) ? number : BigInt(text);
  return isExact(text, number) ? number : text;
}

/** 64 bits have 19 digits: longer numbers do not fit, however they are written. */
const zerosMax = 40;

/** A whole number such as `1e18` or `1.5e3` in digits; others as they are. */
export function withoutExponent(text: string): string {
  const [, whole, fraction = "", exponent] = /^(-?\d+)\.?(\d*)[eE]\+?(\d+)$/.exec(text) ?? [];
  const zeros = Number(exponent) - fraction.length;
  if (whole === undefined || !(zeros >= 0 && zeros <= zerosMax)) return text;
  return whole + fraction + "0".repeat(zeros);
}

export function isInteger(text: string): boolean {
  return /^-?\d+$/.test(text);
}

/** Whether a double represents a decimal as written; any 15 digits fit. */
export function isExact(text: string, number: number): boolean {
  if (!Number.isFinite(number)) return false;
  const digits = text
    .replace(/[eE].*$/, "")
    .replace(/\D/g, "")
    .replace(/^0+/, "");
  // At most 15 digits before trailing zeros.
  return /^\d{0,15}0*$/.test(digits) || String(number) === text;
}

/**
 * A number with a point: a double when it is exact and not whole; otherwise a decimal. Trailing
 * zeros set how many digits a product keeps.
 */
export function decimalConstant(text: string): Expression {
  const number = Number(text);
  const saysAll = isExact(text, number) && !Number.isInteger(number) && !text.endsWith("0");
  return saysAll ? { value: number } : { decimal: text };
}

export function isTimeColumn(node: Node): boolean {
  const inner = withoutParens(node);
  return inner.kind === "name" && inner.value === timeColumn;
}
