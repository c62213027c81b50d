import { HadalError } from "../problem/problem.js";
import { kindOf } from "../problem/problemList.js";
import { type Duration, durationMs, parseDuration } from "./duration.js";
import { invalidTime, quoted } from "./invalidTime.js";

/**
 * Months, quarters and years have no fixed length: it depends on the calendar of a zone.
 */
export interface MonthLength {
  readonly months: number;
}

/** A length of time on a calendar, as buckets and offsets have it. */
export type CalendarLength = Duration | MonthLength;

const monthsOf: Readonly<Record<string, number>> = { mo: 1, q: 3, y: 12 };
/** Units whose length depends on the calendar. */
export const monthUnits: readonly string[] = Object.keys(monthsOf);
/** 10,000 years: the calendar of a Date goes no further. */
const monthsMax = 120_000;

/** Reads `1d`, `90s`, and `1mo`, `1q`, `1y`. Throws `time-range-invalid` when it is none. */
export function parseCalendarLength(text: string): CalendarLength {
  const match = /^(\d{1,9})(mo|q|y)$/.exec(text);
  if (match === null) return parseFixedLength(text);
  const months = Number(match[1]) * monthsOf[match[2]!]!;
  if (months <= monthsMax) return { months };
  throw new HadalError("time-range-invalid", { detail: `"${text}" is longer than calendars go.` });
}

function parseFixedLength(text: string): Duration {
  if (/^\d+(ms|s|m|h|d|w)$/.test(text)) return parseDuration(text);
  throw invalidTime(
    `${quoted(text)} is not a duration: write a number and ms, s, m, h, d, w, mo, q or y, such as 90s, 7d or 1mo.`,
  );
}

/** What is wrong with a length from outside; null when nothing is. */
export function whyInvalidCalendarLength(
  value: unknown,
): { readonly code: string; readonly detail: string } | null {
  if (typeof value !== "string") {
    const code = value === undefined ? "missing" : "type-mismatch";
    const detail = `Expected a duration such as "1m", "7d" or "1mo", found ${kindOf(value)}.`;
    return { code, detail };
  }
  try {
    const length = parseCalendarLength(value);
    if (("months" in length ? length.months : durationMs(length)) > 0) return null;
    return { code: "out-of-range", detail: "A duration must be longer than nothing." };
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return { code: "invalid-duration", detail: error.message };
  }
}
