import type { Result } from "@hadal/sdk";
import { addedError, errorOfSum, type PartErrors } from "./partErrors.js";

/** An error bar: the value over all rows is within it 19 times of 20. */
export type Interval = readonly [low: number, high: number];

/** The error bar of a result column in a row; null where none can be given. */
export const intervalAt = (result: Result, column: string, row: number): Interval | null =>
  Object.hasOwn(result.intervals, column) ? (result.intervals[column]?.[row] ?? null) : null;

/** A difference whose error bar contains 0 may be 0. */
export const holdsZero = (bar: Interval | null): boolean =>
  bar !== null && bar[0] <= 0 && bar[1] >= 0;

/** The error bar of a sum of parts. */
export function intervalOfSum(
  parts: readonly { readonly value: number; readonly interval: Interval | null }[],
  partErrors: PartErrors,
): Interval | null {
  let [sum, below, above, known] = [0, 0, 0, false];
  for (const { value, interval } of parts) {
    sum += value;
    if (interval === null) continue;
    known = true;
    below += addedError(value - interval[0], partErrors);
    above += addedError(interval[1] - value, partErrors);
  }
  if (!known) return null;
  return [sum - errorOfSum(below, partErrors), sum + errorOfSum(above, partErrors)];
}
