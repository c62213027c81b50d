/** The arithmetic of a term left 64 bits. It travels like a missing value, and ends the query where a row that counts has it. */
export const overflow: unique symbol = Symbol("overflow");

/**
 * The value of a term in one row: integers at the term's decimals, strings, conditions, sets and vectors (of which
 * only the length may be known), numbers of JavaScript, null when missing.
 */
export type Cell = bigint | number | string | boolean | StringList | null | typeof overflow;

export interface StringList {
  readonly length: number;
}

export const int64Min = -(2n ** 63n);
export const int64Max = 2n ** 63n - 1n;

export function intCell(value: bigint): Cell {
  return value >= int64Min && value <= int64Max ? value : overflow;
}

export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
