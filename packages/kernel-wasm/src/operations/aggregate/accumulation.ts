import type { BitmapAddress, RowSet, Values } from "../../base/addresses.js";
import type { HistogramShape } from "./buckets.js";

/**
 * Accumulate: per row k of the set, into the accumulator of group groups[k]. `groups` 0: all rows
 * belong to group 0. `weights` 0: every weight is 1. `present` 0: no value is missing. Weights: u32
 * values (width 1, 2 or 4; width 0 is no weights), a row whose weight is 0 counts as weight 1 (no
 * sample rate given). `base` is added to the stored value whatever its width (a plain int64 column
 * gives 0).
 */
export interface AccumulationOperations {
  /** counts: u32 per group, += 1. */
  addRows(counts: number, groups: number, count: number): void;
  /** sums: i64 per group, += weight of the row where present. */
  addWeights(
    sums: number,
    groups: number,
    rows: RowSet,
    weights: Values | null,
    present: BitmapAddress,
  ): void;
  /**
   * sums: i64 per group, += (value + base) · weight. The caller knows that it cannot overflow.
   * Narrow values are unsigned.
   */
  addProducts(
    sums: number,
    groups: number,
    rows: RowSet,
    values: Values,
    base: bigint,
    weights: Values | null,
    present: BitmapAddress,
  ): void;
  /**
   * sums: three i64 limbs per group (adjacent), limb j += (((value + base) · weight) >> 32 j) &
   * 0xffffffff, the last one with the sign; exact for any i64 value and u32 weight.
   */
  addWideProducts(
    sums: number,
    groups: number,
    rows: RowSet,
    values: Values,
    base: bigint,
    weights: Values | null,
    present: BitmapAddress,
  ): void;
  /**
   * extremes: i64 per group = min (max) of itself and the values. `base` is added to the values
   * first. Start them with i64 max (min).
   */
  addMinimums(
    extremes: number,
    groups: number,
    rows: RowSet,
    values: Values,
    base: bigint,
    present: BitmapAddress,
  ): void;
  addMaximums(
    extremes: number,
    groups: number,
    rows: RowSet,
    values: Values,
    base: bigint,
    present: BitmapAddress,
  ): void;
  /**
   * histogram: i64 per group and bucket (bucketCount a group), [logLinearBucket(value + base,
   * subBits) − firstBucket] += weight. The caller knows that buckets fit. small: value + base of
   * every row lies within ±2^24, which goes faster.
   */
  addToHistograms(
    histogram: number,
    groups: number,
    rows: RowSet,
    values: Values,
    base: bigint,
    weights: Values | null,
    present: BitmapAddress,
    small: boolean,
    shape: HistogramShape,
  ): void;
}

export interface AccumulationExports extends Pick<AccumulationOperations, "addRows"> {
  addWeights(...a: [sums: number, groups: number, ...Rows, ...Column, BitmapAddress]): void;
  addProducts(...a: [...Accumulation, base: bigint, ...Column, BitmapAddress]): void;
  addWideProducts(...a: [...Accumulation, base: bigint, ...Column, BitmapAddress]): void;
  addMinimums(...a: [...Accumulation, base: bigint, BitmapAddress]): void;
  addMaximums(...a: [...Accumulation, base: bigint, BitmapAddress]): void;
  addToHistograms(
    ...a: [
      ...[...Accumulation, base: bigint, ...Column, BitmapAddress, small: number],
      ...[subBits: number, firstBucket: number, bucketCount: number],
    ]
  ): void;
}

type Column = [address: number, width: number];
type Rows = [start: number, count: number, rows: number];

/** Target, groups, start, count, rows, values, width: the first arguments of every accumulation. */
type Accumulation = readonly [number, number, number, number, number, number, number];

export function accumulationOperations(wasm: AccumulationExports): AccumulationOperations {
  return {
    addRows: wasm.addRows,
    addWeights: (sums, groups, { start, count, rows }, weights, present) =>
      wasm.addWeights(sums, groups, start, count, rows, ...weightsOf(weights), present),
    addProducts: (sums, groups, rows, values, base, weights, present) =>
      wasm.addProducts(
        ...accumulation(sums, groups, rows, values),
        ...([base, ...weightsOf(weights), present] as const),
      ),
    addWideProducts: (sums, groups, rows, values, base, weights, present) =>
      wasm.addWideProducts(
        ...accumulation(sums, groups, rows, values),
        ...([base, ...weightsOf(weights), present] as const),
      ),
    addMinimums: (extremes, groups, rows, values, base, present) =>
      wasm.addMinimums(...accumulation(extremes, groups, rows, values), base, present),
    addMaximums: (extremes, groups, rows, values, base, present) =>
      wasm.addMaximums(...accumulation(extremes, groups, rows, values), base, present),
    addToHistograms: (histogram, groups, rows, values, base, weights, present, small, shape) =>
      wasm.addToHistograms(
        ...accumulation(histogram, groups, rows, values),
        ...([base, ...weightsOf(weights), present, small ? 1 : 0] as const),
        ...([shape.subBits, shape.firstBucket, shape.bucketCount] as const),
      ),
  };
}

const accumulation = (
  target: number,
  groups: number,
  { start, count, rows }: RowSet,
  values: Values,
): Accumulation => [target, groups, start, count, rows, values.address, values.width];

/** No weights are a width of 0. */
const weightsOf = (weights: Values | null): readonly [number, number] =>
  weights === null ? [0, 0] : [weights.address, weights.width];
