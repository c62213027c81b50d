import { instantOfLocal, type TimeZone } from "@hadal/sdk";
import type { TimeBuckets } from "../query/resolvedQuery.js";
import { bucketsOfEdges, timeBucketsMax, tooManyBuckets } from "./timeBuckets.js";

const dayMs = 86_400_000;
/** The farthest a Date can be from 1970. */
const timeMsMax = 8_640_000_000_000_000;

/**
 * Buckets of whole months that cover [fromMs, toMs): they start with the month, by the zone's clock, at
 * multiples of their number since January 1970, so that three are a quarter and twelve a year.
 */
export function resolveMonthBuckets(
  fromMs: number,
  toMs: number,
  months: number,
  zone: TimeZone,
): TimeBuckets {
  const atLeast = Math.floor((toMs - fromMs) / (31 * dayMs * months));
  if (atLeast > timeBucketsMax) throw tooManyBuckets(atLeast);
  const first = Math.floor(monthOf(fromMs + zone.offsetMs(fromMs)) / months) * months;
  const edges: number[] = [startOfMonth(first, zone)];
  for (let month = first + months; edges.at(-1)! < toMs; month += months) {
    const edge = startOfMonth(month, zone);
    // Where the clock goes back over the end of a month, that month shows again after its end.
    if (edge <= fromMs) edges.pop();
    edges.push(edge);
  }
  if (edges.length - 1 > timeBucketsMax) throw tooManyBuckets(edges.length - 1);
  return bucketsOfEdges(edges);
}

/**
 * Local time, `months` months earlier: the same day and time of day. A day that the month lacks is its
 * end: so the last of February stands beside 28 March, and nothing beside the days after.
 */
export function monthsBefore(localMs: number, months: number): number {
  const day = new Date(clamp(localMs)).getUTCDate();
  const month = monthOf(localMs) - months;
  const startMs = startOfLocalMonth(month);
  const endMs = startOfLocalMonth(month + 1);
  const timeOfDayMs = localMs - Math.floor(localMs / dayMs) * dayMs;
  return Math.min(startMs + (day - 1) * dayMs + timeOfDayMs, endMs);
}

/** Months since January 1970. */
function monthOf(localMs: number): number {
  const date = new Date(clamp(localMs));
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** Where the calendar ends a bucket has no other edge: it lies beyond every time there is. */
function startOfMonth(month: number, zone: TimeZone): number {
  const localMs = startOfLocalMonth(month);
  if (Math.abs(localMs) === timeMsMax) return Math.sign(localMs) * (timeMsMax + 2 * dayMs);
  return instantOfLocal(zone, localMs);
}

/** Beyond the calendar, its end. */
function startOfLocalMonth(month: number): number {
  const startMs = Date.UTC(1970, month, 1);
  if (!Number.isNaN(startMs)) return startMs;
  return month < 0 ? -timeMsMax : timeMsMax;
}

function clamp(localMs: number): number {
  return Math.min(Math.max(localMs, -timeMsMax), timeMsMax);
}
