import {
  bucketBounds,
  coarserBucket,
  finerBuckets,
  logLinearBucket,
  subBitsMax,
} from "@hadal/kernel-wasm";
import type { HistogramBound, HistogramBucket } from "@hadal/sdk";
import { atOnce } from "../../../base/schedule/steps.js";
import { type BucketWeights, createWeights, readWeights } from "../../partial/bucketWeights.js";
import { decimalCell, shortest } from "../../partial/decimalCell.js";
import type { StateColumn } from "../../partial/partialResult.js";
import { columnOf, expectCount, expectOffsets, type StateKind } from "../stateKind.js";
import { MergedRuns } from "./mergedRuns.js";
import { mergeHistograms } from "./mergeHistograms.js";
import {
  type HistogramColumn,
  type PackedRuns,
  plainHistogram,
  takePacked,
  totalsOf,
  weightIn,
} from "./packedRuns.js";

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

/** Weights per log-linear bucket. The coarser of two merged ones sets the fineness. */
export const histogramState: StateKind = {
  create: (groupCount): HistogramColumn => ({
    kind: "histogram",
    form: "listed",
    subBits: subBitsMax,
    offsets: new Uint32Array(groupCount + 1),
    buckets: new Int16Array(0),
    weights: new Uint8Array(0),
  }),

  merge: (inputs, groupCount) => atOnce(mergeHistograms(inputs, groupCount)),
  mergeSteps: mergeHistograms,

  take(column, groups): StateColumn {
    const own = columnOf(column, "histogram");
    if (own.form === "packed") return takePacked(own, groups);
    const from = plainHistogram(own);
    const offsets = new Uint32Array(groups.length + 1);
    for (let i = 0; i < groups.length; i++) {
      offsets[i + 1] = offsets[i]! + from.offsets[groups[i]! + 1]! - from.offsets[groups[i]!]!;
    }
    const weights = createWeights(from.weights.BYTES_PER_ELEMENT, offsets[groups.length]!);
    const isRuns = from.form === "runs";
    const buckets = new Int16Array(isRuns ? groups.length : weights.length);
    for (let i = 0; i < groups.length; i++) {
      const start = from.offsets[groups[i]!]!;
      const end = from.offsets[groups[i]! + 1]!;
      if (isRuns) buckets[i] = from.buckets[groups[i]!]!;
      else buckets.set(from.buckets.subarray(start, end), offsets[i]);
      weights.set(from.weights.subarray(start, end), offsets[i]);
    }
    const { form, subBits } = from;
    return { kind: "histogram", form, subBits, offsets, buckets, weights };
  },

  encode(column) {
    const histogram = columnOf(column, "histogram");
    if (histogram.form === "packed") {
      const { form, subBits, offsets, buckets, cells, totals, largeAt, largeWeights } = histogram;
      const sections = [offsets, buckets, cells, totals, largeAt, largeWeights];
      const weightBytes = cells.BYTES_PER_ELEMENT;
      return { head: { kind: "histogram", form, subBits, weightBytes }, sections };
    }
    const { form, subBits, offsets, buckets, weights } = histogram;
    const weightBytes = weights.BYTES_PER_ELEMENT;
    return {
      head: { kind: "histogram", form, subBits, weightBytes },
      sections: [offsets, buckets, weights],
    };
  },

  decode(head, reader): StateColumn {
    const subBits = head.subBits ?? subBitsMax;
    const [offsets, buckets] = [reader.u32(), reader.i16()];
    const of = { kind: "histogram", subBits, offsets, buckets } as const;
    if (head.form === "packed") {
      const cells = head.weightBytes === 2 ? reader.u16() : reader.bytes();
      const totals = reader.f64();
      const [largeAt, largeWeights] = [reader.u32(), reader.f64()];
      return { ...of, form: "packed", cells, totals, largeAt, largeWeights };
    }
    const weights = readWeights(head.weightBytes ?? 8, reader);
    return { ...of, form: head.form === "runs" ? "runs" : "listed", weights };
  },

  check(column, groupCount) {
    const histogram = columnOf(column, "histogram");
    const { form, offsets, buckets } = histogram;
    const cells = form === "packed" ? histogram.cells : histogram.weights;
    expectOffsets(offsets, groupCount);
    expectCount("weights", cells.length, offsets[groupCount]!);
    expectCount("buckets", buckets.length, form === "listed" ? cells.length : groupCount);
    if (form !== "packed") return;
    expectCount("totals", histogram.totals.length, groupCount);
    expectLarge(histogram);
  },
};

/** By place, ascending, none beyond the cells. */
function expectLarge({ cells, largeAt, largeWeights }: PackedRuns): void {
  expectCount("weights of large cells", largeWeights.length, largeAt.length);
  let before = -1;
  for (const at of largeAt) {
    if (at <= before || at >= cells.length) throw new Error(`a large cell at ${at}`);
    before = at;
  }
}

/** What a histogram shows: eight steps for each power of two, so that a bucket is at most an eighth wide. */
const shownSubBits = 3;

/** Buckets that hold something, ascending, with the decimal point back in place; null when there are none. */
export function bucketsOf(
  column: StateColumn,
  group: number,
  decimals: number,
): readonly HistogramBucket[] | null {
  const histogram = plainHistogram(column);
  const { subBits, offsets, weights } = histogram;
  const found: HistogramBucket[] = [];
  let last = Number.NaN;
  for (let i = offsets[group]!; i < offsets[group + 1]!; i++) {
    const count = weights[i]!;
    if (count === 0) continue;
    const bucket = coarserBucket(bucketAt(histogram, group, i), subBits, shownSubBits);
    if (bucket === last) {
      const [low, high, before] = found.pop()!;
      found.push([low, high, before + count]);
      continue;
    }
    const [low, high] = exactBounds(bucket, shownSubBits);
    found.push([boundCell(low, decimals), boundCell(high, decimals), count]);
    last = bucket;
  }
  return found.length === 0 ? null : found;
}

/** The bucket of the group's weight at `i`. */
function bucketAt({ form, offsets, buckets }: HistogramColumn, group: number, i: number): number {
  return form === "runs" ? buckets[group]! + i - offsets[group]! : buckets[i]!;
}

/** The same beyond 2^53, where doubles lose integers: digit by digit, and within 64 bits. */
function exactBounds(bucket: number, subBits: number): readonly [number | bigint, number | bigint] {
  const [low, high] = integerBounds(bucket, subBits);
  if (Number.isSafeInteger(low) && Number.isSafeInteger(high)) return [low, high];
  if (bucket < 0) {
    const [first, end] = exactBounds(-bucket, subBits);
    const least = 1n - BigInt(end);
    return [shortest(least < int64Min ? int64Min : least), shortest(1n - BigInt(first))];
  }
  return [shortest(BigInt(low)), shortest(BigInt(high))];
}

function boundCell(bound: number | bigint, decimals: number): HistogramBound {
  return decimals === 0 ? bound : decimalCell(bound, decimals);
}

/** [low, high): the integers of a bucket; whole numbers, and next to each other for neighbours that hold any. */
function integerBounds(bucket: number, subBits: number): readonly [number, number] {
  if (bucket < 0) {
    const [low, high] = integerBounds(-bucket, subBits);
    return [1 - high, 1 - low];
  }
  if (bucket === 0) return [0, 1];
  const [low, high] = bucketBounds(bucket, subBits);
  return [Math.ceil(low), Math.ceil(high)];
}

/** Nearest rank: the value at which p percent of the weight is reached; null when there is none. */
export function percentileOf(
  column: StateColumn,
  group: number,
  p: number,
): number | bigint | null {
  const total = weightOf(column, group);
  if (total === 0) return null;
  const above = weightFrom(rankOf(p, total), total);
  if (column instanceof MergedRuns) {
    return middleOf(column.bucketFromAbove(group, above), column.subBits);
  }
  const histogram = plainHistogram(column);
  const { subBits, offsets, weights } = histogram;
  const at = placeFromTop(weights, offsets[group]!, offsets[group + 1]!, above);
  return middleOf(bucketAt(histogram, group, at), subBits);
}

/** Where a share of a group's weight, in order of the values, is reached. */
export interface ValuePlace {
  /** The integers of its bucket, [low, high). */
  readonly low: number;
  readonly high: number;
  /** Whether values seem to lie evenly in it: beside it there are about as many. */
  readonly isEven: boolean;
  /** How much of all weight it has, */
  readonly share: number;
  /** and how much of that lies below the place. */
  readonly below: number;
}

export function placeOfShare(column: StateColumn, group: number, share: number): ValuePlace {
  const total = weightOf(column, group);
  const { subBits } = columnOf(column, "histogram");
  const bucket = logLinearBucket(Number(percentileOf(column, group, share * 100)), subBits);
  const [low, high] = integerBounds(bucket, subBits);
  const before = total - weightAbove(column, group, bucket - 1);
  const own = total - weightAbove(column, group, bucket) - before;
  const below = Math.min(1, Math.max(0, (share * total - before) / own));
  const beside = weightAbove(column, group, bucket - 2) - weightAbove(column, group, bucket + 1);
  const isEven = own < evenMost * (beside - own) * 0.5;
  return { low, high, isEven, share: own / total, below };
}

/** A bucket with more than this multiple of its neighbours' average holds values that many rows share. */
const evenMost = 3;

/** Weight of a group at or below a value: of the buckets up to the one that it falls into. */
export function weightUpTo(column: StateColumn, group: number, value: number): number {
  if (group < 0) return 0;
  const { subBits } = columnOf(column, "histogram");
  return weightOf(column, group) - weightAbove(column, group, logLinearBucket(value, subBits));
}

/**
 * The same of a second, coarser histogram of the group: of the bucket that the value falls into the share
 * that the first one says lies below.
 */
export function coarseWeightUpTo(
  column: StateColumn,
  coarse: StateColumn,
  group: number,
  value: number,
): number {
  if (group < 0) return 0;
  const [fine, other] = [columnOf(column, "histogram"), columnOf(coarse, "histogram")];
  const last = logLinearBucket(value, other.subBits);
  const from = weightAbove(other, group, last - 1);
  const within = from - weightAbove(other, group, last);
  const [low, high] = finerBuckets(last, other.subBits, fine.subBits);
  const fineFrom = weightAbove(fine, group, low - 1);
  const whole = fineFrom - weightAbove(fine, group, high);
  const reached = fineFrom - weightAbove(fine, group, logLinearBucket(value, fine.subBits));
  return weightOf(other, group) - from + (whole === 0 ? 0 : (within * reached) / whole);
}

/** Weight of a group's values. */
export function weightOf(column: StateColumn, group: number): number {
  if (group < 0) return 0;
  if (column instanceof MergedRuns) return column.totalOf(group);
  const histogram = columnOf(column, "histogram");
  return (histogram.form === "packed" ? histogram.totals : totalsOf(histogram))[group]!;
}

/** Weight of a group in the buckets above this one: of a percentile these are few. */
function weightAbove(column: StateColumn, group: number, bucket: number): number {
  if (column instanceof MergedRuns) return column.weightAbove(group, bucket);
  const histogram = plainHistogram(column);
  const { form, offsets, buckets, weights } = histogram;
  const [start, end] = [offsets[group]!, offsets[group + 1]!];
  if (form === "runs") {
    return weightIn(weights, Math.max(start, start + bucket + 1 - buckets[group]!), end);
  }
  let from = end;
  while (from > start && buckets[from - 1]! > bucket) from--;
  return weightIn(weights, from, end);
}

/** The weight of a rank and all above it; rank 0 is the first value too. */
function weightFrom(rank: number, total: number): number {
  return total - Math.max(1, rank) + 1;
}

/** The last place whose weight, with all weights above it, reaches the sum. */
function placeFromTop(weights: BucketWeights, start: number, end: number, above: number): number {
  if (weights instanceof Uint32Array) return placeFromAbove(weights, start, end, above);
  let reached = 0;
  for (let i = end - 1; i >= start; i--) {
    reached += weights[i]!;
    if (reached >= above) return i;
  }
  throw new Error(`${above} of the weight lies beyond ${reached}`);
}

function placeFromAbove(weights: Uint32Array, start: number, end: number, above: number): number {
  let reached = 0;
  for (let i = end - 1; i >= start; i--) {
    reached += weights[i]!;
    if (reached >= above) return i;
  }
  throw new Error(`${above} of the weight lies beyond ${reached}`);
}

/** The smallest and the largest integer that a percentile may stand for. */
function percentileInterval(
  column: StateColumn,
  percentile: number | bigint,
  decimals: number,
): readonly [number, number] {
  const { subBits } = columnOf(column, "histogram");
  const [low, high] = integerBounds(logLinearBucket(percentile, subBits), subBits);
  const scale = 10 ** decimals;
  return [low / scale, Math.max(low, high - 1) / scale];
}

/** The same, found once for each percentile: those of thousands of groups are of a few hundred buckets. */
export function rememberedIntervals(
  column: StateColumn,
  decimals: number,
): (percentile: number | bigint) => readonly [number, number] {
  const known = new Map<number | bigint, readonly [number, number]>();
  return (percentile) => {
    let interval = known.get(percentile);
    if (interval === undefined) {
      interval = percentileInterval(column, percentile, decimals);
      known.set(percentile, interval);
    }
    return interval;
  };
}

/** ceil(p % of total), but not one too high where the product is whole and only its f64 is not. */
export function rankOf(p: number, total: number): number {
  const exact = (p * total) / 100;
  const whole = Math.round(exact);
  return Math.abs(exact - whole) <= exact * 2 ** -51 ? whole : Math.ceil(exact);
}

/** By fineness and bucket, as they are asked for: thousands of groups have their percentiles in a few hundred buckets. */
const middles = Array.from({ length: subBitsMax + 1 }, () => new Map<number, number | bigint>());

/** The integer in the middle of those that fall into a bucket. */
function middleOf(bucket: number, subBits: number): number | bigint {
  const known = middles[subBits]!;
  let middle = known.get(bucket);
  if (middle === undefined) {
    middle = computeMiddle(bucket, subBits);
    known.set(bucket, middle);
  }
  return middle;
}

function computeMiddle(bucket: number, subBits: number): number | bigint {
  if (bucket < 0) {
    const mirrored = computeMiddle(-bucket, subBits);
    if (mirrored === int64Max) return int64Min;
    return typeof mirrored === "bigint" ? -mirrored : -mirrored;
  }
  const [low, high] = bucketBounds(bucket, subBits);
  const first = Math.ceil(low);
  const last = Math.max(first, Math.ceil(high) - 1);
  const middle = Math.round(first + (last - first) / 2);
  if (Number.isSafeInteger(middle)) return middle;
  const exact = BigInt(middle);
  return shortest(exact > int64Max ? int64Max : exact);
}
