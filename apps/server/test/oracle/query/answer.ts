import type { OracleValue } from "../table/oracleTable.js";
import { compareCodePoints } from "../table/oracleTable.js";

/** A value of an answer, and how far an engine may be from it: 0 for what must be exact. */
export interface Cell {
  readonly value: OracleValue | number;
  readonly within: number;
  /** Also missing would be right, if what it is divided by, two columns before it, came out as 0, which it may within its tolerance. */
  readonly mayMiss?: true;
}

export interface AnswerColumn {
  readonly name: string;
  /** Digits behind the point of the (scaled, exact) values. */
  readonly decimals: number;
}

export interface AnswerOrder {
  readonly columnIndex: number;
  readonly desc: boolean;
}

/** An oracle's answer: every row that the limit would be applied to, in order. */
export interface Answer {
  readonly columns: readonly AnswerColumn[];
  /** The first columns are the group's keys. */
  readonly keyCount: number;
  readonly rows: readonly (readonly Cell[])[];
  /** May point at cells behind the columns. */
  readonly order: readonly AnswerOrder[];
  readonly limit: number;
  /** Groups before `having` and `series` leave some out. */
  readonly groupCount: number;
  /** Groups (series: keys without the bucket) before `series` cut them. */
  readonly candidateCount: number;
  /** A sum of some row, before the limit, does not fit 64 bits. */
  readonly overflows: boolean;
}

export const missing: Cell = { value: null, within: 0 };

export function exact(value: OracleValue): Cell {
  return { value, within: 0 };
}

/** A float: engines may add up in another order. */
export function float(value: number, within = 1e-12 * Math.abs(value)): Cell {
  return { value, within };
}

/** Missing last; strings by code point. */
function compareValues(a: Cell["value"], b: Cell["value"]): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  if (typeof a === "string" && typeof b === "string") return compareCodePoints(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}

export function compareRows(
  a: readonly Cell[],
  b: readonly Cell[],
  order: readonly AnswerOrder[],
): number {
  for (const { columnIndex, desc } of order) {
    const sign = compareValues(valueAt(a, columnIndex), valueAt(b, columnIndex));
    if (sign !== 0) return desc ? -sign : sign;
  }
  return 0;
}

function valueAt(row: readonly Cell[], columnIndex: number): Cell["value"] {
  return (row[columnIndex] ?? missing).value;
}
