import { durationMs, HadalError, parseDuration, resolveTimeRange } from "@hadal/sdk";
import type { ExploreState } from "./exploreState.js";

/** Whether the table has rows of all the times of side B, of a part of them, or of none. */
export type Reach = "all" | "part" | "none";

/** What was never stored, or has expired, is no change: how far back side B may look. */
export function compareReach(
  { from, to, compare }: Pick<ExploreState, "from" | "to" | "compare">,
  oldestMs: number | null,
  nowMs: number,
): Reach {
  const offset = compare?.offset ?? null;
  if (offset === null || oldestMs === null) return "all";
  try {
    const { fromMs, toMs } = resolveTimeRange(from, to, nowMs);
    const back = offset === "previous" ? toMs - fromMs : durationMs(parseDuration(offset));
    if (toMs - back <= oldestMs) return "none";
    return fromMs - back < oldestMs ? "part" : "all";
  } catch (error) {
    // Times that cannot be read are marked where they stand.
    if (error instanceof HadalError) return "all";
    throw error;
  }
}
