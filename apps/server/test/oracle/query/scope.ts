import type { Filter, GroupBy, Query, TimeBucket, TimeText } from "@hadal/sdk";
import { instantOf, localOf } from "./zoneTime.js";

/** One side of a query with absolute times. */
export interface Side {
  readonly fromMs: number;
  readonly toMs: number;
  readonly filter: readonly Filter[];
}

export interface Length {
  readonly count: number;
  readonly unit: "ms" | "s" | "m" | "h" | "d" | "w" | "mo" | "q" | "y";
}

/** Months are those of the calendar: what stands here is about their length. */
const unitMs = {
  ...{ ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 },
  ...{ mo: 2_592_000_000, q: 7_776_000_000, y: 31_536_000_000 },
} as const;
/** Monday 5 January 1970: weeks start on Mondays. */
const firstMondayMs = 4 * unitMs.d;

export function parseLength(text: string): Length {
  const match = /^(\d+)(ms|s|mo|m|h|d|w|q|y)$/.exec(text);
  if (match === null) throw new Error(`${text} is not a length of time`);
  return { count: Number(match[1]), unit: match[2] as Length["unit"] };
}

export function lengthMs(length: Length): number {
  return length.count * unitMs[length.unit];
}

export function zoneOf(query: Query): string {
  return query.timeZone ?? "UTC";
}

/** The main side, and the base side of a comparison. */
export function sidesOf(query: Query): readonly Side[] {
  const main = {
    fromMs: parseTime(query.from),
    toMs: parseTime(query.to),
    filter: query.filter ?? [],
  };
  const { compare } = query;
  if (compare === undefined || compare === null) return [main];
  const back = (timeMs: number) => shiftBack(timeMs, compare.offset, zoneOf(query));
  return [
    main,
    { fromMs: back(main.fromMs), toMs: back(main.toMs), filter: compare.filter ?? main.filter },
  ];
}

/** Days and weeks go by the calendar, so the clocks show the same time; other lengths are absolute. */
export function shiftBack(timeMs: number, offset: string | undefined, timeZone: string): number {
  if (offset === undefined) return timeMs;
  const length = parseLength(offset);
  const months = monthsOf(length);
  if (months !== null) return instantOf(monthsBack(localOf(timeMs, timeZone), months), timeZone);
  if (length.unit !== "d" && length.unit !== "w") return timeMs - lengthMs(length);
  return instantOf(localOf(timeMs, timeZone) - lengthMs(length), timeZone);
}

/** Null for lengths that are no whole months. */
export function monthsOf({ count, unit }: Length): number | null {
  if (unit !== "mo" && unit !== "q" && unit !== "y") return null;
  return count * { mo: 1, q: 3, y: 12 }[unit];
}

/** Day by day from the month's first: the same day, or the month's end where it lacks that day. */
function monthsBack(localMs: number, months: number): number {
  const date = new Date(localMs);
  const first = new Date(localMs);
  first.setUTCDate(1);
  first.setUTCMonth(first.getUTCMonth() - months);
  const back = new Date(first);
  back.setUTCDate(date.getUTCDate());
  if (back.getUTCMonth() === first.getUTCMonth()) return back.getTime();
  return Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1);
}

export function isTimeBucket(group: GroupBy): group is TimeBucket {
  return typeof group !== "string" && "time" in group;
}

function timeBucketOf(query: Query): TimeBucket | null {
  return (query.groupBy ?? []).find(isTimeBucket) ?? null;
}

/** Starts of the buckets that cover the main side, and one more as the end of the last. */
export function bucketEdges(query: Query, bucket = timeBucketOf(query)): number[] {
  if (bucket === null) return [];
  const [main] = sidesOf(query);
  if (main === undefined) return [];
  const zone = zoneOf(query);
  const length = parseLength(bucket.time);
  const months = monthsOf(length);
  if (months !== null) return monthEdges(main, months, zone);
  const stepMs = lengthMs(length);
  const originMs = length.unit === "w" ? firstMondayMs : 0;
  const edges = [];
  let local = Math.floor((localOf(main.fromMs, zone) - originMs) / stepMs) * stepMs + originMs;
  for (; ; local += stepMs) {
    const edge = instantOf(local, zone);
    edges.push(edge);
    if (edge >= main.toMs) return edges;
  }
}

function monthEdges(main: Side, months: number, zone: string): number[] {
  const from = new Date(localOf(main.fromMs, zone));
  let month = (from.getUTCFullYear() - 1970) * 12 + from.getUTCMonth();
  while (((month % months) + months) % months !== 0) month -= 1;
  const edges = [];
  for (; ; month += months) {
    const edge = instantOf(Date.UTC(1970, month, 1), zone);
    edges.push(edge);
    if (edge >= main.toMs) return edges;
  }
}

function parseTime(text: TimeText): number {
  const timeMs = typeof text === "number" ? text : Date.parse(text);
  if (Number.isNaN(timeMs)) throw new Error(`the oracles know absolute times only, not ${text}`);
  return timeMs;
}
