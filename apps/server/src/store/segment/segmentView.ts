import type { Values } from "@hadal/kernel-wasm";
import type { EncodedInts } from "../../column/encodedInts.js";
import type { SegmentColumn, StoredInts } from "../../column/segmentColumn.js";
import type { Pins } from "../../memory/pins.js";
import type { SegmentHistogram } from "./segmentHistogram.js";

/** A multiple of 64, so that bitmaps end on whole words; a row index fits 16 bits. */
export const segmentRowsMax = 65_536;

/**
 * A segment as a query sees it: sealed, or the open one's first `rowCount` rows. Nothing in it
 * changes any more.
 */
export interface SegmentView {
  readonly rowCount: number;
  /** Whether rows ascend by time. */
  readonly sorted: boolean;
  /** Time of a row in ms = timeBase + value. */
  readonly times: Values;
  readonly timeBase: bigint;
  /** The encoding of the times, as in {@link IntColumn}; null: plain values. */
  readonly encodedTimes: EncodedInts | null;
  readonly minMs: number;
  readonly maxMs: number;
  readonly columns: { get(name: string): SegmentColumn | undefined };
  /** u32 sample rates, 0 where a row has none; null when every row has the weight 1. */
  readonly weights: Values | null;
  /** Largest weight of a row. */
  readonly weightMax: number;
  readonly weightTotal: number;
  /** Segment aggregates, by integer column; null while the segment is open. */
  readonly sums: ReadonlyMap<string, ColumnSums> | null;
  /** Of the integer columns where it pays. */
  readonly histograms: ReadonlyMap<string, SegmentHistogram>;
  readonly pins: Pins;
  /** Bytes taken from the leaf's memory, by column; the times are under the time column's name. */
  readonly columnBytes: ReadonlyMap<string, number>;
}

/** The times as a column. */
export const timesOf = ({ times, timeBase, encodedTimes }: SegmentView): StoredInts => ({
  values: times,
  base: timeBase,
  encoded: encodedTimes,
});

/** A segment as it is stored: all its columns are known. */
export interface StoredSegment extends SegmentView {
  readonly columns: ReadonlyMap<string, SegmentColumn>;
  /** How much it was thinned by the values of columns, by column. Absent: not at all. */
  readonly thinnedKeys?: ReadonlyMap<string, number>;
}

/** The aggregates of one integer column of a segment, weighted where that makes sense. */
export interface ColumnSums {
  readonly presentRows: number;
  readonly presentWeight: number;
  readonly weightedSum: bigint;
  /**
   * Of the rows' weights w about Σ w(w−1)xⁿ for n = 0 to 3, the error that sample rates bring;
   * null: not known.
   */
  readonly spread: Spread | null;
}

export type Spread = readonly [ones: number, linear: number, square: number, cube: number];

/** The spread of rows of weight 1: there is no error. */
export const noSpread: Spread = [0, 0, 0, 0];

export const spreadSums = 4;
