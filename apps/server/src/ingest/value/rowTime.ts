import { allTime } from "../../base/row/allTime.js";
import { isLeapSecondEnd } from "./leapSeconds.js";
import { instantOf, type LocalInstant } from "./localTime.js";
import { NumberText } from "./numberText.js";
import { quote, RowRejected } from "./rowRejected.js";
import { namesUnit, type TimeRule, unitBetween, wholeMs } from "./timeRule.js";

/** What ISO-8601 writes with four digits for the year. */
export const rowTimeMsMin = allTime.from;
export const rowTimeMsMax = allTime.to - 1;

/** No time has as many characters: longer texts are not read. */
const timeUnitsMax = 200;
const isoPattern =
  /^(\d{4})([-/])(\d\d)\2(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9})\d*)?)?(?: ?(Z|z|[+-]\d\d(?::?\d\d)?))?)?$/;
const numberPattern = /^-?\d+(?:\.\d+)?$/;
const unitNames = { s: "seconds", ms: "milliseconds", us: "microseconds", ns: "nanoseconds" };

/** A moment with its own unit, as in columns of a time type: no rule of units applies. */
export class TypedTime {
  constructor(readonly ms: number) {}
}

/**
 * Event time of a row in milliseconds since 1970: a number in the unit that the request names,
 * integer milliseconds where it names none, or ISO-8601 with zone; without one where the request
 * names the zone. Throws RowRejected.
 */
export function readRowTime(value: unknown, column: string, rule: TimeRule): number {
  if (typeof value === "number" && Number.isFinite(value)) return readNumber(value, column, rule);
  if (value instanceof NumberText) return readNumberText(value.text, column, rule);
  if (value instanceof TypedTime) {
    rule.forms?.note("typed");
    return checkRange(value.ms, String(value.ms), column, rule);
  }
  if (typeof value === "string") {
    if (value.length > timeUnitsMax)
      throw invalid(
        `${name(column)} is ${quote(value)}, longer than a time may be (${timeUnitsMax} characters).`,
      );
    if (!numberPattern.test(value)) return readIso(value, column, rule);
    // Who names the unit means a number, however it is written.
    if (rule.unit !== null) return readNumberText(value, column, rule);
    throw invalid(
      `${name(column)} is the text ${quote(value)}: send the number without quotes, or name its unit with timeUnit=${unitBetween(value, rule) ?? "ms"}.`,
    );
  }
  throw invalid(
    `${name(column)} is ${quote(value)}; it must be integer milliseconds since 1970 or an ISO-8601 text with zone.`,
  );
}

function readNumber(value: number, column: string, rule: TimeRule): number {
  const isMs = rule.unit === null || rule.unit === "ms";
  if (isMs && Number.isInteger(value) && value >= earliestOf(rule) && value <= latestOf(rule)) {
    rule.forms?.note("ms");
    return value + 0; // Minus zero is no other time than zero.
  }
  return readNumberText(String(value), column, rule);
}

function readNumberText(text: string, column: string, rule: TimeRule): number {
  if (rule.unit === "auto") return readAnyUnit(text, column, rule);
  const timeMs = wholeMs(text, rule.unit ?? "ms");
  const isWithin = timeMs >= earliestOf(rule) && timeMs <= latestOf(rule);
  if (isWithin && (rule.unit !== null || Number(text) === timeMs)) {
    rule.forms?.note(rule.unit ?? "ms");
    return timeMs;
  }
  const shown = `${name(column)} is ${quote(new NumberText(text))}`;
  if (isWithin)
    throw invalid(`${shown}, not whole milliseconds; with timeUnit=ms the fraction is cut off.`);
  throw unlikelyTime(`${shown}: as ${unitNames[rule.unit ?? "ms"]} since 1970`, text, rule);
}

/** The bounds of numbers. */
export function earliestOf(rule: TimeRule): number {
  return namesUnit(rule) ? rowTimeMsMin : rule.earliestMs;
}

/** That of times in any form. */
export function latestOf(rule: TimeRule): number {
  return Math.min(namesUnit(rule) ? rowTimeMsMax : rule.latestMs, rule.futureMs);
}

/** `shown`: the number as it was read. */
function unlikelyTime(shown: string, text: string, rule: TimeRule): RowRejected {
  const timeMs = wholeMs(text, rule.unit === null || rule.unit === "auto" ? "ms" : rule.unit);
  const read = `${shown} that is ${whenOf(timeMs)}`;
  const unit = unitBetween(text, rule);
  if (isAhead(timeMs, rule)) return tooFarAhead(`${read},`, rule);
  if (unit !== null) {
    const meant = `as ${unitNames[unit]} it is ${whenOf(wholeMs(text, unit))}`;
    return invalid(`${read}; ${meant}. Name the unit: timeUnit=${unit}.`);
  }
  if (timeMs < rowTimeMsMin || timeMs > rowTimeMsMax)
    return invalid(`${read}, and no unit makes it a time of the years 1990 to ten years ahead.`);
  if (timeMs > rule.latestMs) return tooUnlikely(`${read},`);
  return invalid(
    `${read}, before 1990. If that is meant, send timeUnit=ms or ISO-8601 such as 1985-06-21T10:00:00Z.`,
  );
}

/**
 * The one unit that puts it between 1990 and ten years ahead: each is a thousand times the next.
 */
function readAnyUnit(text: string, column: string, rule: TimeRule): number {
  const unit = unitBetween(text, rule);
  if (unit !== null) {
    const timeMs = wholeMs(text, unit);
    if (isAhead(timeMs, rule)) throw tooFarAhead(`${name(column)} is ${text},`, rule);
    rule.forms?.note(unit);
    return timeMs;
  }
  throw invalid(
    `${name(column)} is ${quote(new NumberText(text))}, which no unit puts between 1990 and ten years ahead: name it (timeUnit=s, ms, us or ns) instead of timeUnit=auto.`,
  );
}

function whenOf(timeMs: number): string {
  if (timeMs > rowTimeMsMax) return "after the year 9999";
  return timeMs < rowTimeMsMin ? "before the year 1" : new Date(timeMs).toISOString();
}

/** `shown`: the text as it was sent. */
function checkRange(timeMs: number, shown: string, column: string, rule: TimeRule): number {
  if (timeMs < rowTimeMsMin || timeMs > rowTimeMsMax)
    throw invalid(`${name(column)} is ${shown}, outside of the years 1 to 9999.`);
  if (isAhead(timeMs, rule)) throw tooFarAhead(`${name(column)} is ${shown},`, rule);
  if (timeMs > latestOf(rule)) throw tooUnlikely(`${name(column)} is ${shown},`);
  return timeMs;
}

/** Whether it would be accepted if it were not so far in the future. */
const isAhead = (timeMs: number, rule: TimeRule): boolean =>
  timeMs > rule.futureMs && timeMs <= (namesUnit(rule) ? rowTimeMsMax : rule.latestMs);

function tooFarAhead(read: string, { futureMs, receivedMs }: TimeRule): RowRejected {
  const clockMs = receivedMs ?? futureMs;
  const seconds = Math.round((futureMs - clockMs) / 1_000);
  return invalid(
    `${read} more than ${seconds} s ahead of the server's clock, which was ${whenOf(clockMs)} (--future-max).`,
  );
}

function tooUnlikely(read: string): RowRejected {
  return invalid(
    `${read} more than ten years ahead of the server's clock. If that is meant, send timeUnit=ms.`,
  );
}

function readIso(text: string, column: string, rule: TimeRule): number {
  const match = isoPattern.exec(text);
  if (match === null) {
    throw invalid(
      `${name(column)} is ${quote(text)}; write integer milliseconds or ISO-8601 such as 2025-06-21T10:00:00Z.`,
    );
  }
  const zone = match[9];
  if (zone === undefined && rule.zone === null) {
    throw invalid(
      `${name(column)} is ${quote(text)} without a time zone; add Z or an offset such as +02:00, or name the zone of all such times with timeZone=Europe/Berlin.`,
    );
  }
  const year = Number(match[1]);
  const month = Number(match[3]);
  const day = Number(match[4]);
  const hour = Number(match[5] ?? 0);
  const minute = Number(match[6] ?? 0);
  const second = Number(match[7] ?? 0);
  const exists =
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysOf(year, month) &&
    hour <= 23 &&
    minute <= 59;
  const offsetMinutes = zone === undefined ? 0 : readZone(zone);
  if (!exists || second > 60 || offsetMinutes === null)
    throw invalid(`${name(column)} is ${quote(text)}, which is not in the calendar.`);
  const writtenMs =
    dayStartMs(year, month, day) + ((hour * 60 + minute - offsetMinutes) * 60 + second) * 1_000;
  const secondMs = zone === undefined ? readLocal(writtenMs, text, column, rule) : writtenMs;
  if (zone !== undefined) rule.forms?.note("text");
  const fractionMs = match[8] === undefined ? 0 : Number(match[8].slice(0, 3).padEnd(3, "0"));
  if (second < 60) return checkRange(secondMs + fractionMs, quote(text), column, rule);
  if (!isLeapSecondEnd(secondMs)) {
    throw invalid(
      `${name(column)} is ${quote(text)}: there was no leap second then. Leap seconds are 23:59:60 UTC on 27 days from 1972-06-30 to 2016-12-31.`,
    );
  }
  // Unix time has no number for a leap second: all of it counts as the following midnight, so that
  // the order is kept.
  return checkRange(secondMs, quote(text), column, rule);
}

/**
 * The moment at which clocks of the request's zone showed `localMs`. A time that they never showed
 * is refused: the zone is wrong.
 */
function readLocal(localMs: number, text: string, column: string, rule: TimeRule): number {
  const zone = rule.zone ?? "UTC";
  const found: LocalInstant | null = instantOf(zone, localMs);
  if (found === null)
    throw invalid(
      `${name(column)} is ${quote(text)}, a time that ${zone} did not have: clocks went forward past it. Name the zone that it was written in with timeZone=.`,
    );
  rule.forms?.note("local", found);
  return found.timeMs;
}

function invalid(detail: string): RowRejected {
  return new RowRejected("time-invalid", detail);
}

function dayStartMs(year: number, month: number, day: number): number {
  if (year >= 100) return Date.UTC(year, month - 1, day);
  // Date.UTC reads the years 0 to 99 as 1900 to 1999; 400 years have always the same number of
  // days.
  return Date.UTC(year + 400, month - 1, day) - 12_622_780_800_000;
}

function daysOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function readZone(zone: string): number | null {
  if (zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || 0);
  if (hours > 23 || minutes > 59) return null;
  return (zone.charCodeAt(0) === 0x2d ? -1 : 1) * (hours * 60 + minutes);
}

function name(column: string): string {
  return `\`${column.slice(0, 100)}\``;
}
