import type { BitmapAddress, RowSet, Values } from "../../base/addresses.js";

/**
 * Histograms beyond the plain weighted one. Buckets are {@link logLinearBucket}'s; arguments as in
 * the accumulating operations.
 */
export interface BucketOperations {
  /**
   * counts: of counterBytes, per group and bucket (bucketCount a group), [bucket of value + base −
   * firstBucket] += 1. `small`: all present value + base are within ±2^24. The caller knows that
   * buckets fit. A counter of 1 or 2 bytes that is full (255 or 65,535) starts again at 1, and its
   * address is noted in `spilled`: u32 number of entries, then u32 each; an entry adds 255 or
   * 65,535 to its counter.
   */
  countInHistograms(
    counts: number,
    counterBytes: 1 | 2 | 4,
    spilled: number,
    groups: number,
    rows: RowSet,
    values: Values,
    base: bigint,
    present: BitmapAddress,
    small: boolean,
    shape: HistogramShape,
  ): void;
  /**
   * For each row of the set that has a value, in order: keys[i] = group · bucketCount + bucket −
   * firstBucket (u64) and keyRows[i] = the row (u32). Returns how many.
   */
  bucketKeys(
    keys: number,
    keyRows: number,
    groups: number,
    rows: RowSet,
    values: Values,
    base: bigint,
    present: BitmapAddress,
    shape: HistogramShape,
  ): number;
  /**
   * numbers[k] = the number of groups[k]; groups not seen before are numbered from `known` on.
   * numberOf: u32 per group, its number + 1 or 0; groupOf: u32 per number. Returns how many are
   * known then; -1 when there would be more than `max` (numbers are undefined then, and groups
   * before that one have theirs).
   */
  numberGroups(
    numbers: number,
    groups: number,
    count: number,
    numberOf: number,
    groupOf: number,
    known: number,
    max: number,
  ): number;
  /**
   * The buckets that are not 0 of the listed groups, one after the other: buckets (i32) and weights
   * (f64), and where each group's end (u32). Stops before a group that might not fit `room`;
   * returns how many are done. counterBytes 1, 2, 4 or 8, unsigned.
   */
  listBuckets(
    out: BucketList,
    histogram: number,
    counterBytes: 1 | 2 | 4 | 8,
    groups: number,
    groupCount: number,
    shape: HistogramShape,
  ): number;
  /**
   * Of each listed group, 16 bytes at `out`: its first counter that is not 0 and the end of its
   * last (u32 each; both 0 where all are 0), and their sum (f64).
   */
  measureBuckets(
    out: number,
    histogram: number,
    counterBytes: 1 | 2 | 4 | 8,
    groups: number,
    groupCount: number,
    bucketCount: number,
  ): void;
  /** How many of the counters (u64) are not 0; bits: u64, the bits that any of them has. */
  countFilled(bits: number, counters: number, count: number): number;
  /**
   * The counters (u64) that are not 0, in order: buckets (i16, firstBucket + its index) and
   * weights, unsigned of 1, 2 or 4 bytes, or f64.
   */
  packBuckets(
    buckets: number,
    weights: number,
    weightBytes: 1 | 2 | 4 | 8,
    counters: number,
    count: number,
    firstBucket: number,
  ): void;
}

export interface HistogramShape {
  readonly subBits: number;
  /** Buckets are numbered from this one on. */
  readonly firstBucket: number;
  readonly bucketCount: number;
}

export interface BucketList {
  readonly buckets: number;
  readonly weights: number;
  readonly ends: number;
  /** Entries that buckets and weights have room for. */
  readonly room: number;
}

type Rows = [start: number, count: number, rows: number];
type Shape = [subBits: number, firstBucket: number, bucketCount: number];

export interface BucketExports {
  countInHistograms(
    ...a: [
      ...[counts: number, counterBytes: number, spilled: number, groups: number, ...Rows],
      ...[values: number, width: number, base: bigint, present: number, small: number, ...Shape],
    ]
  ): void;
  bucketKeys(
    ...a: [
      ...[keys: number, keyRows: number, groups: number, ...Rows, values: number, width: number],
      ...[base: bigint, present: number, ...Shape],
    ]
  ): number;
  numberGroups: BucketOperations["numberGroups"];
  listBuckets(
    ...a: [
      ...[buckets: number, weights: number, ends: number, room: number, histogram: number],
      ...[counterBytes: number, groups: number, groupCount: number],
      ...[firstBucket: number, bucketCount: number],
    ]
  ): number;
  measureBuckets: BucketOperations["measureBuckets"];
  countFilled: BucketOperations["countFilled"];
  packBuckets: BucketOperations["packBuckets"];
}

export function bucketOperations(wasm: BucketExports): BucketOperations {
  const shapeOf = ({ subBits, firstBucket, bucketCount }: HistogramShape): Shape => [
    subBits,
    firstBucket,
    bucketCount,
  ];
  return {
    countInHistograms: (
      ...[counts, counterBytes, spilled, groups, rows, values, base, present, small, shape]
    ) =>
      wasm.countInHistograms(
        ...([counts, counterBytes, spilled, groups] as const),
        ...([rows.start, rows.count, rows.rows] as const),
        ...([values.address, values.width, base, present, small ? 1 : 0] as const),
        ...shapeOf(shape),
      ),
    bucketKeys: (keys, keyRows, groups, rows, values, base, present, shape) =>
      wasm.bucketKeys(
        ...([keys, keyRows, groups, rows.start, rows.count, rows.rows] as const),
        ...([values.address, values.width, base, present] as const),
        ...shapeOf(shape),
      ),
    numberGroups: wasm.numberGroups,
    listBuckets: (out, histogram, counterBytes, groups, groupCount, shape) =>
      wasm.listBuckets(
        ...([out.buckets, out.weights, out.ends, out.room, histogram, counterBytes] as const),
        ...([groups, groupCount, shape.firstBucket, shape.bucketCount] as const),
      ),
    measureBuckets: wasm.measureBuckets,
    countFilled: wasm.countFilled,
    packBuckets: wasm.packBuckets,
  };
}
