import type { Result } from "@hadal/sdk";

/** An error bar: the full answer lies within it 19 times of 20. */
export type Interval = readonly [low: number, high: number];

/** The error bar of a result column in a row; null where none can be given. */
export const intervalAt = (result: Result, column: string, row: number): Interval | null =>
  Object.hasOwn(result.intervals, column) ? (result.intervals[column]?.[row] ?? null) : null;

/** A difference whose error bar holds 0 may be none. */
export const holdsZero = (bar: Interval | null): boolean =>
  bar !== null && bar[0] <= 0 && bar[1] >= 0;

/**
 * The error bar of a sum of parts. Sampling errs in each part by itself, so the squares add up; rows of
 * leaves that are missing are missing in all parts at once, so there the errors themselves do.
 */
export function intervalOfSum(
  parts: readonly { readonly value: number; readonly interval: Interval | null }[],
  complete: boolean,
): Interval | null {
  let [sum, below, above, known] = [0, 0, 0, false];
  for (const { value, interval } of parts) {
    sum += value;
    if (interval === null) continue;
    known = true;
    const [down, up] = [value - interval[0], interval[1] - value];
    below += complete ? down * down : down;
    above += complete ? up * up : up;
  }
  if (!known) return null;
  return complete ? [sum - Math.sqrt(below), sum + Math.sqrt(above)] : [sum - below, sum + above];
}
