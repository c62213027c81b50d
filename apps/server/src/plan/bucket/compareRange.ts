import { type CalendarLength, durationMs, instantOfLocal, type TimeZone } from "@hadal/sdk";
import type { ResolvedSide, TimeBuckets } from "../query/resolvedQuery.js";
import { monthsBefore } from "./monthBuckets.js";
import { bucketsOfEdges, edgesOfBuckets } from "./timeBuckets.js";

type SideTime = Pick<ResolvedSide, "fromMs" | "toMs" | "buckets" | "furtherBuckets">;

/** The base side's time: the main side's, `offset` earlier. Its buckets match the main ones by index. */
export function shiftRange(main: SideTime, offset: CalendarLength, zone: TimeZone): SideTime {
  const shift = createShift(offset, zone);
  const fromMs = shift(main.fromMs);
  const toMs = shift(main.toMs);
  const buckets = main.buckets === null ? null : shiftBuckets(main.buckets, shift, fromMs, toMs);
  const further = main.furtherBuckets?.map((one) => shiftBuckets(one, shift, fromMs, toMs));
  return { fromMs, toMs, buckets, ...(further === undefined ? {} : { furtherBuckets: further }) };
}

/** Days and what is longer go by the calendar: the same time of day, whatever the clock did in between. */
export function createShift(offset: CalendarLength, zone: TimeZone): (atMs: number) => number {
  if ("months" in offset) {
    const { months } = offset;
    return (atMs) => instantOfLocal(zone, monthsBefore(atMs + zone.offsetMs(atMs), months));
  }
  const offsetMs = durationMs(offset);
  if (offset.unit !== "d" && offset.unit !== "w") return (atMs) => atMs - offsetMs;
  return (atMs) => instantOfLocal(zone, atMs + zone.offsetMs(atMs) - offsetMs);
}

/** The range may begin or end within a local hour that comes twice, whose other half an edge was shifted with: the outermost buckets reach as far as it does. */
function shiftBuckets(
  buckets: TimeBuckets,
  shift: (atMs: number) => number,
  fromMs: number,
  toMs: number,
): TimeBuckets {
  const edges = edgesOfBuckets(buckets);
  const lastIndex = edges.length - 1;
  let last = Number.NEGATIVE_INFINITY;
  const shifted = edges.map((edge, i) => {
    const at = i === 0 ? Math.min(shift(edge), fromMs) : shift(edge);
    // A local hour that comes twice on the main side maps to the same time twice: an empty bucket. So no row is counted twice, or left out.
    last = Math.max(last, i === lastIndex ? Math.max(at, toMs) : at);
    return last;
  });
  return bucketsOfEdges(shifted);
}
