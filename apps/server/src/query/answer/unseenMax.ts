import type { Result } from "@hadal/sdk";
import type { AnswerPart } from "../../aggregate/cut/askedGroups.js";
import { addedRank } from "../../aggregate/cut/decidedParts.js";
import { ranksOf } from "../../aggregate/cut/rankedParts.js";
import { numberGroups } from "../../aggregate/key/numberGroups.js";
import { seriesKeys, withoutTime } from "../../aggregate/merge/seriesOf.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import type { CompletedParts } from "../../tree/completeGroups.js";

/**
 * Adds to the answer of a top list an upper bound of the value of groups that are not shown. A group that leaves sent
 * is at most the last row. A group that no leaf sent is, on each leaf, at most the last group that the leaf sent; an aggregator says at most what it is on all of its leaves.
 */
export function withUnseenMax(
  result: Result,
  completed: CompletedParts,
  first: readonly AnswerPart[],
  split: SplitQuery,
): Result {
  const { isDecided, areLeftOut } = completed;
  const { truncated, rows } = result;
  const last = rows.at(-1);
  const { bySeries } = split.resolved.cut;
  const left = bySeries ? truncated?.series : truncated?.groups;
  if (truncated === null || left === undefined || last === undefined || areLeftOut) return result;
  const stateIndex = addedRank(split.resolved, split.finish);
  if (stateIndex === null) return result;
  if (bySeries) {
    const unseenMax = unseenSeriesMax(completed, first, split, stateIndex);
    return unseenMax === null ? result : { ...result, truncated: { ...truncated, unseenMax } };
  }
  const cell = last[shownIndex(result, split)];
  if (cell === null || cell === undefined) return result;
  const lastShown = Number(cell);
  const unsent = isDecided ? 0 : unsentMax(first, stateIndex, decimalsOf(split, stateIndex));
  if (unsent === null) return result;
  return { ...result, truncated: { ...truncated, unseenMax: Math.max(lastShown, unsent) } };
}

/** Null if a leaf is not done, since it may have cut anything. */
function unsentMax(
  first: readonly AnswerPart[],
  stateIndex: number,
  decimals: number,
): number | null {
  let most = 0;
  for (const { partial, done } of first) {
    const [side] = partial.sides;
    if (side === undefined || side.groupsCut === 0) continue;
    if (!done) return null;
    let least = side.unsentMax ?? Number.POSITIVE_INFINITY;
    if (side.unsentMax === undefined) {
      for (const rank of ranksOf(side.states[stateIndex]!)) if (rank < least) least = rank;
    }
    if (!Number.isFinite(least)) return null;
    most += Math.max(0, least);
  }
  return most / 10 ** decimals;
}

function decimalsOf({ resolved }: SplitQuery, stateIndex: number): number {
  const spec = resolved.states[stateIndex]!;
  return spec.kind === "sum" ? spec.decimals : 0;
}

/** The column that the rows are ordered by. */
function shownIndex({ columns }: Result, { finish }: SplitQuery): number {
  const target = finish.orders[0]?.target;
  if (target?.kind !== "aggregate") return -1;
  const { name } = finish.aggregates[target.aggregateIndex]!;
  return columns.findIndex((column) => column.role === "aggregate" && column.name === name);
}

/**
 * The same bound for series, over the whole range. A series that leaves sent is at most the last series that is shown. A
 * series that no leaf sent is, on each leaf that cut series, at most the smallest series that the leaf sent.
 */
function unseenSeriesMax(
  { parts, isDecided }: CompletedParts,
  first: readonly AnswerPart[],
  { resolved, finish }: SplitQuery,
  stateIndex: number,
): number | null {
  const shown = finish.series?.max ?? 0;
  const best = totalsOfSeries(parts, resolved, stateIndex).sort((a, b) => b - a);
  const cutting = first.filter(({ partial }) => partial.sides.some((side) => side.groupsCut > 0));
  if (cutting.some(({ done }) => !done)) return null;
  const unsent = cutting.map((part) =>
    Math.max(
      0,
      part.partial.sides[0]!.unsentMax ??
        totalsOfSeries([part], resolved, stateIndex).reduce(smaller, Number.POSITIVE_INFINITY),
    ),
  );
  const most = Math.max(best[shown - 1] ?? 0, isDecided ? 0 : unsent.reduce((a, b) => a + b, 0));
  return Number.isFinite(most) ? most / 10 ** decimalsOf({ resolved, finish }, stateIndex) : null;
}

const smaller = (a: number, b: number): number => Math.min(a, b);

/** The value of each series over its points; infinite if no value was present. */
function totalsOfSeries(
  parts: readonly AnswerPart[],
  resolved: SplitQuery["resolved"],
  stateIndex: number,
): Float64Array {
  const sides = parts.map(({ partial }) => partial.sides[0]!);
  const keyed = sides.map((side) => ({
    keys: seriesKeys(side.keys, resolved),
    groupCount: side.groupCount,
  }));
  const { count, numbersOf } = numberGroups(withoutTime(resolved).groupBy, keyed);
  const totals = new Float64Array(count);
  sides.forEach((side, i) => {
    const ranks = ranksOf(side.states[stateIndex]!);
    const numbers = numbersOf[i]!;
    for (let group = 0; group < numbers.length; group++) totals[numbers[group]!]! += ranks[group]!;
  });
  return totals;
}
