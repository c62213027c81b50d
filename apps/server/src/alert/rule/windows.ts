import {
  findTimeZone,
  parseCalendarLength,
  resolveTime,
  resolveTimeRange,
  type TimeRange,
} from "@hadal/sdk";
import { createShift } from "../../plan/bucket/compareRange.js";
import { bucketOf, type FullRule, looksForGroups } from "./fullRule.js";

/** The usual value of an hour is that of so many weeks. */
const bandWindows = 6;

/** What a rule looks at, in milliseconds since 1970. */
export interface RuleWindows {
  readonly judged: TimeRange;
  /** What it is compared with, the latest first. */
  readonly compared: readonly TimeRange[];
}

/**
 * The windows of an evaluation. `endMs`: late rows from before it are no longer waited for. With a time bucket the
 * window is the last bucket that is over by then. Throws `time-range-invalid`.
 */
export function windowsOf(rule: FullRule, endMs: number): RuleWindows {
  const judged = judgedWindow(rule, endMs);
  return { judged, compared: comparedWindows(rule, judged) };
}

function judgedWindow({ query }: FullRule, endMs: number): TimeRange {
  const { from, to, timeZone = "UTC" } = query;
  const bucket = bucketOf(query);
  if (bucket === null) return resolveTimeRange(from, to, endMs, timeZone);
  const startOf = (atMs: number): number => resolveTime(`${atMs}/${bucket}`, atMs, timeZone);
  const toMs = startOf(endMs);
  return { fromMs: startOf(toMs - 1), toMs };
}

/** What a window is compared with, the latest first. */
export function comparedWindows(rule: FullRule, { fromMs, toMs }: TimeRange): readonly TimeRange[] {
  const { op } = rule.condition;
  if (op === "above" || op === "below") return [];
  if (op === "absent" && !rule.perGroup) return [];
  const shift = shiftOf(rule);
  // Groups are looked for in all of the time before the window.
  if (looksForGroups(rule)) return [{ fromMs: shift(fromMs), toMs: fromMs }];
  const windows: TimeRange[] = [];
  let last = { fromMs, toMs };
  for (let i = 0; i < (op === "outside-band" ? bandWindows : 1); i++) {
    last = { fromMs: shift(last.fromMs), toMs: shift(last.toMs) };
    windows.push(last);
  }
  return windows;
}

/** The same hour on the clock of the query's zone, `against` earlier. */
function shiftOf({ query, condition }: FullRule): (atMs: number) => number {
  const against = condition.against ?? (condition.op === "absent" ? "1d" : "7d");
  return createShift(parseCalendarLength(against), findTimeZone(query.timeZone ?? "UTC"));
}
