import type { BitmapAddress, Values } from "../../base/addresses.js";

/** Integers with few distinct values: each row holds the index of its value in a table of them. */
export interface ValueTableOperations {
  /**
   * marks[value] = 1 for the u32 values [0, rowCount): one byte for each value there may be, and 16
   * bytes of slack.
   */
  markValues(marks: number, values: number, rowCount: number): void;
  /**
   * The marked ones of [0, count): table[j] (u32) = the j-th of them, codes[the j-th] (u32) = j.
   * Returns how many.
   */
  listMarked(table: number, codes: number, marks: number, count: number): number;
  /**
   * out[i] = table[code i]; out and table have the same width, 1, 2, 4 or 8; codes are narrower
   * than 8 bytes.
   */
  lookUpCodes(
    out: Values,
    codes: Values,
    table: number,
    tableCount: number,
    rowCount: number,
  ): void;
  /**
   * out[i] (u8) = code of values[order[i]] − base, missing rows 0 before they are coded, as for
   * permuteInts: codes are given in order of arrival, the values (u32) listed at `table`. codeOf
   * (u8 for each value there may be) is 0 before, and code + 1 of those listed after. Returns how
   * many there are; −1: more than 255, and what was written is of no use.
   */
  codeInts(
    out: number,
    values: Values,
    present: BitmapAddress,
    order: number,
    rowCount: number,
    base: bigint,
    codeOf: number,
    table: number,
  ): number;
  /**
   * sums[code] (u32 × 256) = weight of all rows of this code, modulo 2^32; codes (u8) are below
   * codeCount, behind the sums are 3072 bytes of scratch.
   */
  weighCodes(
    sums: number,
    codes: number,
    codeCount: number,
    rowCount: number,
    weights: Values | null,
  ): void;
}

export interface ValueTableExports extends Pick<ValueTableOperations, "markValues" | "listMarked"> {
  codeInts(
    ...a: [
      out: number,
      values: number,
      valueWidth: number,
      present: number,
      order: number,
      rowCount: number,
      base: bigint,
      codeOf: number,
      table: number,
    ]
  ): number;
  weighCodes(
    ...a: [
      sums: number,
      codes: number,
      codeCount: number,
      rowCount: number,
      weights: number,
      weightWidth: number,
    ]
  ): void;
  lookUpCodes(
    ...a: [
      out: number,
      width: number,
      codes: number,
      codeWidth: number,
      table: number,
      tableCount: number,
      rows: number,
    ]
  ): void;
}

export function valueTableOperations(wasm: ValueTableExports): ValueTableOperations {
  return {
    markValues: wasm.markValues,
    codeInts: (out, values, present, order, rowCount, base, codeOf, table) =>
      wasm.codeInts(
        ...([out, values.address, values.width, present, order, rowCount] as const),
        ...([base, codeOf, table] as const),
      ),
    weighCodes: (sums, codes, codeCount, rowCount, weights) =>
      wasm.weighCodes(
        ...([sums, codes, codeCount, rowCount] as const),
        ...([weights?.address ?? 0, weights?.width ?? 0] as const),
      ),
    listMarked: (table, codes, marks, count) => wasm.listMarked(table, codes, marks, count) >>> 0,
    lookUpCodes: (out, codes, table, tableCount, rowCount) =>
      wasm.lookUpCodes(
        ...([out.address, out.width, codes.address, codes.width, table] as const),
        ...([tableCount, rowCount] as const),
      ),
  };
}
