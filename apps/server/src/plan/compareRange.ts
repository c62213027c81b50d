import { type Duration, durationMs } from "@hadal/sdk";
import type { ResolvedSide, TimeBuckets } from "./resolvedQuery.js";
import { bucketsOfEdges, edgesOfBuckets } from "./timeBuckets.js";
import { instantOfLocal, type TimeZone } from "./timeZone.js";

/** The base side's time: the main side's, `offset` earlier. Its buckets match the main ones by index. */
export function shiftRange(
  main: Pick<ResolvedSide, "fromMs" | "toMs" | "buckets">,
  offset: Duration,
  zone: TimeZone,
): Pick<ResolvedSide, "fromMs" | "toMs" | "buckets"> {
  const shift = createShift(offset, zone);
  return {
    fromMs: shift(main.fromMs),
    toMs: shift(main.toMs),
    buckets: main.buckets === null ? null : shiftBuckets(main.buckets, shift),
  };
}

/** Days and weeks go by the calendar: the same time of day, whatever the clock did in between. */
function createShift(offset: Duration, zone: TimeZone): (atMs: number) => number {
  const offsetMs = durationMs(offset);
  if (offset.unit !== "d" && offset.unit !== "w") return (atMs) => atMs - offsetMs;
  return (atMs) => instantOfLocal(zone, atMs + zone.offsetMs(atMs) - offsetMs);
}

function shiftBuckets(buckets: TimeBuckets, shift: (atMs: number) => number): TimeBuckets {
  let last = Number.NEGATIVE_INFINITY;
  const edges = edgesOfBuckets(buckets).map((edge) => {
    // A local hour that comes twice on the main side maps to the same time twice: an empty bucket.
    last = Math.max(last, shift(edge));
    return last;
  });
  return bucketsOfEdges(edges);
}
