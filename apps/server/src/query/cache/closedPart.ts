import type { KeyColumn, PartialSide } from "../../aggregate/partial/partialResult.js";
import { bucketsOfEdges, edgesOfBuckets } from "../../plan/bucket/timeBuckets.js";
import type { ResolvedQuery, ResolvedSide, TimeBuckets } from "../../plan/query/resolvedQuery.js";
import { hashOf } from "./rowsVersion.js";

const minuteMs = 60_000;
/** Ends of closed parts are multiples of one of these, so that the next questions have the same closed part. */
const gridsMs = [1, 5, 15, 60, 360, 1_440, 10_080].map((minutes) => minutes * minuteMs);
/** What is read beside the closed part is two steps of the grid at most, */
const stepsOfRange = 40;
/** and less than half of the range: else it is not worth its place. */
const closedShareMin = 0.5;
/** Rows of the last seconds are still on their way. */
const lateMsMin = 10_000;

/** A query whose range is divided: the closed part, and what is before and after it. */
export interface DividedQuery {
  /** The same for all ranges of the same length. */
  readonly shape: string;
  readonly gridMs: number;
  /** About the rows of minutes that get no more, as a rule. */
  readonly closed: ResolvedQuery;
  /** Its sides are the parts before and after, as far as there are rows of time in them. */
  readonly open: ResolvedQuery;
  /** The first bucket of the closed part, as the query numbers its buckets. */
  readonly firstBucket: number;
}

/**
 * Divides the range of a query; null: it is too short, or parts of its answer cannot be put together. `lateMs`: how long
 * after its time a row comes.
 */
export function divideQuery(
  resolved: ResolvedQuery,
  { nowMs, lateMs }: { readonly nowMs: number; readonly lateMs: number },
): DividedQuery | null {
  const [side, base] = resolved.sides;
  if (side === undefined || base !== undefined || resolved.sample !== null) return null;
  if (side.furtherBuckets !== undefined || resolved.branches !== undefined) return null;
  const { fromMs, toMs } = side;
  const lengthMs = toMs - fromMs;
  const gridMs = gridsMs.find((grid) => grid * stepsOfRange >= lengthMs) ?? gridsMs.at(-1)!;
  const closedMs = Math.min(toMs, nowMs - Math.max(lateMs, lateMsMin));
  const [startMs, endMs] = [
    Math.ceil(fromMs / gridMs) * gridMs,
    Math.floor(closedMs / gridMs) * gridMs,
  ];
  if (endMs - startMs < lengthMs * closedShareMin) return null;
  const parts = [
    { ...side, toMs: startMs },
    { ...side, fromMs: endMs },
  ].filter((part) => part.fromMs < part.toMs);
  if (parts.length === 0) return null;
  const { buckets, firstBucket } = bucketsWithin(side.buckets, startMs, endMs);
  const { sides: _, ...rest } = resolved;
  return {
    shape: hashOf(JSON.stringify([rest, { ...side, fromMs: 0, toMs: lengthMs, buckets: null }])),
    ...{ gridMs, firstBucket },
    closed: { ...resolved, sides: [{ ...side, fromMs: startMs, toMs: endMs, buckets }] },
    open: { ...resolved, sides: parts },
  };
}

/** A side's buckets that have a part of [fromMs, toMs). */
function bucketsWithin(
  buckets: ResolvedSide["buckets"],
  fromMs: number,
  toMs: number,
): { readonly buckets: TimeBuckets | null; readonly firstBucket: number } {
  if (buckets === null) return { buckets, firstBucket: 0 };
  const edges = edgesOfBuckets(buckets);
  const firstBucket = Math.max(
    0,
    edges.findLastIndex((edge) => edge <= fromMs),
  );
  const end = edges.findIndex((edge) => edge >= toMs);
  return { buckets: bucketsOfEdges(edges.slice(firstBucket, end + 1)), firstBucket };
}

/** The groups of the closed part, with its buckets numbered as those of the whole query. */
export function inWholeQuery(side: PartialSide, { firstBucket }: DividedQuery): PartialSide {
  if (firstBucket === 0) return side;
  const keys = side.keys.map(
    (key): KeyColumn =>
      key.kind === "bucket"
        ? { kind: "bucket", indexes: key.indexes.map((index) => index + firstBucket) }
        : key,
  );
  return { ...side, keys };
}
