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
import { takeGroups } from "./takeGroups.js";

/** Sums whose high words stay below this do not overflow, hundreds of them together. */
const highMax = 2 ** 21;
/** Sums of hundreds of ranks below this are exact in an f64. */
const rankMax = 2 ** 45;

/**
 * The parts to merge when their cuts have left out nothing that is shown, else null. A group that a leaf has cut ranks there
 * behind all that it sent. Where even so much more would not bring a group among those to be shown, whose numbers
 * are whole, nobody needs to be asked for the rest of it (Fagin's threshold), and it need not be merged.
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
  const standing = decide(ranked, table.count, shown);
  if (standing === null) return null;
  // Groups that others sent may be among those that a leaf has cut: at least so many others were.
  const cutBy = ({ side }: RankedPart): number =>
    Math.max(0, side.groupsCut - (table.count - side.groupCount));
  if (resolved.cut.bySeries) {
    return ranked.map((part, i) => ({
      ...parts[i]!.partial,
      sides: [{ ...parts[i]!.partial.sides[0]!, groupsCut: cutBy(part) }],
    }));
  }
  const { isKept, keptCount } = keptOf(ranked, standing);
  const groupsCut = table.count - keptCount + Math.max(...ranked.map(cutBy));
  return ranked.map(({ side, groups }) => {
    const kept = new Uint32Array(groups.length);
    let used = 0;
    for (let i = 0; i < groups.length; i++) if (isKept[groups[i]!] === 1) kept[used++] = i;
    const taken = takeGroups(side, kept.subarray(0, used), resolved);
    return { sides: [{ ...taken, groupsCut }], sample: null };
  });
}

/** What groups come to, and the least of it that is shown. */
interface Standing {
  readonly totals: Float64Array;
  readonly least: number;
}

/** Groups that may be shown; and those whose sums could overflow, which ends the query whatever is shown. */
function keptOf(ranked: readonly RankedPart[], { totals, least }: Standing) {
  const isKept = new Uint8Array(totals.length);
  for (let group = 0; group < totals.length; group++)
    isKept[group] = totals[group]! >= least ? 1 : 0;
  for (const { side, groups } of ranked) {
    for (const state of side.states) {
      if (state.kind !== "sum") continue;
      for (let i = 0; i < groups.length; i++) {
        if (!(Math.abs(state.hi[i]!) < highMax)) isKept[groups[i]!] = 1;
      }
    }
  }
  let keptCount = 0;
  for (let group = 0; group < isKept.length; group++) keptCount += isKept[group]!;
  return { isKept, keptCount };
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

/** Null when a group that lacks a part might be shown. */
function decide(ranked: readonly RankedPart[], groupCount: number, shown: number): Standing | null {
  const totals = new Float64Array(groupCount);
  /** What the leaves that did not send a group may have of it at most; none of it where they cut nothing. */
  const missing = new Float64Array(groupCount);
  const lacks = new Uint8Array(groupCount);
  /** What a group that no leaf has sent may have of all. */
  let unsent = 0;
  for (const { side, groups, ranks } of ranked) {
    // No value is no number to add, and too large a one is not exact.
    const range = rangeOf(ranks);
    if (!(range.largest < rankMax && range.smallest > -rankMax)) return null;
    const most = side.groupsCut === 0 ? 0 : Math.max(0, range.smallest);
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
  const whole = new Float64Array(groupCount);
  let wholeCount = 0;
  for (let group = 0; group < groupCount; group++) {
    if (lacks[group] === 0) whole[wholeCount++] = totals[group]!;
  }
  if (wholeCount < shown || shown === 0) return null;
  const least = selectLargest(whole.subarray(0, wholeCount), shown);
  if (unsent >= least) return null;
  for (let group = 0; group < groupCount; group++) {
    if (lacks[group] === 1 && totals[group]! + missing[group]! >= least) return null;
  }
  return { totals, least };
}

function rangeOf(ranks: Float64Array): { readonly smallest: number; readonly largest: number } {
  let smallest = Number.POSITIVE_INFINITY;
  let largest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < ranks.length; i++) {
    const rank = ranks[i]!;
    if (rank < smallest) smallest = rank;
    if (rank > largest) largest = rank;
  }
  return { smallest, largest };
}
