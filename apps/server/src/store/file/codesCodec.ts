import type { SectionArray } from "../../base/bytes/sections.js";
import { decodedBytes, decodeInts } from "../../column/intEncodings.js";
import { createColumnReader } from "../../column/readColumn.js";
import type { CodedColumn } from "../../column/segmentColumn.js";
import type { TableContext } from "../segment/tableContext.js";

type CodesContext = Pick<TableContext, "memory" | "kernel">;

/**
 * The values of the leaf's dictionary that a segment uses, and its rows' codes for them: text,
 * lengths, codes.
 */
export function encodeCodes(
  column: CodedColumn,
  rowCount: number,
  context: CodesContext,
): SectionArray[] {
  const localOf = new Uint32Array(column.dictionary.codeCount);
  const values: number[] = [];
  const local = readCodes(column, rowCount, context);
  for (let i = 0; i < rowCount; i++) {
    const code = local[i]!;
    if (code === 0) continue;
    if (localOf[code] === 0) localOf[code] = values.push(code);
    local[i] = localOf[code]!;
  }
  const { text, lengths } = column.dictionary.encode(values);
  const width = values.length < 256 ? 1 : values.length < 65_536 ? 2 : 4;
  const codes = narrowArray(new Uint8Array(rowCount * width), width);
  codes.set(local);
  return [text, lengths, new Uint8Array(codes.buffer, codes.byteOffset, codes.byteLength)];
}

/**
 * The leaf's codes of all rows: decoded at once where there is room, as one by one takes many times
 * as long.
 */
function readCodes(
  { values, encoded }: CodedColumn,
  rowCount: number,
  { memory, kernel }: CodesContext,
): Uint32Array {
  const reader = createColumnReader(memory.memory);
  const codes = new Uint32Array(rowCount);
  const room = encoded === null ? null : memory.store.allocate(decodedBytes(values, rowCount));
  if (encoded === null || room === null) {
    for (let i = 0; i < rowCount; i++)
      codes[i] = reader.storedCode({ values, encoded }, i, rowCount);
    return codes;
  }
  try {
    const decoded = { address: room, width: values.width };
    decodeInts(kernel, decoded, encoded, rowCount);
    for (let i = 0; i < rowCount; i++) codes[i] = reader.code(decoded, i);
    return codes;
  } finally {
    memory.store.release(room);
  }
}

/** Codes of 1, 2 or 4 bytes laid over bytes. */
export function narrowArray(
  bytes: Uint8Array,
  width: number,
): Uint8Array | Uint16Array | Uint32Array {
  if (width === 1) return bytes;
  if (width === 2) return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}
