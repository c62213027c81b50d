import { HadalError, type ProblemCode, resolveTimeRange } from "@hadal/sdk";
import { printDuration } from "../../../format/duration.js";
import { coarseBucketMs } from "../../../query/bucket.js";
import type { ExploreState } from "../../../query/exploreState.js";
import { usesField } from "../../../query/views/registry.js";
import type { Explore } from "../explore.js";
import type { Remedy } from "./ProblemPanel.js";

const tooLarge: readonly ProblemCode[] = ["query-memory", "too-many-groups", "too-many-buckets"];

/** Too much over time: fewer, longer steps hold the same rows in less memory. */
export function remedyOf(
  problem: HadalError,
  { state, dispatch }: Pick<Explore, "state" | "dispatch">,
): Remedy | null {
  if (!tooLarge.includes(problem.code) || !usesField(state.view, "bucket")) return null;
  const bucket = coarserBucket(state, Date.now());
  if (bucket === null || bucket === state.bucket) return null;
  return {
    label: `Use steps of ${bucket}`,
    apply: () => dispatch({ kind: "set bucket", bucket }),
  };
}

function coarserBucket(state: ExploreState, nowMs: number): string | null {
  try {
    const { fromMs, toMs } = resolveTimeRange(state.from, state.to, nowMs);
    return printDuration(coarseBucketMs(toMs - fromMs));
  } catch (error) {
    if (error instanceof HadalError) return null;
    throw error;
  }
}
