import { HadalError } from "./problem.js";
import type { TimeText } from "./query.js";

export type DurationUnit = "ms" | "s" | "m" | "h" | "d" | "w";

/** A length of time as written: days and weeks may mean calendar days where a time zone is at hand. */
export interface Duration {
  readonly count: number;
  readonly unit: DurationUnit;
}

export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

const unitMs: Readonly<Record<DurationUnit, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

export const durationUnits = Object.keys(unitMs) as readonly DurationUnit[];

/** The farthest a Date can be from 1970. */
export const timeMsMax = 8_640_000_000_000_000;
const isoPattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|z|[+-]\d\d(?::?\d\d)?)?)?$/;

/** Reads `7d`, `90s`, `500ms`; units ms s m h d w. Throws `time-range-invalid` when it is none. */
export function parseDuration(text: string): Duration {
  const match = /^(\d{1,16})(ms|s|m|h|d|w)$/.exec(text);
  if (match === null) {
    throw invalidTime(
      `${quoted(text)} is not a duration: write a number and ms, s, m, h, d or w, such as 90s or 7d.`,
    );
  }
  const duration = { count: Number(match[1]), unit: match[2] as DurationUnit };
  if (durationMs(duration) > timeMsMax)
    throw invalidTime(`${quoted(text)} is longer than time itself goes.`);
  return duration;
}

/** Milliseconds of a duration; a day is 24 hours here. */
export function durationMs(duration: Duration): number {
  return duration.count * unitMs[duration.unit];
}

/**
 * Milliseconds since 1970 of a time as people write it: `now`, `-3h`, `now-3h`, `now+1h`, ISO-8601 with zone
 * (a date alone is midnight UTC), or milliseconds. Throws `time-range-invalid` when it is none.
 */
export function resolveTime(text: TimeText, nowMs: number): number {
  const timeMs = typeof text === "number" ? text : parseTime(text.trim(), nowMs);
  if (!Number.isInteger(timeMs) || Math.abs(timeMs) > timeMsMax) {
    throw invalidTime(`${quoted(text)} is not a time in whole milliseconds since 1970.`);
  }
  return timeMs;
}

/** Both ends of a range; throws `time-range-invalid` when it is empty or turned round. */
export function resolveTimeRange(from: TimeText, to: TimeText, nowMs: number): TimeRange {
  const fromMs = resolveTime(from, nowMs);
  const toMs = resolveTime(to, nowMs);
  if (fromMs >= toMs) {
    throw invalidTime(`\`from\` (${from}) must be earlier than \`to\` (${to}).`);
  }
  return { fromMs, toMs };
}

/** Whether a time moves with the clock (`now`, `-3h`). */
export function isRelativeTime(text: TimeText): boolean {
  return typeof text === "string" && /^\s*(now|-)/.test(text);
}

function parseTime(text: string, nowMs: number): number {
  if (text === "now") return Math.floor(nowMs);
  const relative = /^(?:now\s*(\+)|(?:now\s*)?-)\s*(\d+[a-z]+)$/.exec(text);
  if (relative !== null) {
    const lengthMs = durationMs(parseDuration(relative[2]!));
    return Math.floor(nowMs) + (relative[1] === undefined ? -lengthMs : lengthMs);
  }
  // Nine digits at least: "2024" and "20240131" are years and dates that somebody cut short.
  if (/^(0|\d{9,16})$/.test(text)) return Number(text);
  const iso = isoPattern.exec(text);
  if (iso !== null) return parseIso(text, iso);
  throw invalidTime(
    `${quoted(text)} is not a time: write now, -3h, 2025-06-21T10:00:00Z or milliseconds since 1970.`,
  );
}

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

function invalidTime(detail: string): HadalError {
  return new HadalError("time-range-invalid", { detail });
}

/** Long or strange texts are cut: an error is to be read. */
function quoted(text: TimeText): string {
  const printed = JSON.stringify(text) ?? String(text);
  return printed.length > 60 ? `${printed.slice(0, 60)}…` : printed;
}
