import {
  type CalendarLength,
  durationMs,
  HadalError,
  parseCalendarLength,
  resolveTimeRange,
} from "@hadal/sdk";
import { zoneOffsetMs } from "../../format/time.js";
import { instantOfLocal } from "../../format/zoned.js";
import type { ExploreState } from "../../query/state/exploreState.js";

/** Whether the table has rows for all of side B's times, for a part of them, or for none. */
export type Reach = "all" | "part" | "none";

/**
 * Whether the table reaches back to side B's times: rows that were never stored, or have expired,
 * would look like a change.
 */
export function compareReach(
  { from, to, compare }: Pick<ExploreState, "from" | "to" | "compare">,
  oldestMs: number | null,
  nowMs: number,
  timeZone: string,
): Reach {
  const offset = compare?.offset ?? null;
  if (offset === null || oldestMs === null) return "all";
  try {
    const { fromMs, toMs } = resolveTimeRange(from, to, nowMs, timeZone);
    const back = offset === "previous" ? previousOf(toMs - fromMs) : parseCalendarLength(offset);
    if (earlier(toMs, back, timeZone) <= oldestMs) return "none";
    return earlier(fromMs, back, timeZone) < oldestMs ? "part" : "all";
  } catch (error) {
    // The time fields mark times that cannot be parsed; times beyond the range of a Date are not
    // checked.
    if (error instanceof HadalError || error instanceof RangeError) return "all";
    throw error;
  }
}

const previousOf = (rangeMs: number): CalendarLength => ({ count: rangeMs, unit: "ms" });

/** Months follow the zone's calendar: same day and time. A day that the month lacks becomes its last day, as on the server. */
function earlier(timeMs: number, back: CalendarLength, timeZone: string): number {
  if (!("months" in back)) return timeMs - durationMs(back);
  const localMs = timeMs + zoneOffsetMs(timeMs, timeZone);
  const local = new Date(localMs);
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth()];
  const intoMonthMs = localMs - Date.UTC(year, month, 1);
  const startMs = Date.UTC(year, month - back.months, 1);
  const endMs = Date.UTC(year, month - back.months + 1, 1);
  return instantOfLocal(Math.min(startMs + intoMonthMs, endMs), timeZone);
}
