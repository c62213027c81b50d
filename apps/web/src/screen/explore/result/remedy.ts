import { HadalError, type ProblemCode, resolveTimeRange } from "@hadal/sdk";
import { usesField } from "../../../chart/view/views.js";
import { printDuration } from "../../../format/duration.js";
import type { FormQuery } from "../../../panel/formQuery.js";
import { coarseBucketMs } from "../../../query/group/bucket.js";
import type { ExploreState } from "../../../query/state/exploreState.js";
import type { Remedy } from "../../../ui/page/ProblemPanel.js";
import { pressControl } from "../keyTargets.js";

const tooLarge: readonly ProblemCode[] = ["query-memory", "too-many-groups", "too-many-buckets"];

/** What one click can do about a problem. */
export function remedyOf(
  problem: HadalError,
  explore: Pick<FormQuery, "state" | "timeZone" | "dispatch" | "faultAt">,
): Remedy | null {
  if (problem.code === "unknown-table") {
    return { label: "Choose a table", apply: () => pressControl("table-picker") };
  }
  return withoutFilter(explore) ?? longerBuckets(problem, explore);
}

/** Turns off the first filter with an error. */
function withoutFilter({
  state,
  dispatch,
  faultAt,
}: Pick<FormQuery, "state" | "dispatch" | "faultAt">): Remedy | null {
  const index = state.filters.findIndex(({ off }, at) => !off && faultAt(`filter ${at}`) !== null);
  if (index < 0) return null;
  return {
    label: "Run without this filter",
    apply: () => dispatch({ kind: "switch filter", index, off: true }),
  };
}

/** Fewer, longer time buckets need less memory. */
function longerBuckets(
  problem: HadalError,
  { state, timeZone, dispatch }: Pick<FormQuery, "state" | "timeZone" | "dispatch">,
): Remedy | null {
  if (!tooLarge.includes(problem.code) || !usesField(state.view, "bucket")) return null;
  const bucket = coarserBucket(state, Date.now(), timeZone);
  if (bucket === null || bucket === state.bucket) return null;
  return {
    label: `Use time buckets of ${bucket}`,
    apply: () => dispatch({ kind: "set bucket", bucket }),
  };
}

function coarserBucket(state: ExploreState, nowMs: number, timeZone: string): string | null {
  try {
    const { fromMs, toMs } = resolveTimeRange(state.from, state.to, nowMs, timeZone);
    return printDuration(coarseBucketMs(toMs - fromMs));
  } catch (error) {
    if (error instanceof HadalError) return null;
    throw error;
  }
}
