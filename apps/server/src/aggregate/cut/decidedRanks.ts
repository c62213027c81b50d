import { selectLargest } from "../../base/number/selectLargest.js";
import type { PartialSide } from "../partial/partialResult.js";

/** Sums of hundreds of ranks below this are exact in an f64. */
export const rankMax = 2 ** 45;

/** A part's groups (series) by their numbers, and what each ranks by. */
export interface RankedPart {
  readonly side: PartialSide;
  /** The number of each group of the side (of a point: that of its series). */
  readonly numbers: Int32Array;
  readonly groups: Int32Array;
  readonly ranks: Float64Array;
}

/** What groups come to, the largest first. */
export interface DecidedRanks {
  /** 1: the group may be among those to be shown. */
  readonly mayBeShown: Uint8Array;
  /** 1: a leaf may have cut its part of the group. Of groups that cannot be shown it may be unsaid unless it is asked for. */
  readonly lacks: Uint8Array;
  /** Whether one that may be shown lacks a part. */
  readonly isOpen: boolean;
  /** Whether no group that all leaves left out could be shown. */
  readonly unsentIsLess: boolean;
}

export interface DecideOptions {
  /** How many are shown. */
  readonly shown: number;
  /** Whether rows only ever add. */
  readonly grows: boolean;
  /** 1: groups that are to be looked at whatever they come to. */
  readonly mayOverflow: Uint8Array;
  /** The time bucket of each group; null where no leaf says what it has cut of which. */
  readonly bucketOf: Int32Array | null;
  /** Whether it is to be said of all groups whether they lack a part. */
  readonly toldOfAll: boolean;
}

/** What `groupCount` groups come to with what leaves may have cut of them. Null where too few are known well enough to say what is shown. */
export function decideRanks(
  ranked: readonly RankedPart[],
  groupCount: number,
  options: DecideOptions,
): DecidedRanks | null {
  const { shown, grows, mayOverflow, bucketOf, toldOfAll } = options;
  const known = new Float64Array(groupCount);
  const cuts: Cut[] = [];
  for (const part of ranked) {
    const range = rangeOf(part.ranks);
    // No value is no number to add, and too large a one is not exact.
    if (!(range.largest < rankMax && range.smallest > -rankMax)) return null;
    if (part.side.groupsCut > 0) cuts.push(cutOf(part, range.smallest, bucketOf));
    addRanks(known, part);
  }
  const unsent = cuts.reduce((sum, { most }) => sum + most, 0);
  // Of each group some leaf has sent its part.
  const sent = cuts.length === ranked.length ? Math.min(...cuts.map(({ most }) => most)) : 0;
  const bound = unsent - sent;
  const lacks = new Uint8Array(groupCount);
  let least = grows ? leastShown(known, null, shown) : null;
  if (grows && least === null) return null;
  // Where the least that is shown is known, most groups are far below it, and no more need be known of them.
  const near =
    least === null || toldOfAll ? allOf(groupCount) : groupsFrom(known, least - bound, mayOverflow);
  const highest = highestOf(near, known, cuts, lacks);
  if (!grows) least = leastShown(known, lacks, shown);
  if (least === null) return null;
  const mayBeShown = mayOverflow.slice();
  let isOpen = false;
  for (let i = 0; i < near.length; i++) {
    const group = near[i]!;
    if (highest[i]! >= least) mayBeShown[group] = 1;
    isOpen ||= mayBeShown[group] === 1 && lacks[group] === 1;
  }
  return { mayBeShown, lacks, isOpen, unsentIsLess: unsent < least };
}

/** What a leaf may have at most of groups that it did not send: it cut what ranks behind all that it sent. */
interface Cut {
  readonly part: RankedPart;
  readonly most: number;
  /** By time buckets, `most` at most, and below 0 where it has nothing of one; null: `most` of each. */
  readonly ofBuckets: { readonly bucketOf: Int32Array; readonly ranks: Float64Array } | null;
}

function cutOf(part: RankedPart, smallest: number, bucketOf: Int32Array | null): Cut {
  const ranks = part.side.cutRanks;
  const ofBuckets = bucketOf === null || ranks === undefined ? null : { bucketOf, ranks };
  return { part, most: Math.max(0, smallest), ofBuckets };
}

function addRanks(known: Float64Array, { groups, ranks }: RankedPart): void {
  for (let i = 0; i < groups.length; i++) known[groups[i]!]! += ranks[i]!;
}

function allOf(groupCount: number): Uint32Array {
  const all = new Uint32Array(groupCount);
  for (let group = 0; group < groupCount; group++) all[group] = group;
  return all;
}

/** Groups that come to so much at least, or are looked at anyway. */
function groupsFrom(known: Float64Array, least: number, anyway: Uint8Array): Uint32Array {
  const found = new Uint32Array(known.length);
  let used = 0;
  for (let group = 0; group < known.length; group++) {
    if (known[group]! >= least || anyway[group] === 1) found[used++] = group;
  }
  return found.subarray(0, used);
}

/** The most that each of these groups may come to; marks those that lack a part. */
function highestOf(
  groups: Uint32Array,
  known: Float64Array,
  cuts: readonly Cut[],
  lacks: Uint8Array,
): Float64Array {
  const highest = new Float64Array(groups.length);
  for (let i = 0; i < groups.length; i++) highest[i] = known[groups[i]!]!;
  for (const { part, most, ofBuckets } of cuts) {
    const isSent = new Uint8Array(known.length);
    for (let i = 0; i < part.groups.length; i++) isSent[part.groups[i]!] = 1;
    for (let i = 0; i < groups.length; i++) {
      const group = groups[i]!;
      if (isSent[group] === 1) continue;
      const rest = ofBuckets === null ? most : ofBuckets.ranks[ofBuckets.bucketOf[group]!]!;
      // It has nothing of that time.
      if (rest < 0) continue;
      highest[i]! += rest;
      lacks[group] = 1;
    }
  }
  return highest;
}

/** So many groups come to this or more: of all by what is known, or of those that lack nothing. Null where these are too few. */
function leastShown(known: Float64Array, lacks: Uint8Array | null, shown: number): number | null {
  const complete = lacks === null ? known.slice() : known.filter((_, group) => lacks[group] === 0);
  return complete.length < shown || shown === 0 ? null : selectLargest(complete, shown);
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
