import type { Result } from "@hadal/sdk";
import type { LeafPart } from "../aggregate/askedGroups.js";
import { addedRank, ranksOf } from "../aggregate/decidedParts.js";
import type { SplitQuery } from "../plan/splitQuery.js";
import type { CompletedParts } from "./completeGroups.js";

/**
 * The answer of a top list, with the greatest value that a group could have which it does not show (O11):
 * of those that leaves sent none has more than the last row; one that none of them sent has on each leaf
 * at most what the last has that the leaf did send.
 */
export function withUnseenMax(
  result: Result,
  { isDecided, areLeftOut }: CompletedParts,
  first: readonly LeafPart[],
  split: SplitQuery,
): Result {
  const { truncated, rows } = result;
  const last = rows.at(-1);
  if (truncated?.groups === undefined || last === undefined || areLeftOut) return result;
  const stateIndex = addedRank(split.resolved, split.finish);
  if (stateIndex === null || split.resolved.cut.bySeries) return result;
  const cell = last[shownIndex(result, split)];
  if (cell === null || cell === undefined) return result;
  const lastShown = Number(cell);
  const unsent = isDecided ? 0 : unsentMax(first, stateIndex, decimalsOf(split, stateIndex));
  if (unsent === null) return result;
  return { ...result, truncated: { ...truncated, unseenMax: Math.max(lastShown, unsent) } };
}

/** Null where a leaf that is not done may have cut anything. */
function unsentMax(
  first: readonly LeafPart[],
  stateIndex: number,
  decimals: number,
): number | null {
  let most = 0;
  for (const { partial, done } of first) {
    const [side] = partial.sides;
    if (side === undefined || side.groupsCut === 0) continue;
    if (!done) return null;
    let least = Number.POSITIVE_INFINITY;
    for (const rank of ranksOf(side.states[stateIndex]!)) if (rank < least) least = rank;
    if (!Number.isFinite(least)) return null;
    most += Math.max(0, least);
  }
  return most / 10 ** decimals;
}

function decimalsOf({ resolved }: SplitQuery, stateIndex: number): number {
  const spec = resolved.states[stateIndex]!;
  return spec.kind === "sum" ? spec.decimals : 0;
}

/** The column of the number that the rows are ordered by. */
function shownIndex({ columns }: Result, { finish }: SplitQuery): number {
  const target = finish.orders[0]?.target;
  if (target?.kind !== "aggregate") return -1;
  const { name } = finish.aggregates[target.aggregateIndex]!;
  return columns.findIndex((column) => column.role === "aggregate" && column.name === name);
}
