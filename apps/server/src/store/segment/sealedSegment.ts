import type { Values } from "@hadal/kernel-wasm";
import type { SegmentColumn } from "../../column/segmentColumn.js";
import type { ColumnSums, StoredSegment } from "./segmentView.js";

/** An immutable segment: sorted by time, encoded, with its zone map and aggregates. */
export interface SealedSegment extends StoredSegment {
  /** Number of the row log with the same rows, and of the segment's file. */
  readonly generation: number;
  /**
   * Smaller in a merged segment: it contains the rows of all generations from here on, and their
   * files are void.
   */
  readonly firstGeneration: number;
  /** Thinning has left one row in this many; 1: the segment has all of its rows. */
  readonly thinned: number;
  /**
   * By column how much of that was by its values: those that are left have hashes below the
   * reciprocal. Absent: nothing.
   */
  readonly thinnedKeys?: ReadonlyMap<string, number>;
  readonly sorted: true;
  /**
   * Columns whose values were damaged on the disk: a query that reads one of these leaves the rows
   * out.
   */
  readonly lostColumns: ReadonlySet<string>;
  readonly sums: ReadonlyMap<string, ColumnSums>;
  readonly extents: readonly number[];
  /** Bytes of the leaf's memory, with the dictionaries that belong to the segment alone. */
  readonly bytes: number;
}

/** The sample rates of a sealed segment as weights; null when every row has the weight 1. */
export function weightsOf(column: SegmentColumn | undefined, weightMax: number): Values | null {
  return column?.kind === "int" && weightMax > 1 ? column.values : null;
}
