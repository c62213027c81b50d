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
  readonly unit: "ms" | "s" | "m" | "h" | "d" | "w";
}

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
/** Monday 5 January 1970: weeks start on Mondays. */
const firstMondayMs = 4 * unitMs.d;

export function parseLength(text: string): Length {
  const match = /^(\d+)(ms|s|m|h|d|w)$/.exec(text);
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
  if (length.unit !== "d" && length.unit !== "w") return timeMs - lengthMs(length);
  return instantOf(localOf(timeMs, timeZone) - lengthMs(length), timeZone);
}

export function isTimeBucket(group: GroupBy): group is TimeBucket {
  return typeof group !== "string" && "time" in group;
}

function timeBucketOf(query: Query): TimeBucket | null {
  return (query.groupBy ?? []).find(isTimeBucket) ?? null;
}

/** Starts of the buckets that cover the main side, and one more as the end of the last. */
export function bucketEdges(query: Query): number[] {
  const bucket = timeBucketOf(query);
  if (bucket === null) return [];
  const [main] = sidesOf(query);
  if (main === undefined) return [];
  const zone = zoneOf(query);
  const length = parseLength(bucket.time);
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

function parseTime(text: TimeText): number {
  const timeMs = typeof text === "number" ? text : Date.parse(text);
  if (Number.isNaN(timeMs)) throw new Error(`the oracles know absolute times only, not ${text}`);
  return timeMs;
}
