/**
 * The grammar of written times, in a zone:
 *
 *   -3h · 3h · last 2 days · 90 minutes ago        relative: they move with the clock
 *   -1mo · 2 months · 1 year ago                   the same day and time of an earlier month; 31 March → 28 or 29 February
 *   today · yesterday · this week · last month     calendar days, weeks and months; the current one ends now
 *   Mon · 21 Nov · Nov 21 2026 · 2026-11-21        whole days; a weekday is the last one, today included
 *   yesterday 9:00 to 12:00 · Mon 14:00 to now     from … to …; a common day is written once
 *   9am to noon · 22:00 to 2:00                    of today; to an earlier hour: of the next day
 *   2026-11-21T09:00:00Z to +1h · 1750500000000    ISO-8601, milliseconds, lengths from the start
 *   since yesterday 18:00 · 2026-11-21 9:00        until now
 */
import { HadalError, isRelativeTime, resolveTime } from "@hadal/sdk";
import { readClock, readDay, readPeriod } from "./calendarText.js";
import { addDays, type CalendarDay, clockOf, dayOf, instantOf } from "./zoned.js";

export interface TimeTexts {
  readonly from: string;
  readonly to: string;
}

/** Parses a range for the server. Throws a HadalError that says what can be written. */
export function parseTimeRange(text: string, timeZone: string, nowMs: number): TimeTexts {
  const typed = text.trim().replace(/\s+/g, " ");
  const reader: Reader = { timeZone, nowMs, today: dayOf(nowMs, timeZone) };
  const range = readRange(typed, reader);
  if (range === null) throw fault(`“${typed}” is no range of time.`);
  if (resolveTime(range.from, nowMs, timeZone) >= resolveTime(range.to, nowMs, timeZone)) {
    throw fault("The start must lie before the end.");
  }
  return range;
}

/** Prints a range that {@link parseTimeRange} can parse: in local time where that is unambiguous. */
export function printTimeRange({ from, to }: TimeTexts, timeZone: string): string {
  if (to === "now" && /^-\d+(ms|s|m|h|d|w|mo|q|y)$/.test(from)) return from;
  const first = printPoint(from, timeZone);
  const last = printPoint(to, timeZone);
  const day = /^(\d{4}-\d\d-\d\d) /.exec(first)?.[1];
  const isSameDay = day !== undefined && last.startsWith(`${day} `) && first < last;
  return `${first} to ${isSameDay ? last.slice(day.length + 1) : last}`;
}

/** Parses one moment: `now`, `2 hours ago`, `yesterday 9:00`, `2026-11-21 9:00`, ISO-8601. */
export function parseMoment(text: string, timeZone: string, nowMs: number): number {
  const typed = text.trim().replace(/\s+/g, " ");
  const reader: Reader = { timeZone, nowMs, today: dayOf(nowMs, timeZone) };
  const point = typed === "" ? null : readPoint(typed, reader, null);
  if (point !== null) return resolveTime(point.text, nowMs, timeZone);
  const advice = "Write now, 2 hours ago, yesterday 9:00 or 2026-11-21 9:00.";
  throw new HadalError("time-range-invalid", { detail: `“${typed}” is no time. ${advice}` });
}

/** Prints a moment that {@link parseMoment} can parse. */
export const printMoment = (timeMs: number, timeZone: string): string =>
  printPoint(iso(timeMs), timeZone);

interface Reader {
  readonly timeZone: string;
  readonly nowMs: number;
  readonly today: CalendarDay;
}

const units: readonly (readonly [RegExp, string])[] = [
  [/^(ms|milliseconds?)$/i, "ms"],
  [/^(s|secs?|seconds?)$/i, "s"],
  [/^(m|mins?|minutes?)$/i, "m"],
  [/^(h|hrs?|hours?)$/i, "h"],
  [/^(d|days?)$/i, "d"],
  [/^(w|wks?|weeks?)$/i, "w"],
  [/^(mo|mons?|months?)$/i, "mo"],
  [/^(q|quarters?)$/i, "q"],
  [/^(y|yrs?|years?)$/i, "y"],
];

function readRange(text: string, reader: Reader): TimeTexts | null {
  if (text === "") return null;
  const period = readPeriod(text, reader.today);
  if (period !== null) return wholeDays(period.first, period.after, reader);
  const last = /^(?:-|last |past )?\s*(.+)$/i.exec(text)?.[1] ?? "";
  const length = readLength(last);
  if (length !== null) return { from: `-${length}`, to: "now" };
  const since = /^since (.+)$/i.exec(text)?.[1];
  if (since !== undefined) {
    const from = readPoint(since, reader, null);
    return from === null ? null : { from: from.text, to: "now" };
  }
  const parts = splitRange(text);
  if (parts !== null) return readEnds(parts[0], parts[1], reader);
  const day = readDay(text, reader.today);
  if (day !== null) return wholeDays(day, addDays(day, 1), reader);
  const point = readPoint(text, reader, null);
  return point === null ? null : { from: point.text, to: "now" };
}

/** `to`, a dash between spaces, or two dots; the dashes of dates and of `-3h` stay. */
function splitRange(text: string): readonly [string, string] | null {
  const match = /^(?:from )?(.+?)(?: to | until | till | [-–—] |\.\.|–|—)(.+)$/i.exec(text);
  return match?.[1] === undefined || match[2] === undefined
    ? null
    : [match[1].trim(), match[2].trim()];
}

function readEnds(first: string, second: string, reader: Reader): TimeTexts | null {
  const from = readPoint(first, reader, null);
  if (from === null) return null;
  const plus = /^\+\s*(.+)$/.exec(second)?.[1];
  if (plus !== undefined) return lengthAfter(from, readLength(plus), reader);
  const to = readPoint(second, reader, from.day);
  if (to === null) return null;
  // A day as the end includes all of the day.
  if (to.day !== null && !to.hasClock) {
    const endMs = instantOf(addDays(to.day, 1), 0, reader.timeZone);
    return { from: from.text, to: iso(endMs) };
  }
  // 22:00 to 2:00 ends on the next day.
  const isTurned = to.day !== null && from.day !== null && !to.hasDay && to.clockMs <= from.clockMs;
  if (isTurned) {
    const endMs = instantOf(addDays(to.day, 1), to.clockMs, reader.timeZone);
    return { from: from.text, to: iso(endMs) };
  }
  return { from: from.text, to: to.text };
}

function lengthAfter(
  from: Point,
  length: string | null,
  { nowMs, timeZone }: Reader,
): TimeTexts | null {
  if (length === null) return null;
  const fromMs = resolveTime(from.text, nowMs, timeZone);
  return { from: from.text, to: iso(resolveTime(`${iso(fromMs)}+${length}`, nowMs, timeZone)) };
}

interface Point {
  readonly text: string;
  /** The calendar range, if the text names one. */
  readonly day: CalendarDay | null;
  readonly clockMs: number;
  readonly hasDay: boolean;
  readonly hasClock: boolean;
}

const isoLike = /^\d{4}-\d\d-\d\dT\S+(Z|[+-]\d\d:?\d\d)$/i;

function readPoint(text: string, reader: Reader, sameDay: CalendarDay | null): Point | null {
  const plain = (written: string): Point => ({
    ...{ text: written, day: null, clockMs: 0, hasDay: false, hasClock: false },
  });
  if (/^now$/i.test(text)) return plain("now");
  const ago = readLength(
    /^(.+) ago$/i.exec(text)?.[1] ?? /^(?:now )?-\s*(.+)$/i.exec(text)?.[1] ?? "",
  );
  if (ago !== null) return plain(`-${ago}`);
  if (/^\d{9,16}$/.test(text) || isoLike.test(text)) return readable(text) ? plain(text) : null;
  return readCalendarPoint(text, reader, sameDay);
}

/** A day, a clock time, or one after the other. */
function readCalendarPoint(
  text: string,
  { timeZone, today }: Reader,
  sameDay: CalendarDay | null,
): Point | null {
  const words = text.replace("T", " ").split(" ");
  for (let count = words.length; count >= 0; count--) {
    const [dayText, clockText] = [words.slice(0, count).join(" "), words.slice(count).join(" ")];
    const day = count === 0 ? (sameDay ?? today) : readDay(dayText.replace(/,$/, ""), today);
    const clockMs = clockText === "" ? 0 : readClock(clockText.replace(/^at /i, ""));
    if (day === null || clockMs === null) continue;
    const written = iso(instantOf(day, clockMs, timeZone));
    return { text: written, day, clockMs, hasDay: count > 0, hasClock: clockText !== "" };
  }
  return null;
}

/** `3h`, `2 days`, `hour`, `2 months` → `3h`, `2d`, `1h`, `2mo`. */
function readLength(text: string): string | null {
  const match = /^(\d{1,9})?\s*([a-z]+)$/i.exec(text.trim());
  const unit = units.find(([pattern]) => pattern.test(match?.[2] ?? ""))?.[1];
  if (match === null || unit === undefined || Number(match[1] ?? 1) === 0) return null;
  // A unit letter alone is not a length.
  if (match[1] === undefined && (match[2] ?? "").length < 3) return null;
  return `${Number(match[1] ?? 1)}${unit}`;
}

/** The current day ends now. */
function wholeDays(first: CalendarDay, after: CalendarDay, { timeZone, nowMs }: Reader): TimeTexts {
  const [fromMs, toMs] = [instantOf(first, 0, timeZone), instantOf(after, 0, timeZone)];
  return { from: iso(fromMs), to: fromMs < nowMs && nowMs < toMs ? "now" : iso(toMs) };
}

function printPoint(text: string, timeZone: string): string {
  if (isRelativeTime(text)) return text.replace(/^now(?=-)/, "");
  const timeMs = resolveTime(text, 0, timeZone);
  const { year, month, day } = dayOf(timeMs, timeZone);
  const clockMs = clockOf(timeMs, timeZone);
  const isRead = year >= 1970 && year <= 9999;
  // The offset distinguishes the two equal hours when clocks go back.
  const comesBack = isRead && instantOf({ year, month, day }, clockMs, timeZone) === timeMs;
  if (!comesBack) return iso(timeMs);
  return `${year}-${two(month)}-${two(day)} ${printClock(clockMs)}`;
}

function printClock(clockMs: number): string {
  const [hours, minutes] = [Math.floor(clockMs / 3_600_000), Math.floor(clockMs / 60_000) % 60];
  const [seconds, ms] = [Math.floor(clockMs / 1_000) % 60, clockMs % 1_000];
  const fraction = ms === 0 ? "" : `.${String(ms).padStart(3, "0")}`;
  const rest = seconds === 0 && ms === 0 ? "" : `:${two(seconds)}${fraction}`;
  return `${two(hours)}:${two(minutes)}${rest}`;
}

const two = (number: number): string => String(number).padStart(2, "0");
const iso = (timeMs: number): string => new Date(timeMs).toISOString();

function readable(text: string): boolean {
  try {
    resolveTime(text, 0);
    return true;
  } catch {
    return false;
  }
}

function fault(detail: string): HadalError {
  const advice = "Write -3h, last 2 days, yesterday 9:00 to 12:00, Mon 14:00 to now or 2026-11-21.";
  return new HadalError("time-range-invalid", { detail: `${detail} ${advice}` });
}
