import type { Truncated } from "@hadal/sdk";
import type { LeafPart } from "../../aggregate/cut/askedGroups.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";

/**
 * Whether what was cut off is counted: what several leaves have cut each by itself may be the same groups or others, what
 * one leaf has cut of either side of a comparison too, and of what was cut before HAVING it is unknown what would pass. The
 * number then is that of the leaf (or side) that cut most, or of those that passed: there are so many at least.
 */
export function withAtLeast(
  truncated: Truncated | null,
  /** What leaves said first: how many of those that they have cut came later is not known of all. */
  parts: readonly Pick<LeafPart, "leafId" | "partial">[],
  { resolved, finish }: SplitQuery,
): Truncated | null {
  const isCut = parts.some(({ partial }) => partial.sides.some(({ groupsCut }) => groupsCut > 0));
  if (!isCut) return truncated;
  const isOneLeaf = new Set(parts.map(({ leafId }) => leafId)).size === 1;
  const isCounted = isOneLeaf && resolved.sides.length === 1 && finish.having.length === 0;
  if (isCounted) return truncated;
  const none: Truncated = resolved.cut.bySeries ? { series: 0 } : { groups: 0 };
  return { ...(truncated ?? none), atLeast: true };
}
