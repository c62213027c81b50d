import type { TimeText } from "../query.js";
import { type CalendarLength, parseCalendarLength } from "./calendarLength.js";
import { durationMs } from "./duration.js";
import { invalidTime, quoted, timeMsMax } from "./invalidTime.js";
import { findTimeZone, instantOfLocal } from "./timeZone.js";

export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

const hourMs = 3_600_000;
const dayMs = 86_400_000;
/** 1970-01-01 was a Thursday. */
const mondayMs = 4 * dayMs;
const isoPattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|z|[+-]\d\d(?::?\d\d)?)?)?$/;

/**
 * Longer than any written time; looking for steps in a text takes the square of its length.
 */
const timeUnitsMax = 200;

/** Lengths that are added to a time or taken from it, at the end of its text. */
const stepsPattern = /(?:\s*[+-]\s*\d+[a-z]+)+$/;
const bucketPattern = /\s*\/\s*(\d+[a-z]+)$/;

/**
 * Milliseconds since 1970 of a time as people write it: `now`, ISO-8601 with zone (a date alone is
 * midnight UTC), or milliseconds, each with lengths added or taken away: `now+1h`, `-3h` (from
 * now), `-1mo`, `2025-03-31 -1mo`. Months, quarters and years go by the calendar of the zone, UTC
 * where none is given; a day that a month lacks is its last (31 March less a month is 28 or 29
 * February). `/` and a length at the end make it the start of its time bucket of that length, on
 * the zone's clock: `now/1d` is midnight, and a range from `-3h/5m` cuts no bucket of five minutes.
 * Throws `time-range-invalid` when it is none.
 */
export function resolveTime(text: TimeText, nowMs: number, timeZone = "UTC"): number {
  const timeMs = typeof text === "number" ? text : parseTime(text.trim(), nowMs, timeZone);
  if (!Number.isInteger(timeMs) || Math.abs(timeMs) > timeMsMax) {
    throw invalidTime(`${quoted(text)} is not a time in whole milliseconds since 1970.`);
  }
  return timeMs;
}

/** Both ends of a range; throws `time-range-invalid` when it is empty or turned round. */
export function resolveTimeRange(
  from: TimeText,
  to: TimeText,
  nowMs: number,
  timeZone = "UTC",
): TimeRange {
  const fromMs = resolveTime(from, nowMs, timeZone);
  const toMs = resolveTime(to, nowMs, timeZone);
  if (fromMs >= toMs) {
    throw invalidTime(`\`from\` (${from}) must be earlier than \`to\` (${to}).`);
  }
  return { fromMs, toMs };
}

/** Whether a time moves with the clock (`now`, `-3h`). */
export function isRelativeTime(text: TimeText): boolean {
  return typeof text === "string" && /^\s*(now|-)/.test(text);
}

/**
 * Whether it depends on the calendar how far a time is from the one that it is counted from
 * (`-1mo`, `now/1d`).
 */
export function hasCalendarSteps(text: TimeText): boolean {
  return typeof text === "string" && /[+-]\s*\d+(mo|q|y)\b|\//.test(text);
}

function parseTime(text: string, nowMs: number, timeZone: string): number {
  if (text.length > timeUnitsMax) {
    throw invalidTime(`${quoted(text)} is longer than a time may be (${timeUnitsMax} characters).`);
  }
  const bucket = bucketPattern.exec(text);
  if (bucket !== null) {
    const timeMs = parseTime(text.slice(0, bucket.index), nowMs, timeZone);
    return startOfBucket(timeMs, parseCalendarLength(bucket[1]!), timeZone);
  }
  const steps = stepsPattern.exec(text)?.[0] ?? "";
  const anchor = text.slice(0, text.length - steps.length);
  // Without anything before it, a length is one back from now.
  const isBack = anchor === "" && steps.startsWith("-");
  const anchorMs = isBack ? Math.floor(nowMs) : parseAnchor(anchor, { text, nowMs });
  return addSteps(anchorMs, steps, timeZone);
}

function parseAnchor(
  anchor: string,
  { text, nowMs }: { readonly text: string; readonly nowMs: number },
): number {
  if (anchor === "now") return Math.floor(nowMs);
  // Nine digits at least: "2024" and "20240131" are years and dates, not milliseconds.
  if (/^(0|\d{9,16})$/.test(anchor)) return Number(anchor);
  const iso = isoPattern.exec(anchor);
  if (iso !== null) return parseIso(anchor, iso);
  throw invalidTime(
    `${quoted(text)} is not a time: write now, -3h, -1mo, 2025-06-21T10:00:00Z or milliseconds since 1970.`,
  );
}

function addSteps(anchorMs: number, steps: string, timeZone: string): number {
  let timeMs = anchorMs;
  for (const [, sign, text] of steps.matchAll(/([+-])\s*(\d+[a-z]+)/g)) {
    timeMs = addLength(timeMs, parseCalendarLength(text!), sign === "-" ? -1 : 1, timeZone);
  }
  return timeMs;
}

function addLength(timeMs: number, length: CalendarLength, sign: 1 | -1, timeZone: string): number {
  if (!("months" in length)) return timeMs + sign * durationMs(length);
  const zone = findTimeZone(timeZone);
  const local = new Date(timeMs + zone.offsetMs(timeMs));
  const month = local.getUTCFullYear() * 12 + local.getUTCMonth() + sign * length.months;
  const timeOfDayMs = ((local.getTime() % dayMs) + dayMs) % dayMs;
  const localMs = startOfDay(month, Math.min(local.getUTCDate(), lastDayOf(month))) + timeOfDayMs;
  // Beyond the calendar there is no such time.
  return Number.isNaN(localMs) ? Number.NaN : instantOfLocal(zone, localMs);
}

/**
 * Buckets start where the zone's clock shows a multiple of their length since 1970; whole weeks on
 * Mondays.
 */
function startOfBucket(timeMs: number, length: CalendarLength, timeZone: string): number {
  const zone = findTimeZone(timeZone);
  const offsetMs = zone.offsetMs(timeMs);
  const local = new Date(timeMs + offsetMs);
  if ("months" in length) {
    const since1970 = (local.getUTCFullYear() - 1970) * 12 + local.getUTCMonth();
    const startMonth = Math.floor(since1970 / length.months) * length.months + 1970 * 12;
    if (!Number.isFinite(startMonth)) return Number.NaN;
    return instantOfLocal(zone, startOfDay(startMonth, 1));
  }
  const stepMs = durationMs(length);
  const originMs = stepMs % (7 * dayMs) === 0 ? mondayMs : 0;
  const startMs = Math.floor((timeMs + offsetMs - originMs) / stepMs) * stepMs + originMs;
  if (!Number.isFinite(startMs)) return Number.NaN;
  // Short buckets go on evenly through a change of the clock.
  return stepMs <= hourMs ? startMs - offsetMs : instantOfLocal(zone, startMs);
}

/** Midnight of a day as if it were UTC; months count from the year 0. */
function startOfDay(month: number, day: number): number {
  const date = new Date(0);
  // Not Date.UTC: it reads the years 0 to 99 as 1900 to 1999.
  return date.setUTCFullYear(Math.floor(month / 12), month - 12 * Math.floor(month / 12), day);
}

const lastDayOf = (month: number): number => new Date(startOfDay(month + 1, 0)).getUTCDate();

function parseIso(text: string, match: RegExpExecArray): number {
  const [year, month, day, hour, minute, second] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0)) as [number, number, number, number, number, number];
  const zone = match[8];
  if (match[4] !== undefined && zone === undefined) {
    throw invalidTime(`${quoted(text)} has no time zone: add Z or an offset such as +02:00.`);
  }
  const fractionMs = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const date = new Date(0);
  // Not Date.UTC: it reads the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  const dateExists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  const zoneMinutes = parseZone(zone ?? "Z");
  if (!dateExists || hour > 23 || minute > 59 || second > 59 || zoneMinutes === null) {
    throw invalidTime(`${quoted(text)} does not exist in the calendar.`);
  }
  return date.getTime() + ((hour * 60 + minute - zoneMinutes) * 60 + second) * 1_000 + fractionMs;
}

function parseZone(zone: string): number | null {
  if (zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || 0);
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
