import { HadalError, type TimeZone } from "@hadal/sdk";
import type { TimeBuckets } from "../query/resolvedQuery.js";

/** 100,000 points are more than any screen is wide; their edges travel in one frame of 1.4 MB at worst. */
export const timeBucketsMax = 100_000;

const minuteMs = 60_000;
const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
/** Thursday, 1970-01-01, to Monday. */
const mondayMs = 4 * dayMs;

/**
 * Buckets of `stepMs` that cover [fromMs, toMs): they start where the zone's clock shows a multiple of
 * their length since 1970 (whole weeks: since a Monday). Where the clock changes, a bucket is as long as
 * the clock makes it (a day 23 or 25 hours); buckets that divide the change go on evenly through it.
 */
export function resolveTimeBuckets(
  fromMs: number,
  toMs: number,
  stepMs: number,
  zone: TimeZone,
): TimeBuckets {
  const atLeast = Math.ceil((toMs - fromMs) / stepMs);
  if (atLeast > timeBucketsMax) throw tooManyBuckets(atLeast);
  const originMs = stepMs % weekMs === 0 ? mondayMs : 0;
  const marginMs = 2 * stepMs + (stepMs > minuteMs ? 2 * dayMs : 0);
  const starts = bucketStarts(
    { fromMs: fromMs - marginMs, toMs: toMs + marginMs },
    { stepMs, originMs, zone },
  );
  const first = starts.findLastIndex((start) => start <= fromMs);
  const end = starts.findIndex((start) => start >= toMs);
  const edges = starts.slice(first, end + 1);
  if (edges.length - 1 > timeBucketsMax) throw tooManyBuckets(edges.length - 1);
  return bucketsOfEdges(edges);
}

/** Even buckets where the edges allow it. */
export function bucketsOfEdges(edgesMs: readonly number[]): TimeBuckets {
  const count = edgesMs.length - 1;
  const startMs = edgesMs[0]!;
  const stepMs = edgesMs[1]! - startMs;
  const even = stepMs > 0 && edgesMs.every((edge, i) => edge === startMs + i * stepMs);
  return even ? { kind: "even", startMs, stepMs, count } : { kind: "edges", edgesMs };
}

/** A query asks for them several times. */
const knownEdges = new WeakMap<TimeBuckets, readonly number[]>();

/** All edges, one more than there are buckets. */
export function edgesOfBuckets(buckets: TimeBuckets): readonly number[] {
  if (buckets.kind === "edges") return buckets.edgesMs;
  let edges = knownEdges.get(buckets);
  if (edges === undefined) {
    const { startMs, stepMs, count } = buckets;
    edges = Array.from({ length: count + 1 }, (_, i) => startMs + i * stepMs);
    knownEdges.set(buckets, edges);
  }
  return edges;
}

/** The start of each bucket as text, like the bounds of number buckets. */
export function lowerBounds(buckets: TimeBuckets): string[] {
  return edgesOfBuckets(buckets).slice(0, -1).map(String);
}

interface BucketSteps {
  readonly stepMs: number;
  readonly originMs: number;
  readonly zone: TimeZone;
}

/**
 * Starts of buckets in (fromMs, toMs); the first is fromMs itself, which begins no bucket. The range has to begin two buckets
 * and a change of the clock (a day at most; none for buckets of up to a minute) before the first bucket wanted.
 */
function bucketStarts(
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  { stepMs, originMs, zone }: BucketSteps,
): number[] {
  const starts: number[] = [];
  let previousOffsetMs: number | null = null;
  /** Number of the last bucket begun, counted on the local clock. */
  let last = 0;
  for (const span of zone.spans(fromMs, toMs)) {
    const numberAt = (atMs: number) => Math.floor((atMs + span.offsetMs - originMs) / stepMs);
    const startOf = (number: number) => number * stepMs + originMs - span.offsetMs;
    const shiftMs = span.offsetMs - (previousOffsetMs ?? span.offsetMs);
    if (previousOffsetMs === null) last = numberAt(span.fromMs);
    // A change by whole buckets keeps their steps: local hours that come twice are two buckets.
    else if (shiftMs % stepMs === 0) last = numberAt(span.fromMs - 1);
    // Buckets that do not divide the change: short ones restart with it, long ones stretch.
    else if (stepMs <= Math.abs(shiftMs)) last = Number.NEGATIVE_INFINITY;
    if (numberAt(span.fromMs) > last) {
      starts.push(span.fromMs);
      last = numberAt(span.fromMs);
    }
    for (let startMs = startOf(last + 1); startMs < span.toMs; startMs = startOf(last + 1)) {
      starts.push(startMs);
      last += 1;
    }
    previousOffsetMs = span.offsetMs;
  }
  return starts;
}

export function tooManyBuckets(count: number): HadalError {
  return new HadalError("too-many-buckets", { count, max: timeBucketsMax });
}
