import type { Values } from "@hadal/kernel-wasm";
import { readEncodedInt } from "./intEncodings.js";
import type { CodedColumn, IntColumn, StoredInts } from "./segmentColumn.js";

/**
 * Reads single values out of the shared memory, for the paths that look at few rows or need
 * JavaScript values.
 */
export interface ColumnReader {
  int(column: Pick<IntColumn, "values" | "base">, rowIndex: number): bigint;
  /** The same where the column may be encoded. */
  storedInt(column: StoredInts, rowIndex: number, rowCount: number): bigint;
  code(values: Values, rowIndex: number): number;
  /** The same where the column may be encoded. */
  storedCode(
    column: Pick<CodedColumn, "values" | "encoded">,
    rowIndex: number,
    rowCount: number,
  ): number;
  isPresent(present: number, rowIndex: number): boolean;
  word(address: number): number;
  utf8(from: number, to: number): string;
}

export function createColumnReader(memory: WebAssembly.Memory): ColumnReader {
  const view = new DataView(memory.buffer);
  const bytes = new Uint8Array(memory.buffer);
  const code = ({ address, width }: Values, rowIndex: number): number => {
    if (width === 0) return 0;
    if (width === 1) return bytes[address + rowIndex]!;
    if (width === 2) return view.getUint16(address + rowIndex * 2, true);
    // The byte too much is the next value's, or the slack's.
    if (width === 3) return view.getUint32(address + rowIndex * 3, true) & 0xff_ffff;
    return view.getUint32(address + rowIndex * 4, true);
  };
  const int: ColumnReader["int"] = ({ values, base }, rowIndex) =>
    base +
    (values.width === 8
      ? view.getBigInt64(values.address + rowIndex * 8, true)
      : BigInt(code(values, rowIndex)));
  const texts = Buffer.from(memory.buffer);
  return {
    code,
    word: (address) => view.getUint32(address, true),
    utf8: (from, to) => texts.toString("utf8", from, to),
    int,
    storedInt: (column, rowIndex, rowCount) =>
      column.encoded === null
        ? int(column, rowIndex)
        : column.base + readEncodedInt(view, column.encoded, rowIndex, rowCount),
    storedCode: ({ values, encoded }, rowIndex, rowCount) =>
      encoded === null
        ? code(values, rowIndex)
        : Number(readEncodedInt(view, encoded, rowIndex, rowCount)),
    isPresent: (present, rowIndex) =>
      present === 0 || ((bytes[present + (rowIndex >> 3)]! >> (rowIndex & 7)) & 1) === 1,
  };
}
