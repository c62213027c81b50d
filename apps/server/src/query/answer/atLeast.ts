import type { Truncated } from "@hadal/sdk";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import type { PartAnswer } from "../../tree/partAnswer.js";

/**
 * Whether the number of groups is only a lower bound. Groups that several leaves cut, or one leaf on both sides of a
 * comparison, may be the same or different ones; of groups cut before HAVING it is unknown which would pass. The number then
 * counts the leaf (or side) that cut most, or the groups that passed.
 */
export function withAtLeast(
  truncated: Truncated | null,
  /** The first answers of leaves: how many of their cut groups arrived later is not known for all. */
  parts: readonly Pick<PartAnswer, "leaves" | "partial">[],
  { resolved, finish }: SplitQuery,
): Truncated | null {
  const isCut = parts.some(({ partial }) => partial.sides.some(({ groupsCut }) => groupsCut > 0));
  if (!isCut) return truncated;
  const isOneLeaf = parts.reduce((count, { leaves }) => count + leaves.length, 0) === 1;
  const isCounted = isOneLeaf && resolved.sides.length === 1 && finish.having.length === 0;
  if (isCounted) return truncated;
  const none: Truncated = resolved.cut.bySeries ? { series: 0 } : { groups: 0 };
  return { ...(truncated ?? none), atLeast: true };
}
