import { selectLargest } from "../base/selectLargest.js";
import type { FinishOrder, FinishPlan } from "../plan/finishPlan.js";
import type { ResolvedQuery } from "../plan/resolvedQuery.js";
import type { SplitQuery } from "../plan/splitQuery.js";
import type { LeafPart } from "./askedGroups.js";
import { GroupTable } from "./groupTable.js";
import { KeyWords } from "./keyWords.js";
import type { PartialResult, PartialSide, StateColumn } from "./partialResult.js";
import { mergeSeries, withoutTime } from "./seriesOf.js";
import { roughSum } from "./sumState.js";

/** Sums of hundreds of ranks below this are exact in an f64. */
const rankMax = 2 ** 45;

/**
 * The parts to merge when their cuts have left out nothing that is shown, else null. A group that a leaf has cut ranks there
 * behind all that it sent. Where even so much more would not bring a group among those to be shown, whose numbers
 * are whole, nobody needs to be asked for the rest of it (Fagin's threshold).
 */
export function decidedParts(
  parts: readonly LeafPart[],
  { resolved, finish }: SplitQuery,
): readonly PartialResult[] | null {
  // Where nothing is cut nothing can lack.
  if (!parts.some(({ partial }) => partial.sides.some(({ groupsCut }) => groupsCut > 0)))
    return null;
  const stateIndex = addedRank(resolved, finish);
  if (stateIndex === null || !parts.every(({ done }) => done)) return null;
  const units = resolved.cut.bySeries ? withoutTime(resolved) : resolved;
  const keyWords = new KeyWords(units.groupBy);
  const table = new GroupTable(keyWords.width, resolved.cut.max);
  const ranked = parts.map(({ partial }) => {
    const side = resolved.cut.bySeries
      ? mergeSeries(partial.sides[0]!, resolved)
      : partial.sides[0]!;
    const words = keyWords.encode(side.keys, side.groupCount);
    const groups = new Int32Array(side.groupCount);
    for (let i = 0; i < groups.length; i++) groups[i] = table.add(words, i * keyWords.width);
    return { side, groups, ranks: ranksOf(side, stateIndex) };
  });
  const shown = resolved.cut.bySeries ? finish.series!.max : finish.limit;
  if (!areDecided(ranked, table.count, shown)) return null;
  return ranked.map(({ side }, i) =>
    withoutThose(parts[i]!.partial, table.count - side.groupCount),
  );
}

/** A part's groups by their numbers, and what each ranks by. */
interface RankedPart {
  readonly side: PartialSide;
  readonly groups: Int32Array;
  readonly ranks: Float64Array;
}

/** The state that groups are shown by, the largest first, if it is one that adds up; else null. */
function addedRank(resolved: ResolvedQuery, finish: FinishPlan): number | null {
  const [rank] = resolved.cut.ranks;
  if (resolved.sides.length !== 1 || rank?.by.kind !== "state" || !rank.desc) return null;
  const order = resolved.cut.bySeries ? finish.series?.rank : finish.orders[0];
  const { stateIndex } = rank.by;
  return order !== undefined && isOrderedBy(order, stateIndex, finish) ? stateIndex : null;
}

/** A rate is not: how much time a group covers differs. */
function isOrderedBy(
  { target, desc }: FinishOrder,
  stateIndex: number,
  finish: FinishPlan,
): boolean {
  if (target.kind !== "aggregate" || target.part !== "main" || !desc) return false;
  const { value } = finish.aggregates[target.aggregateIndex]!;
  if (value.kind !== "count" && value.kind !== "sum") return false;
  return value.perMs === null && value.stateIndex === stateIndex;
}

/** Infinity where no value was present. */
function ranksOf({ states, groupCount }: PartialSide, stateIndex: number): Float64Array {
  const column: StateColumn = states[stateIndex]!;
  if (column.kind === "count") return column.values;
  const ranks = new Float64Array(groupCount);
  for (let i = 0; i < groupCount; i++) ranks[i] = roughSum(column, i) ?? Number.POSITIVE_INFINITY;
  return ranks;
}

function areDecided(ranked: readonly RankedPart[], groupCount: number, shown: number): boolean {
  const totals = new Float64Array(groupCount);
  /** What the leaves that did not send a group may have of it at most; none of it where they cut nothing. */
  const missing = new Float64Array(groupCount);
  const lacks = new Uint8Array(groupCount);
  /** What a group that no leaf has sent may have of all. */
  let unsent = 0;
  for (const { side, groups, ranks } of ranked) {
    // No value is no number to add, and too large a one is not exact.
    if (!ranks.every((rank) => Math.abs(rank) < rankMax)) return false;
    const most = side.groupsCut === 0 ? 0 : Math.max(0, smallest(ranks));
    const isSent = new Uint8Array(groupCount);
    for (let i = 0; i < groups.length; i++) {
      const group = groups[i]!;
      isSent[group] = 1;
      totals[group]! += ranks[i]!;
    }
    if (side.groupsCut === 0) continue;
    unsent += most;
    for (let group = 0; group < groupCount; group++) {
      if (isSent[group] === 1) continue;
      missing[group]! += most;
      lacks[group] = 1;
    }
  }
  const whole = totals.filter((_, group) => lacks[group] === 0);
  if (whole.length < shown || shown === 0) return false;
  const least = selectLargest(whole, shown);
  if (unsent >= least) return false;
  for (let group = 0; group < groupCount; group++) {
    if (lacks[group] === 1 && totals[group]! + missing[group]! >= least) return false;
  }
  return true;
}

function smallest(ranks: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < ranks.length; i++) if (ranks[i]! < least) least = ranks[i]!;
  return least;
}

/** Groups that others sent may be among those cut: at least so many others were. */
function withoutThose(partial: PartialResult, sentByOthers: number): PartialResult {
  const sides = partial.sides.map((side) => ({
    ...side,
    groupsCut: Math.max(0, side.groupsCut - sentByOthers),
  }));
  return { ...partial, sides };
}
