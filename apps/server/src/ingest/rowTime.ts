import { allTime } from "../base/allTime.js";
import { quote, RowRejected } from "./rowRejected.js";

/** Microseconds sent for milliseconds fall outside. */
export const rowTimeMsMin = allTime.from;
export const rowTimeMsMax = allTime.to - 1;

const isoPattern =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9})\d*)?)?(?: ?(Z|z|[+-]\d\d(?::?\d\d)?))?$/;

/** Event time of a row: integer milliseconds since 1970, or ISO-8601 with zone. Throws RowRejected. */
export function readRowTime(value: unknown, column: string): number {
  if (typeof value === "number") return checkRange(value, column);
  if (typeof value === "string") return readIso(value, column);
  throw new RowRejected(
    "time-invalid",
    `${name(column)} is ${quote(value)}; it must be integer milliseconds since 1970 or an ISO-8601 text with zone.`,
  );
}

function checkRange(timeMs: number, column: string): number {
  if (!Number.isInteger(timeMs)) {
    throw new RowRejected("time-invalid", `${name(column)} is ${timeMs}, not whole milliseconds.`);
  }
  if (timeMs < rowTimeMsMin || timeMs > rowTimeMsMax) {
    throw new RowRejected(
      "time-invalid",
      `${name(column)} is ${timeMs}: as milliseconds since 1970 that is outside the years 1 to 9999.`,
    );
  }
  return timeMs;
}

function readIso(text: string, column: string): number {
  const match = isoPattern.exec(text);
  if (match === null) {
    throw new RowRejected(
      "time-invalid",
      `${name(column)} is ${quote(text)}; write integer milliseconds or ISO-8601 such as 2025-06-21T10:00:00Z.`,
    );
  }
  const zone = match[8];
  if (zone === undefined) {
    throw new RowRejected(
      "time-invalid",
      `${name(column)} is ${quote(text)} without a time zone; add Z or an offset such as +02:00.`,
    );
  }
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  const hour = Number(match[4]);
  const minute = Number(match[5]);
  // A leap second counts as the second after it, as Unix time has it.
  const second = Number(match[6] ?? 0);
  const offsetMinutes = readZone(zone);
  const exists =
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysOf(year, month) &&
    hour <= 23 &&
    minute <= 59;
  if (!exists || second > 60 || offsetMinutes === null) {
    throw new RowRejected(
      "time-invalid",
      `${name(column)} is ${quote(text)}, which is not in the calendar.`,
    );
  }
  const fractionMs = match[7] === undefined ? 0 : Number(match[7].slice(0, 3).padEnd(3, "0"));
  return checkRange(
    dayStartMs(year, month, day) +
      ((hour * 60 + minute - offsetMinutes) * 60 + second) * 1_000 +
      fractionMs,
    column,
  );
}

function dayStartMs(year: number, month: number, day: number): number {
  if (year >= 100) return Date.UTC(year, month - 1, day);
  // Date.UTC reads the years 0 to 99 as 1900 to 1999; 400 years have always the same number of days.
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
