import { selectLargest } from "../base/selectLargest.js";
import type { FinishOrder, FinishPlan } from "../plan/finishPlan.js";
import type { ResolvedQuery } from "../plan/resolvedQuery.js";
import type { SplitQuery } from "../plan/splitQuery.js";
import { createQuestion, type LeafPart, type SecondQuestion } from "./askedGroups.js";
import type { NumberedGroups } from "./numberedGroups.js";
import { numberGroups } from "./numberGroups.js";
import type { PartialResult, PartialSide, StateColumn } from "./partialResult.js";
import { seriesKeys, withoutTime } from "./seriesOf.js";
import { roughSums } from "./sumState.js";
import { takeGroups } from "./takeGroups.js";

/** Sums whose high words stay below this do not overflow, hundreds of them together. */
const highMax = 2 ** 21;
/** Sums of hundreds of ranks below this are exact in an f64. */
const rankMax = 2 ** 45;

/** What the first answers decide. */
export interface DecidedParts {
  /** The parts to merge, aligned with the answers. */
  readonly parts: readonly PartialResult[];
  /** What of them has to be asked for again; null: nothing that could be shown lacks a part. */
  readonly question: SecondQuestion | null;
  /**
   * Series among the parts that lack a part and are not asked for, since others rank before them: they have to be left out
   * where a leaf does not answer the question, for then some of those others are. Null: there are none.
   */
  readonly unasked: SecondQuestion | null;
  /** Whether no group that nobody sent could be shown. */
  readonly unsentIsLess: boolean;
}

/**
 * What is to be merged and what is still to be asked for; null where the cuts bound nothing. A group that a leaf has cut
 * ranks there behind all that it sent. Where even so much more would not bring a group among those to be shown, nobody needs to
 * be asked for the rest of it (Fagin's threshold), and it need not be merged. What is to be shown has at least what the best
 * have whose numbers are whole; where rows only ever add, at least what the best have by what is known of them.
 */
export function decideParts(
  parts: readonly LeafPart[],
  { resolved, finish }: SplitQuery,
): DecidedParts | null {
  // Where nothing is cut nothing can lack.
  if (!parts.some(({ partial }) => partial.sides.some(({ groupsCut }) => groupsCut > 0)))
    return null;
  const stateIndex = addedRank(resolved, finish);
  if (stateIndex === null || !parts.every(({ done }) => done)) return null;
  const { bySeries } = resolved.cut;
  const sides = parts.map(({ partial }) => partial.sides[0]!);
  const keyed = sides.map((side) => ({
    keys: bySeries ? seriesKeys(side.keys, resolved) : side.keys,
    groupCount: side.groupCount,
  }));
  const numbered = numberGroups((bySeries ? withoutTime(resolved) : resolved).groupBy, keyed);
  const rank = bySeries ? rankSeries : rankGroups;
  const ranked = sides.map((side, i) =>
    rank(side, side.states[stateIndex]!, numbered.numbersOf[i]!, numbered.count),
  );
  const grows = parts.every(({ partial }) => isGrowing(partial, stateIndex));
  const shown = bySeries ? finish.series!.max : finish.limit;
  const bucketOf = bySeries ? null : bucketsOf(ranked, numbered.count, resolved);
  const standing = decide(ranked, numbered.count, bucketOf, shown, grows);
  if (standing === null) return null;
  const isKept = keptGroups(ranked, standing);
  const isAsked = standing.lacks.map((lacks, group) => lacks & isKept[group]!);
  const ask = (groups: Uint8Array) => askFor(groups, parts, ranked, numbered);
  return {
    question: standing.isOpen || isAsked.includes(1) ? ask(isAsked) : null,
    unasked: bySeries ? ask(standing.lacks.map((lacks, group) => lacks & ~isKept[group]!)) : null,
    unsentIsLess: standing.unsentIsLess,
    parts: bySeries ? seriesParts(ranked, numbered.count) : keptParts(ranked, isKept, resolved),
  };
}

/** A part's groups (series) by their numbers, and what each ranks by. */
interface RankedPart {
  readonly side: PartialSide;
  /** The number of each group of the side (of a point: that of its series). */
  readonly numbers: Int32Array;
  readonly groups: Int32Array;
  readonly ranks: Float64Array;
}

/** Asks leaves for what they have cut of these. */
function askFor(
  isAsked: Uint8Array,
  parts: readonly LeafPart[],
  ranked: readonly RankedPart[],
  numbered: NumberedGroups,
): SecondQuestion {
  const sentBy = new Map(parts.map(({ leafId }, i) => [leafId, [ranked[i]!.groups]]));
  const whole = new Set(
    parts.flatMap(({ leafId, partial }) => (partial.sides[0]!.groupsCut === 0 ? leafId : [])),
  );
  return createQuestion(numbered, sentBy, whole, isAsked);
}

/** How many groups a part has cut that nobody sent: those that others sent may be among those it has cut. */
function cutBy({ side, groups }: RankedPart, count: number): number {
  return Math.max(0, side.groupsCut - (count - groups.length));
}

/** Series stay as they are: their points are many, and only those shown are looked at again. */
function seriesParts(ranked: readonly RankedPart[], count: number): PartialResult[] {
  return ranked.map((part) => ({
    sides: [{ ...part.side, groupsCut: cutBy(part, count) }],
    sample: null,
  }));
}

/** 1: groups that may be shown; and those whose sums could overflow, which ends the query whatever is shown. */
function keptGroups(ranked: readonly RankedPart[], { highest, least }: Standing): Uint8Array {
  const isKept = new Uint8Array(highest.length);
  for (let group = 0; group < isKept.length; group++) {
    isKept[group] = highest[group]! >= least ? 1 : 0;
  }
  for (const { side, numbers } of ranked) {
    for (const state of side.states) {
      if (state.kind !== "sum") continue;
      for (let i = 0; i < numbers.length; i++) {
        if (!(Math.abs(state.hi[i]!) < highMax)) isKept[numbers[i]!] = 1;
      }
    }
  }
  return isKept;
}

function keptParts(
  ranked: readonly RankedPart[],
  isKept: Uint8Array,
  resolved: ResolvedQuery,
): PartialResult[] {
  let keptCount = 0;
  for (let group = 0; group < isKept.length; group++) keptCount += isKept[group]!;
  const cut = Math.max(...ranked.map((part) => cutBy(part, isKept.length)));
  const groupsCut = isKept.length - keptCount + cut;
  return ranked.map(({ side, groups }) => {
    const kept = new Uint32Array(groups.length);
    let used = 0;
    for (let i = 0; i < groups.length; i++) if (isKept[groups[i]!] === 1) kept[used++] = i;
    const taken = takeGroups(side, kept.subarray(0, used), resolved);
    return { sides: [{ ...taken, groupsCut }], sample: null };
  });
}

/** The state that groups are shown by, the largest first, if it is one that adds up; else null. */
export function addedRank(resolved: ResolvedQuery, finish: FinishPlan): number | null {
  // Which of the best are shown is not decided by their rank alone.
  if (finish.having.length > 0) return null;
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

/** Rows that are only counted add to every group that they are in. */
function isGrowing({ sides, grows }: PartialResult, stateIndex: number): boolean {
  return grows === true || sides[0]!.states[stateIndex]!.kind === "count";
}

/** Infinity where no value was present. */
function rankGroups(side: PartialSide, column: StateColumn, groups: Int32Array): RankedPart {
  return { side, numbers: groups, groups, ranks: ranksOf(column) };
}

export function ranksOf(column: StateColumn): Float64Array {
  return column.kind === "count" ? column.values : roughSums(column);
}

/** Series by the sums of their points. */
function rankSeries(
  side: PartialSide,
  column: StateColumn,
  seriesOf: Int32Array,
  count: number,
): RankedPart {
  const points = ranksOf(column);
  const totals = new Float64Array(count).fill(Number.NaN);
  let seriesCount = 0;
  for (let i = 0; i < points.length; i++) {
    const series = seriesOf[i]!;
    if (Number.isNaN(totals[series])) {
      totals[series] = 0;
      seriesCount++;
    }
    // What is no number to add makes all of it none.
    totals[series]! += Math.abs(points[i]!) < rankMax ? points[i]! : Number.POSITIVE_INFINITY;
  }
  const groups = new Int32Array(seriesCount);
  let used = 0;
  for (let series = 0; series < count; series++) {
    if (!Number.isNaN(totals[series])) groups[used++] = series;
  }
  const ranks = new Float64Array(seriesCount);
  for (let i = 0; i < ranks.length; i++) ranks[i] = totals[groups[i]!]!;
  return { side, numbers: seriesOf, groups, ranks };
}

/** What groups come to. */
interface Standing {
  /** 1: a leaf may have cut its part of the group. */
  readonly lacks: Uint8Array;
  /** The most that each may come to; what it comes to where nothing lacks. */
  readonly highest: Float64Array;
  /** The least of what is shown, or less. */
  readonly least: number;
  /** Whether a group that lacks a part, or that nobody sent, might be shown. */
  readonly isOpen: boolean;
  readonly unsentIsLess: boolean;
}

/** Null where too few groups are known well enough to say what is shown. */
function decide(
  ranked: readonly RankedPart[],
  groupCount: number,
  bucketOf: Int32Array | null,
  shown: number,
  grows: boolean,
): Standing | null {
  const known = new Float64Array(groupCount);
  for (const { groups, ranks } of ranked) {
    // No value is no number to add, and too large a one is not exact.
    const range = rangeOf(ranks);
    if (!(range.largest < rankMax && range.smallest > -rankMax)) return null;
    for (let i = 0; i < groups.length; i++) known[groups[i]!]! += ranks[i]!;
  }
  const { highest, lacks, unsent } = addUnsent(ranked, known, bucketOf);
  const least = leastShown(known, grows ? null : lacks, shown);
  if (least === null) return null;
  const unsentIsLess = unsent < least;
  let isOpen = !unsentIsLess;
  for (let group = 0; group < groupCount && !isOpen; group++) {
    isOpen = lacks[group] === 1 && highest[group]! >= least;
  }
  return { lacks, highest, least, isOpen, unsentIsLess };
}

/** The time bucket of each group; null where no leaf says what it has cut of which. */
function bucketsOf(
  ranked: readonly RankedPart[],
  count: number,
  { groupBy }: ResolvedQuery,
): Int32Array | null {
  if (ranked.every(({ side }) => side.cutRanks === undefined)) return null;
  const time = groupBy.findIndex(({ kind }) => kind === "time");
  const bucketOf = new Int32Array(count);
  for (const { side, groups } of ranked) {
    const key = side.keys[time];
    if (key?.kind !== "bucket") return null;
    for (let i = 0; i < groups.length; i++) bucketOf[groups[i]!] = key.indexes[i]!;
  }
  return bucketOf;
}

/** What groups may come to with what leaves have cut of them; `unsent`: one that no leaf has sent. */
function addUnsent(
  ranked: readonly RankedPart[],
  known: Float64Array,
  bucketOf: Int32Array | null,
): { readonly highest: Float64Array; readonly lacks: Uint8Array; readonly unsent: number } {
  const highest = known.slice();
  const lacks = new Uint8Array(known.length);
  let unsent = 0;
  for (const { side, groups, ranks } of ranked) {
    const { groupsCut, cutRanks } = side;
    if (groupsCut === 0) continue;
    // What the leaf may have at most of a group that it did not send.
    const most = Math.max(0, rangeOf(ranks).smallest);
    unsent += most;
    const isSent = new Uint8Array(known.length);
    for (let i = 0; i < groups.length; i++) isSent[groups[i]!] = 1;
    for (let group = 0; group < isSent.length; group++) {
      if (isSent[group] === 1) continue;
      const rest = (bucketOf === null ? undefined : cutRanks?.[bucketOf[group]!]) ?? most;
      // It has nothing of that time.
      if (rest < 0) continue;
      highest[group]! += rest;
      lacks[group] = 1;
    }
  }
  return { highest, lacks, unsent };
}

/** So many groups come to this or more: of all by what is known, or of those that lack nothing. Null where these are too few. */
function leastShown(known: Float64Array, lacks: Uint8Array | null, shown: number): number | null {
  const told = lacks === null ? known.slice() : known.filter((_, group) => lacks[group] === 0);
  return told.length < shown || shown === 0 ? null : selectLargest(told, shown);
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
