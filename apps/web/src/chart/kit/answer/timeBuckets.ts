import { durationMs, parseCalendarLength } from "@hadal/sdk";
import { zoneOffsetMs } from "../../../format/time.js";
import { dayMs, instantOfLocal } from "../../../format/zoned.js";

/** The time buckets of a query. */
interface TimeBuckets {
  readonly fromMs: number;
  readonly toMs: number;
  /** null: it is not split by time. */
  readonly bucketMs: number | null;
  readonly timeZone: string;
}

/** Longer ones follow the clock, as the server's do: where it changes, a day has 23 or 25 hours. */
const evenMsMax = 3_600_000;
/** Weeks begin on a Monday, and 1970 on a Thursday. */
const mondayMs = 4 * dayMs;

/** Of more buckets only those beside one with rows are made: the others look the same. */
const startsMax = 100_000;

/** Starts of the buckets of the range: those found in an answer, ascending, and those without rows, which are not in it. */
export function bucketStarts(
  found: readonly number[],
  buckets: TimeBuckets,
  evenMax = startsMax,
): number[] {
  const [first] = found;
  const last = found.at(-1);
  const { fromMs, toMs, bucketMs } = buckets;
  if (first === undefined || last === undefined || bucketMs === null) return [...found];
  const endMs = Math.max(toMs, last + 1);
  const starts =
    bucketMs <= evenMsMax
      ? evenStarts(found, { fromMs: Math.min(first, fromMs), endMs, bucketMs, evenMax })
      : clockStarts(Math.min(first, fromMs), endMs, bucketMs, buckets.timeZone);
  const known = new Set(starts);
  return found.every((startMs) => known.has(startMs)) ? starts : [...found];
}

/** Where the bucket that begins here ends. */
export function bucketEnd(
  startMs: number,
  { bucketMs, timeZone }: Pick<TimeBuckets, "bucketMs" | "timeZone">,
): number {
  if (bucketMs === null) return startMs;
  if (bucketMs <= evenMsMax) return startMs + bucketMs;
  let number = numberAt(startMs, bucketMs, timeZone);
  let endMs = startMs;
  // A zone may skip a whole day, which then has no length.
  while (endMs <= startMs) endMs = startOf(++number, bucketMs, timeZone);
  return endMs;
}

/** The same of a step as a question writes it: `1m`, `7d`, `1mo`. */
export function stepEnd(startMs: number, step: string, timeZone: string): number {
  const length = parseCalendarLength(step);
  if (!("months" in length)) return bucketEnd(startMs, { bucketMs: durationMs(length), timeZone });
  // It begins with a month, on the zone's clock.
  const local = new Date(startMs + zoneOffsetMs(startMs, timeZone));
  const month = local.getUTCMonth() + length.months;
  return instantOfLocal(Date.UTC(local.getUTCFullYear(), month, 1), timeZone);
}

interface EvenBuckets {
  readonly fromMs: number;
  readonly endMs: number;
  readonly bucketMs: number;
  readonly evenMax: number;
}

function evenStarts(
  found: readonly number[],
  { fromMs, endMs, bucketMs, evenMax }: EvenBuckets,
): number[] {
  const anchorMs = found[0] ?? fromMs;
  const firstMs = anchorMs - Math.ceil((anchorMs - fromMs) / bucketMs) * bucketMs;
  const count = Math.ceil((endMs - firstMs) / bucketMs);
  if (count <= evenMax) return Array.from({ length: count }, (_, i) => firstMs + i * bucketMs);
  const lastMs = firstMs + (count - 1) * bucketMs;
  const beside = found.flatMap((at) => [at - bucketMs, at, at + bucketMs]);
  const within = beside.filter((at) => at >= firstMs && at <= lastMs);
  return [...new Set([firstMs, ...within, lastMs])]
    .filter((at) => (at - firstMs) % bucketMs === 0)
    .sort((a, b) => a - b);
}

function clockStarts(fromMs: number, endMs: number, bucketMs: number, timeZone: string): number[] {
  const starts: number[] = [];
  let startMs = startOf(numberAt(fromMs, bucketMs, timeZone), bucketMs, timeZone);
  for (; startMs < endMs; startMs = bucketEnd(startMs, { bucketMs, timeZone })) {
    starts.push(startMs);
  }
  return starts;
}

/** Buckets are counted on the zone's clock since 1970. */
const numberAt = (timeMs: number, bucketMs: number, timeZone: string): number =>
  Math.floor((timeMs + zoneOffsetMs(timeMs, timeZone) - originOf(bucketMs)) / bucketMs);

const startOf = (number: number, bucketMs: number, timeZone: string): number =>
  instantOfLocal(number * bucketMs + originOf(bucketMs), timeZone);

const originOf = (bucketMs: number): number => (bucketMs % (7 * dayMs) === 0 ? mondayMs : 0);
