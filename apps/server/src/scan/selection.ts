import type { RowSet } from "@hadal/kernel-wasm";

/** The selected rows of a unit. */
export interface Selection {
  /** How many are selected. */
  readonly count: number;
  /** The selected rows; or, with a mask, a run that holds them all. */
  readonly rows: RowSet;
  /** Bitmap of the selected rows; 0: all of `rows` are. */
  readonly mask: number;
}

/** From this share of the rows on, passing over all of them with a mask is cheaper than following a list of those selected. */
const maskShareMin = 0.15;

export function isDense(selectedRows: number, rowCount: number): boolean {
  return selectedRows > rowCount * maskShareMin;
}
