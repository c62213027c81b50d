import type { RowSet } from "@hadal/kernel-wasm";

/** The selected rows of a unit. */
export interface Selection {
  /** How many are selected. */
  readonly count: number;
  /** The selected rows; or, with a mask, a run that contains them all. */
  readonly rows: RowSet;
  /** Bitmap of the selected rows; 0: all of `rows` are. */
  readonly mask: number;
}

/** `count` rows of the set from the k-th on. */
export function rowsFrom({ start, rows }: RowSet, k: number, count: number): RowSet {
  return rows === 0 ? { start: start + k, count, rows } : { start, count, rows: rows + k * 4 };
}

/**
 * From this share of the rows on, passing over all of them with a mask is cheaper than following a
 * list of those selected.
 */
export const maskShareMin = 0.15;
/** The same where rows are only counted and added up: such passes keep up with the memory. */
export const summedShareMin = 0.03;
/** A share that no selection has: rows are always listed. */
export const neverMasked = 2;
