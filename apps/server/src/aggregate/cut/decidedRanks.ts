import { selectLargest } from "../../base/number/selectLargest.js";
import { type RankedPart, rankMax } from "./rankedParts.js";

/** The values of groups, the largest first. */
export interface DecidedRanks {
  /** 1: the group may be among those to be shown. */
  readonly mayBeShown: Uint8Array;
  /** 1: a leaf may have cut its part of the group. Without `marksAll` it is set only for groups that could be shown. */
  readonly lacks: Uint8Array;
  /** Whether a group that may be shown lacks a part. */
  readonly isOpen: boolean;
  /** Whether no group that all leaves left out could be shown. */
  readonly unsentIsLess: boolean;
}

export interface DecideOptions {
  /** How many groups are shown. */
  readonly shown: number;
  /** Whether further rows never lower a value. */
  readonly grows: boolean;
  /** 1: groups that are checked whatever their value is. */
  readonly mayOverflow: Uint8Array;
  /** The time bucket of each group; null if no leaf reports its cuts per bucket. */
  readonly bucketOf: Int32Array | null;
  /** Whether `lacks` is set for all groups. */
  readonly marksAll: boolean;
}

/** Bounds the values of `groupCount` groups, including the parts that leaves may have cut. Null if too few are complete to decide which are shown. */
export function decideRanks(
  ranked: readonly RankedPart[],
  groupCount: number,
  options: DecideOptions,
): DecidedRanks | null {
  const { shown, grows, mayOverflow, bucketOf, marksAll } = options;
  const known = new Float64Array(groupCount);
  const cuts: Cut[] = [];
  for (const part of ranked) {
    const range = rangeOf(part.ranks);
    // A NaN cannot be added, and too large a value is not exact.
    if (!(range.largest < rankMax && range.smallest > -rankMax)) return null;
    if (part.side.groupsCut > 0) cuts.push(cutOf(part, range.smallest, bucketOf));
    addRanks(known, part);
  }
  if (cuts.some(({ most }) => most === Number.POSITIVE_INFINITY)) return null;
  const unsent = cuts.reduce((sum, { most }) => sum + most, 0);
  // At least one leaf has sent its part of each group.
  const sent = cuts.length === ranked.length ? Math.min(...cuts.map(({ most }) => most)) : 0;
  const bound = unsent - sent;
  const lacks = new Uint8Array(groupCount);
  let least = grows ? leastShown(known, null, shown) : null;
  if (grows && least === null) return null;
  // If the threshold is known, most groups are far below it and need no further bound.
  const near =
    least === null || marksAll ? allOf(groupCount) : groupsFrom(known, least - bound, mayOverflow);
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

/** Upper bound of a sender's part of a group that it did not send: on a leaf it ranks behind all that were sent. */
export interface Cut {
  readonly part: RankedPart;
  readonly most: number;
  /** The bound per time bucket, at most `most`; below 0: the leaf cut nothing of the bucket. Null: `most` for each. */
  readonly ofBuckets: { readonly bucketOf: Int32Array; readonly ranks: Float64Array } | null;
}

export function cutOf(part: RankedPart, smallest: number, bucketOf: Int32Array | null): Cut {
  const ranks = part.side.cutRanks;
  const ofBuckets = bucketOf === null || ranks === undefined ? null : { bucketOf, ranks };
  return { part, most: Math.max(0, part.side.unsentMax ?? smallest), ofBuckets };
}

export function addRanks(known: Float64Array, { groups, ranks }: RankedPart): void {
  for (let i = 0; i < groups.length; i++) known[groups[i]!]! += ranks[i]!;
}

function allOf(groupCount: number): Uint32Array {
  const all = new Uint32Array(groupCount);
  for (let group = 0; group < groupCount; group++) all[group] = group;
  return all;
}

/** Groups with at least this value, and groups that are checked anyway. */
function groupsFrom(known: Float64Array, least: number, anyway: Uint8Array): Uint32Array {
  const found = new Uint32Array(known.length);
  let used = 0;
  for (let group = 0; group < known.length; group++) {
    if (known[group]! >= least || anyway[group] === 1) found[used++] = group;
  }
  return found.subarray(0, used);
}

/** The largest possible value of each group; marks groups that lack a part. */
export function highestOf(
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
      // The leaf cut nothing in that bucket.
      if (rest < 0) continue;
      highest[i]! += rest;
      lacks[group] = 1;
    }
  }
  return highest;
}

/** The `shown`-th largest value, over all groups or (with `lacks`) over the complete ones. Null if there are fewer. */
function leastShown(known: Float64Array, lacks: Uint8Array | null, shown: number): number | null {
  const complete = lacks === null ? known.slice() : known.filter((_, group) => lacks[group] === 0);
  return complete.length < shown || shown === 0 ? null : selectLargest(complete, shown);
}

export function rangeOf(ranks: Float64Array): {
  readonly smallest: number;
  readonly largest: number;
} {
  let smallest = Number.POSITIVE_INFINITY;
  let largest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < ranks.length; i++) {
    const rank = ranks[i]!;
    if (rank < smallest) smallest = rank;
    if (rank > largest) largest = rank;
  }
  return { smallest, largest };
}
