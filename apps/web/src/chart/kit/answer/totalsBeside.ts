import type { Result } from "@hadal/sdk";
import { isOfSameLeaves } from "./sameLeaves.js";
import type { ChartInput } from "./series.js";
import { type GroupTotal, totalsOfResult } from "./totals.js";

/**
 * The totals of an answer that was asked beside another, by these columns; null until it has come, and where other leaves
 * answered than those of the groups that it is shown with.
 */
export function totalsBeside(
  beside: Result | undefined,
  input: ChartInput,
  groupColumns: readonly string[],
): GroupTotal[] | null {
  if (beside === undefined) return null;
  if (!isOfSameLeaves(beside.completeness, input.result.completeness)) return null;
  return totalsOfResult(beside, { ...input, groupColumns });
}
