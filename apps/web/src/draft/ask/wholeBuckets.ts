import { isRelativeTime, type Query, resolveTimeRange } from "@hadal/sdk";
import type { BuiltQuery } from "./buildQuery.js";

/**
 * The same query with a range that begins at a bucket's start. A relative range would cut its first bucket, which looks
 * like a rise. Absolute times stay as written, and a range that would be longer than `msMax`.
 */
export function withWholeBuckets(
  built: BuiltQuery,
  timeZone: string,
  nowMs: number,
  msMax = Number.POSITIVE_INFINITY,
): BuiltQuery {
  const { query, extras, bucketMs } = built;
  const { from, to } = query;
  const isSnapped = typeof from === "string" && isRelativeTime(from) && !from.includes("/");
  if (bucketMs === null || !isSnapped) return built;
  const snapped = `${from}/${bucketMs}ms`;
  const range = resolveTimeRange(snapped, to, nowMs, timeZone);
  if (range.toMs - range.fromMs > msMax) return built;
  const snap = (one: Query): Query => (one.from === from ? { ...one, from: snapped } : one);
  return {
    ...built,
    query: snap(query),
    extras: Object.fromEntries(Object.entries(extras).map(([name, one]) => [name, snap(one)])),
    range,
  };
}
