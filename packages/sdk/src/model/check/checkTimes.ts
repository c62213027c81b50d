import { HadalError } from "../problem/problem.js";
import { type JsonObject, kindOf, type ProblemList } from "../problem/problemList.js";
import type { TimeText } from "../query.js";
import {
  hasCalendarSteps,
  isRelativeTime,
  resolveTime,
  resolveTimeRange,
} from "../time/parseTime.js";

/** Both ends of a time range: `from` and `to`. */
export function checkTimes(query: JsonObject, problems: ProblemList): void {
  const from = checkTime(query.from, "from", problems);
  const to = checkTime(query.to, "to", problems);
  // Of one that moves with the clock and one that does not, and of months, the order is known when
  // the query is resolved.
  if (from === null || to === null || isRelativeTime(from) !== isRelativeTime(to)) return;
  if (hasCalendarSteps(from) || hasCalendarSteps(to)) return;
  try {
    resolveTimeRange(from, to, 0);
  } catch (error) {
    problems.add("from", "time-range-invalid", messageOf(error));
  }
}

/** One end of a range. */
export function checkTime(value: unknown, path: string, problems: ProblemList): TimeText | null {
  if (value === undefined || value === null || value === "") {
    problems.add(
      path,
      "time-range-missing",
      `A query needs \`${path}\`: now, -3h, -1mo, 2025-06-21T10:00:00Z or milliseconds.`,
    );
    return null;
  }
  if (typeof value !== "string" && typeof value !== "number") {
    problems.add(path, "time-range-invalid", `Expected a time, found ${kindOf(value)}.`);
    return null;
  }
  try {
    resolveTime(value, 0);
    return value;
  } catch (error) {
    problems.add(path, "time-range-invalid", messageOf(error));
    return null;
  }
}

export function checkTimeZone(value: unknown, problems: ProblemList): void {
  if (value === undefined) return;
  if (typeof value !== "string" || value.length > 100) {
    problems.add(
      "timeZone",
      "type-mismatch",
      "timeZone is the name of a zone, such as Europe/Berlin.",
    );
    return;
  }
  try {
    new Intl.DateTimeFormat("en", { timeZone: value });
  } catch {
    problems.add(
      "timeZone",
      "unknown-time-zone",
      `No time zone is called "${value}"; names look like Europe/Berlin.`,
    );
  }
}

function messageOf(error: unknown): string {
  if (error instanceof HadalError) return error.message;
  throw error;
}
