import { edgesOfBuckets } from "../../plan/bucket/timeBuckets.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { JoinedGroups } from "./joinSides.js";
import { keyReader } from "./keyReader.js";

/** Where the part of a time group's buckets that a group is in starts and ends. */
type BucketOf = (group: number) => readonly [startMs: number, endMs: number];

/** How much of a side's time each group covers: what all its time buckets have in common, or the whole range. */
export function coverage(
  resolved: ResolvedQuery,
  sideIndex: number,
  joined: JoinedGroups,
): (group: number) => number {
  const timeOf = coveredTime(resolved, sideIndex, joined);
  return (group) => {
    const [startMs, endMs] = timeOf(group);
    return endMs - startMs;
  };
}

/** Which part of a side's time each group covers; empty where its buckets have none in common. */
export function coveredTime(
  resolved: ResolvedQuery,
  sideIndex: number,
  joined: JoinedGroups,
): BucketOf {
  const { fromMs, toMs } = resolved.sides[sideIndex]!;
  const buckets = resolved.groupBy.flatMap((_, index) => {
    const bucketOf = createBucketOf(resolved, sideIndex, joined, index);
    return bucketOf === null ? [] : [bucketOf];
  });
  return (group) => {
    let [startMs, endMs] = [fromMs, toMs];
    for (const bucketOf of buckets) {
      const [bucketStartMs, bucketEndMs] = bucketOf(group);
      startMs = Math.max(startMs, bucketStartMs);
      endMs = Math.min(endMs, bucketEndMs);
    }
    return [startMs, Math.max(startMs, endMs)];
  };
}

/** Null for groups of another kind. */
function createBucketOf(
  resolved: ResolvedQuery,
  sideIndex: number,
  joined: JoinedGroups,
  index: number,
): BucketOf | null {
  const { groupBy, sides } = resolved;
  const side = sides[sideIndex]!;
  const group = groupBy[index]!;
  const key = joined.keys[index];
  if (group.kind === "time" && key?.kind === "bucket" && side.buckets !== null) {
    const edges = edgesOfBuckets(side.buckets);
    return (at) => [edges[key.indexes[at]!]!, edges[key.indexes[at]! + 1]!];
  }
  if (group.kind !== "bucket" || group.further === undefined || key === undefined) return null;
  const main = edgesOfBuckets(sides[0]!.furtherBuckets![group.further]!);
  const own = edgesOfBuckets(side.furtherBuckets![group.further]!);
  const places = new Map(main.map((edge, place) => [edge, place]));
  const read = keyReader(key, resolved);
  return (at) => {
    const place = places.get(Number(read(at)))!;
    return [own[place]!, own[place + 1]!];
  };
}
