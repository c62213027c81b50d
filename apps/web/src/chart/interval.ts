import type { Result } from "@hadal/sdk";

/** An error bar: the full answer lies within it 19 times of 20. */
export type Interval = readonly [low: number, high: number];

/** The error bar of a result column in a row; null where none can be given. */
export const intervalAt = (result: Result, column: string, row: number): Interval | null =>
  Object.hasOwn(result.intervals, column) ? (result.intervals[column]?.[row] ?? null) : null;

/** A difference whose error bar holds 0 may be none. */
export function isUnsure(result: Result, measure: string, row: number): boolean {
  const bar = intervalAt(result, `${measure}.delta`, row);
  return bar !== null && bar[0] <= 0 && bar[1] >= 0;
}
