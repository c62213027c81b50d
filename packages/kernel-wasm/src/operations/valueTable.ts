import type { Values } from "../addresses.js";

/** Integers with few distinct values: each row holds the index of its value in a table of them. */
export interface ValueTableOperations {
  /** marks[value] = 1 for the u32 values [0, rowCount): one byte for each value there may be, and 16 bytes of slack. */
  markValues(marks: number, values: number, rowCount: number): void;
  /** The marked ones of [0, count): table[j] (u32) = the j-th of them, codes[the j-th] (u32) = j. Returns how many. */
  listMarked(table: number, codes: number, marks: number, count: number): number;
  /** out[i] = table[code i]; out and table have the same width, 1, 2, 4 or 8; codes are narrower than 8 bytes. */
  lookUpCodes(
    out: Values,
    codes: Values,
    table: number,
    tableCount: number,
    rowCount: number,
  ): void;
}

export interface ValueTableExports extends Pick<ValueTableOperations, "markValues" | "listMarked"> {
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
    listMarked: (table, codes, marks, count) => wasm.listMarked(table, codes, marks, count) >>> 0,
    lookUpCodes: (out, codes, table, tableCount, rowCount) =>
      wasm.lookUpCodes(
        ...([out.address, out.width, codes.address, codes.width, table] as const),
        ...([tableCount, rowCount] as const),
      ),
  };
}
