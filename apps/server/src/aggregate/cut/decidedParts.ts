import { atOnce, type Steps } from "../../base/schedule/steps.js";
import type { FinishOrder, FinishPlan } from "../../plan/query/finishPlan.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import type { NumberedGroups } from "../key/numberedGroups.js";
import { numberSteps } from "../key/numberGroups.js";
import { seriesKeys, withoutTime } from "../merge/seriesOf.js";
import { takeGroups } from "../merge/takeGroups.js";
import type { PartialResult } from "../partial/partialResult.js";
import { type AnswerPart, createQuestion, type SecondQuestion } from "./askedGroups.js";
import { decideRanks } from "./decidedRanks.js";
import { bucketsOf, type RankedPart, rankGroups, rankSeries } from "./rankedParts.js";

/** Sums whose high words stay below this do not overflow, hundreds of them together. */
const highMax = 2 ** 21;

/** What can be decided from the first answers. */
export interface DecidedParts {
  /** The parts to merge, aligned with the answers. */
  readonly parts: readonly PartialResult[];
  /** The second question; null: no group that could be shown lacks a part. */
  readonly question: SecondQuestion | null;
  /**
   * Series that lack a part and are not asked for, since others rank before them. If a leaf does not answer the question,
   * some of those others are left out, and then these must be left out too. Null: there are none.
   */
  readonly unasked: SecondQuestion | null;
  /** Whether no group that all leaves left out could be shown. */
  readonly unsentIsLess: boolean;
}

/**
 * The parts to merge, and the second question; null if the cuts give no bound. A group that a leaf cut ranks there behind
 * all groups that it sent. If adding this bound cannot bring a group among the shown ones, its missing parts are not asked
 * for (Fagin's threshold), and it is not merged. The threshold is the `shown`-th largest value among complete groups or,
 * if rows never lower a value, among all groups.
 */
export function* decideSteps(
  parts: readonly AnswerPart[],
  { resolved, finish }: SplitQuery,
): Steps<DecidedParts | null> {
  // Without a cut no group lacks a part.
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
  const { groupBy } = bySeries ? withoutTime(resolved) : resolved;
  const numbered = yield* numberSteps(groupBy, keyed);
  const rank = bySeries ? rankSeries : rankGroups;
  const ranked = sides.map((side, i) =>
    rank(side, side.states[stateIndex]!, numbered.numbersOf[i]!, numbered.count),
  );
  const decided = decideRanks(ranked, numbered.count, {
    shown: bySeries ? finish.series!.max : finish.limit,
    grows: parts.every(({ partial }) => isGrowing(partial, stateIndex)),
    mayOverflow: overflowing(ranked, numbered.count, stateIndex),
    bucketOf: bySeries ? null : bucketsOf(ranked, numbered.count, resolved),
    marksAll: bySeries,
  });
  if (decided === null) return null;
  const { mayBeShown, lacks, isOpen, unsentIsLess } = decided;
  const ask = (isAsked: (group: number) => boolean) => {
    const marked = new Uint8Array(numbered.count);
    for (let group = 0; group < marked.length; group++) {
      if (lacks[group] === 1 && isAsked(group)) marked[group] = 1;
    }
    return askFor(marked, parts, ranked, numbered);
  };
  const isShown = (group: number): boolean => mayBeShown[group] === 1;
  return {
    question: isOpen || !unsentIsLess ? ask(isShown) : null,
    unasked: bySeries ? ask((group) => !isShown(group)) : null,
    unsentIsLess,
    parts: bySeries ? seriesParts(ranked, numbered.count) : keptParts(ranked, mayBeShown, resolved),
  };
}

export const decideParts = (parts: readonly AnswerPart[], split: SplitQuery): DecidedParts | null =>
  atOnce(decideSteps(parts, split));

/** Asks leaves for the parts of these groups that they cut. */
function askFor(
  isAsked: Uint8Array,
  parts: readonly AnswerPart[],
  ranked: readonly RankedPart[],
  numbered: NumberedGroups,
): SecondQuestion {
  const sentBy = new Map(parts.map(({ partId }, i) => [partId, [ranked[i]!.groups]]));
  const whole = new Set(
    parts.flatMap(({ partId, partial }) => (partial.sides[0]!.groupsCut === 0 ? partId : [])),
  );
  return createQuestion(numbered, sentBy, whole, isAsked);
}

/** How many groups of a part were cut that no leaf sent; groups that others sent may be among the cut ones. */
function cutBy({ side, groups }: RankedPart, count: number): number {
  return Math.max(0, side.groupsCut - (count - groups.length));
}

/** Series are not filtered: they have many points, and only the shown ones are read again. */
function seriesParts(ranked: readonly RankedPart[], count: number): PartialResult[] {
  return ranked.map((part) => ({
    sides: [{ ...part.side, groupsCut: cutBy(part, count) }],
    sample: null,
  }));
}

/** 1: a sum of the group could overflow, which ends the query even if the group is not shown. The sum that ranks is checked as a rank. */
function overflowing(ranked: readonly RankedPart[], count: number, rankIndex: number): Uint8Array {
  const isOverflowing = new Uint8Array(count);
  for (const { side, numbers } of ranked) {
    for (let index = 0; index < side.states.length; index++) {
      const state = side.states[index]!;
      if (state.kind !== "sum" || index === rankIndex) continue;
      const { hi } = state;
      for (let i = 0; i < hi.length; i++) {
        if (!(Math.abs(hi[i]!) < highMax)) isOverflowing[numbers[i]!] = 1;
      }
    }
  }
  return isOverflowing;
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

/** The state that groups are ordered by, the largest first, if it is additive; else null. */
export function addedRank(resolved: ResolvedQuery, finish: FinishPlan): number | null {
  // Which groups are shown does not depend on their rank alone.
  if (finish.having.length > 0) return null;
  const [rank] = resolved.cut.ranks;
  if (resolved.sides.length !== 1 || rank?.by.kind !== "state" || !rank.desc) return null;
  const order = resolved.cut.bySeries ? finish.series?.rank : finish.orders[0];
  const { stateIndex } = rank.by;
  return order !== undefined && isOrderedBy(order, stateIndex, finish) ? stateIndex : null;
}

/** A rate is not additive: groups cover different lengths of time. */
function isOrderedBy(
  { target, desc }: FinishOrder,
  stateIndex: number,
  finish: FinishPlan,
): boolean {
  if (target.kind !== "aggregate" || target.part !== "main" || !desc) return false;
  const { value, rankBy } = finish.aggregates[target.aggregateIndex]!;
  if (rankBy?.kind !== "state" || rankBy.stateIndex !== stateIndex) return false;
  return !("perMs" in value) || value.perMs === null;
}

/** Counts never fall when rows are added. */
function isGrowing({ sides, grows }: PartialResult, stateIndex: number): boolean {
  return grows === true || sides[0]!.states[stateIndex]!.kind === "count";
}
