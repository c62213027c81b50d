import type { ColumnSums, StoredSegment } from "./segmentView.js";

/** A segment that nothing changes any more: sorted by time, narrowed, with its zone map and aggregates. */
export interface SealedSegment extends StoredSegment {
  /** Number of the row log whose rows these are, and of the segment's file. */
  readonly generation: number;
  /** Smaller when it was merged: it holds the rows of all generations from here on, and their files are void. */
  readonly firstGeneration: number;
  /** One row in so many of those that came is left: 1 while all are. */
  readonly thinned: number;
  readonly sorted: true;
  /** Columns whose values were damaged on the disk: the rows do not count where a query reads one of these. */
  readonly lostColumns: ReadonlySet<string>;
  readonly sums: ReadonlyMap<string, ColumnSums>;
  readonly extents: readonly number[];
  /** Bytes taken from the leaf's memory, and those of dictionaries that are the segment's own. */
  readonly bytes: number;
}
