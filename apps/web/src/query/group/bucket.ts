const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Round lengths of a bucket. */
const stepsMs = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * second),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * minute),
  ...[1, 2, 3, 6, 12].map((n) => n * hour),
  ...[1, 2, 3].map((n) => n * day),
  ...[1, 2, 4, 12, 26, 52].map((n) => n * 7 * day),
];

/** About one point per 4 px of a common chart: more cannot be seen, far fewer hide changes. */
export const bucketCountMax = 300;

/** A fifth of the usual number of buckets, for queries that would otherwise be too large. */
export const coarseBucketMs = (rangeMs: number): number => autoBucketMs(rangeMs * 5);

/** The smallest step that makes at most {@link bucketCountMax} buckets of the range. */
export function autoBucketMs(rangeMs: number): number {
  return stepsMs.find((stepMs) => rangeMs / stepMs <= bucketCountMax) ?? 520 * 7 * day;
}
