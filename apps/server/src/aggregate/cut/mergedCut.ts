import type { Steps } from "../../base/schedule/steps.js";
import { edgesOfBuckets } from "../../plan/bucket/timeBuckets.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { NumberedGroups } from "../key/numberedGroups.js";
import { numberSteps } from "../key/numberGroups.js";
import { seriesKeys, withoutTime } from "../merge/seriesOf.js";
import type { PartialResult, PartialSide } from "../partial/partialResult.js";
import { type AnswerPart, createQuestion, type SecondQuestion } from "./askedGroups.js";
import { cutSteps } from "./cutGroups.js";
import { addRanks, type Cut, cutOf, highestOf, rangeOf } from "./decidedRanks.js";
import { bucketsOf, type RankedPart, rankGroups, rankMax, rankSeries } from "./rankedParts.js";

/** The best groups of several senders, before those are asked for what they cut. */
export interface MergedCut {
  readonly kept: PartialResult;
  /** The parts of these groups that senders cut; null: nothing is missing. */
  readonly question: SecondQuestion | null;
  /** Of all groups that are not kept; null: the smallest value that is kept is their bound, or none is known. */
  readonly bounds: Pick<PartialSide, "cutRanks" | "unsentMax"> | null;
}

/**
 * Cuts the merged answer of several senders to its best groups, as a leaf does (S73). Each sender may
 * have cut a group that another sent, so the groups that are dropped here, and those that none sent,
 * have no value above `bounds`: what is known of them and the bound of each sender that may have
 * cut its part. `merged`: the parts, which are all done, merged.
 */
export function* mergedCutSteps(
  parts: readonly AnswerPart[],
  merged: PartialResult,
  resolved: ResolvedQuery,
): Steps<MergedCut> {
  const kept = yield* cutSteps(merged, resolved);
  const isCut = ({ partial }: AnswerPart): boolean =>
    partial.sides.some(({ groupsCut }) => groupsCut > 0);
  if (!parts.some(isCut)) return { kept, question: null, bounds: null };
  const { bySeries } = resolved.cut;
  const sides = [...kept.sides, ...parts.flatMap(({ partial }) => partial.sides)];
  const keyed = sides.map((side) => ({
    keys: bySeries ? seriesKeys(side.keys, resolved) : side.keys,
    groupCount: side.groupCount,
  }));
  const { groupBy } = bySeries ? withoutTime(resolved) : resolved;
  const numbered = yield* numberSteps(groupBy, keyed);
  const sideCount = resolved.sides.length;
  const isKept = markGroups(numbered, 0, sideCount);
  const sentBy = new Map(
    parts.map(({ partId }, i) => {
      const from = (i + 1) * sideCount;
      return [partId, numbered.numbersOf.slice(from, from + sideCount)] as const;
    }),
  );
  const whole = new Set(parts.flatMap((part) => (isCut(part) ? [] : [part.partId])));
  const question = createQuestion(numbered, sentBy, whole, isKept);
  const isLacking = parts.some(({ partId }) => question.of(partId).groupCount > 0);
  return {
    kept,
    question: isLacking ? question : null,
    bounds: boundsOf(parts, numbered, isKept, resolved),
  };
}

function markGroups(numbered: NumberedGroups, from: number, to: number): Uint8Array {
  const isMarked = new Uint8Array(numbered.count);
  for (const numbers of numbered.numbersOf.slice(from, to)) {
    for (let i = 0; i < numbers.length; i++) isMarked[numbers[i]!] = 1;
  }
  return isMarked;
}

function boundsOf(
  parts: readonly AnswerPart[],
  numbered: NumberedGroups,
  isKept: Uint8Array,
  resolved: ResolvedQuery,
): MergedCut["bounds"] {
  const [rank] = resolved.cut.ranks;
  if (resolved.sides.length > 1 || rank?.by.kind !== "state" || !rank.desc) return null;
  const { stateIndex } = rank.by;
  const { bySeries } = resolved.cut;
  const order = bySeries ? rankSeries : rankGroups;
  const ranked = parts.map(({ partial }, i): RankedPart => {
    const side = partial.sides[0]!;
    return order(side, side.states[stateIndex]!, numbered.numbersOf[i + 1]!, numbered.count);
  });
  const bucketOf = bySeries ? null : bucketsOf(ranked, numbered.count, resolved);
  const known = new Float64Array(numbered.count);
  const cuts: Cut[] = [];
  for (const part of ranked) {
    const { smallest, largest } = rangeOf(part.ranks);
    if (!(largest < rankMax && smallest > -rankMax)) return { unsentMax: Infinity };
    if (part.side.groupsCut > 0) cuts.push(cutOf(part, smallest, bucketOf));
    addRanks(known, part);
  }
  const dropped = new Uint32Array(numbered.count)
    .map((_, group) => group)
    .filter((group) => isKept[group] === 0);
  const highest = highestOf(dropped, known, cuts, new Uint8Array(numbered.count));
  const unsent = cuts.reduce((sum, { most }) => sum + most, 0);
  const unsentMax = highest.reduce((most, one) => Math.max(most, one), unsent);
  if (bucketOf === null) return { unsentMax };
  return { unsentMax, cutRanks: cutRanksOf(dropped, highest, cuts, bucketOf, resolved) };
}

/** The bound by time bucket: of groups that are dropped here, and of those that no sender sent. */
function cutRanksOf(
  dropped: Uint32Array,
  highest: Float64Array,
  cuts: readonly Cut[],
  bucketOf: Int32Array,
  { sides: [side] }: ResolvedQuery,
): Float64Array {
  const bucketCount = edgesOfBuckets(side!.buckets!).length - 1;
  const cutRanks = new Float64Array(bucketCount).fill(-1);
  for (const { most, ofBuckets } of cuts) {
    for (let bucket = 0; bucket < bucketCount; bucket++) {
      const bound = ofBuckets === null ? most : ofBuckets.ranks[bucket]!;
      if (bound >= 0) cutRanks[bucket] = Math.max(0, cutRanks[bucket]!) + bound;
    }
  }
  for (let i = 0; i < dropped.length; i++) {
    const bucket = bucketOf[dropped[i]!]!;
    cutRanks[bucket] = Math.max(0, cutRanks[bucket]!, highest[i]!);
  }
  return cutRanks;
}
