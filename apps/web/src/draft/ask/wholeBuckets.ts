import { isRelativeTime, type Query, resolveTimeRange } from "@hadal/sdk";
import type { BuiltQuery } from "./buildQuery.js";

/**
 * The same question with a range that begins with a bucket: one that moves with the clock would cut its first, which looks
 * like a rise. A time that somebody wrote stays.
 */
export function withWholeBuckets(built: BuiltQuery, timeZone: string, nowMs: number): BuiltQuery {
  const { query, extras, bucketMs } = built;
  const { from, to } = query;
  const isSnapped = typeof from === "string" && isRelativeTime(from) && !from.includes("/");
  if (bucketMs === null || !isSnapped) return built;
  const snapped = `${from}/${bucketMs}ms`;
  const snap = (one: Query): Query => (one.from === from ? { ...one, from: snapped } : one);
  return {
    ...built,
    query: snap(query),
    extras: Object.fromEntries(Object.entries(extras).map(([name, one]) => [name, snap(one)])),
    range: resolveTimeRange(snapped, to, nowMs, timeZone),
  };
}
