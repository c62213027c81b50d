import type { BitmapAddress, Values } from "../../base/addresses.js";

/** Selections: bitmaps over rows [0, rowCount), written whole words at a time. */
export interface SelectionOperations {
  /** out = bit i set where from <= i < to. Writes all words that cover rowCount. */
  selectRows(out: BitmapAddress, rowCount: number, from: number, to: number): void;
  /**
   * out = low <= value <= high, over values [0, rowCount). Narrow widths compare unsigned, width 8
   * signed. low > high selects nothing.
   */
  selectRange(
    out: BitmapAddress,
    values: Values,
    rowCount: number,
    low: bigint,
    high: bigint,
  ): void;
  /**
   * out = bit `value` of the bitmap at `codes` is set. Values are narrower than 8 bytes and below
   * codeCount; others select nothing. scratch: 65,536 bytes.
   */
  selectCodes(
    out: BitmapAddress,
    values: Values,
    rowCount: number,
    codes: BitmapAddress,
    codeCount: number,
    scratch: number,
  ): void;
  /** into &= other. */
  andInto(into: BitmapAddress, other: BitmapAddress, rowCount: number): void;
  /** into |= other. */
  orInto(into: BitmapAddress, other: BitmapAddress, rowCount: number): void;
  /** into &= ~other. */
  andNotInto(into: BitmapAddress, other: BitmapAddress, rowCount: number): void;
  countSelected(selection: BitmapAddress, rowCount: number): number;
  /**
   * Writes the indexes of the set bits as u32, ascending; returns how many. Room for rowCount + 16
   * indexes is there.
   */
  rowsOfSelection(selection: BitmapAddress, rowCount: number, out: number): number;
  /**
   * First index in [0, rowCount] whose value is >= bound; values ascend. Narrow widths unsigned,
   * width 8 signed.
   */
  lowerBound(values: Values, rowCount: number, bound: bigint): number;
}

export interface SelectionExports
  extends Pick<
    SelectionOperations,
    "selectRows" | "andInto" | "orInto" | "andNotInto" | "countSelected" | "rowsOfSelection"
  > {
  selectRange(...a: [out: number, ...Column, rowCount: number, low: bigint, high: bigint]): void;
  selectCodes(
    ...a: [
      out: number,
      ...Column,
      rowCount: number,
      codes: number,
      codeCount: number,
      scratch: number,
    ]
  ): void;
  lowerBound(...a: [...Column, rowCount: number, bound: bigint]): number;
}

type Column = [address: number, width: number];

export function selectionOperations(wasm: SelectionExports): SelectionOperations {
  return {
    selectRows: wasm.selectRows,
    selectRange: (out, values, rowCount, low, high) =>
      wasm.selectRange(out, values.address, values.width, rowCount, low, high),
    selectCodes: (out, values, rowCount, codes, codeCount, scratch) =>
      wasm.selectCodes(out, values.address, values.width, rowCount, codes, codeCount, scratch),
    andInto: wasm.andInto,
    orInto: wasm.orInto,
    andNotInto: wasm.andNotInto,
    countSelected: (selection, rowCount) => wasm.countSelected(selection, rowCount) >>> 0,
    rowsOfSelection: (selection, rowCount, out) =>
      wasm.rowsOfSelection(selection, rowCount, out) >>> 0,
    lowerBound: (values, rowCount, bound) =>
      wasm.lowerBound(values.address, values.width, rowCount, bound) >>> 0,
  };
}
