import type { Data, DataType } from "apache-arrow";
import { earliestOf, latestOf, rowTimeMsMin } from "../../value/rowTime.js";
import type { TimeRule } from "../../value/timeRule.js";
import { nearNumbers, presenceOf } from "./arrowRows.js";
import type { RunTimes } from "./arrowRun.js";

const two32 = 2 ** 32;
const nanosPerMs = 1_000_000;
/** 2^32 = high · nanosPerMs + low. */
const high = Math.floor(two32 / nanosPerMs);
const low = two32 % nanosPerMs;

/** Numbers that are milliseconds as they stand, or times a factor. */
export function timesOfNumbers(
  data: Data<DataType>,
  { isTyped, factor }: { readonly isTyped: boolean; readonly factor: number },
): RunTimes {
  const numberAt = nearNumbers(data.values as Parameters<typeof nearNumbers>[0]);
  return timesOf(data, isTyped, (row) => numberAt(row) * factor);
}

/** Microseconds: the millisecond that has begun. */
export function timesOfMicros(data: Data<DataType>): RunTimes {
  const numberAt = nearNumbers(data.values as BigInt64Array);
  // Exact: below 2^53 no quotient is rounded up to the next integer.
  return timesOf(data, true, (row) => Math.floor(numberAt(row) / 1_000));
}

/** Nanoseconds, which exceed 2^53: their two halves are divided one after the other. */
export function timesOfNanos(data: Data<DataType>): RunTimes {
  const { buffer, byteOffset, length } = data.values as unknown as BigInt64Array;
  const halves = new Int32Array(buffer, byteOffset, 2 * length);
  return timesOf(data, true, (row) => {
    const top = halves[2 * row + 1]!;
    return top * high + Math.floor((top * low + (halves[2 * row]! >>> 0)) / nanosPerMs);
  });
}

function timesOf(data: Data<DataType>, isTyped: boolean, msOf: (row: number) => number): RunTimes {
  const isPresent = presenceOf(data);
  return {
    isTyped,
    read({ from, count }, timesMs) {
      for (let i = 0; i < count; i++)
        timesMs[i] = isPresent(from + i) ? msOf(from + i) : Number.NaN;
    },
  };
}

/** The times that the rule accepts as they stand; null: it wants to see each value. */
export function acceptedTimes(
  { isTyped }: RunTimes,
  rule: TimeRule,
): { readonly fromMs: number; readonly toMs: number } | null {
  if (rule.forms !== undefined) return null;
  if (isTyped) return { fromMs: rowTimeMsMin, toMs: latestOf(rule) };
  if (rule.unit !== null && rule.unit !== "ms") return null;
  return { fromMs: earliestOf(rule), toMs: latestOf(rule) };
}
