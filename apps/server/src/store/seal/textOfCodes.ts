import { pageEntryBytes, writeTextPage } from "../../column/pageTable.js";
import { createColumnReader } from "../../column/readColumn.js";
import type { StringColumn, TextColumn } from "../../column/segmentColumn.js";
import type { LeafMemory } from "../../memory/leafMemory.js";
import { storeReserveBytes } from "../segment/tableContext.js";

/** UTF-8 bytes of all rows' texts together. */
export function textBytesOfCodes(
  column: StringColumn,
  rowCount: number,
  { memory }: LeafMemory,
): number {
  const reader = createColumnReader(memory);
  const bytesOf = new Int32Array(column.dictionary.codeCount).fill(-1);
  let bytes = 0;
  for (let row = 0; row < rowCount; row++) {
    const code = reader.storedCode(column, row, rowCount);
    if (code === 0) continue;
    if (bytesOf[code]! < 0) bytesOf[code] = column.dictionary.bytesOf(code).length;
    bytes += bytesOf[code]!;
  }
  return bytes;
}

/**
 * Whether the texts have room twice, as they are copied and once they are sealed, beside what
 * sealing takes anyway.
 */
export function hasRoomForText(
  textBytes: number,
  rowCount: number,
  { store }: LeafMemory,
): boolean {
  const wanted = 2 * (textBytes + rowCount * 8);
  return (
    store.freeBytes >= storeReserveBytes + wanted &&
    store.largestFreeBytes >= storeReserveBytes + wanted
  );
}

/** The rows of a coded column as the one page of an open text column, in memory that is scratch. */
export function textOfCodes(
  column: StringColumn,
  rowCount: number,
  memory: LeafMemory,
  takeScratch: (bytes: number) => number,
): TextColumn {
  const reader = createColumnReader(memory.memory);
  const textBytes = textBytesOfCodes(column, rowCount, memory);
  const address = takeScratch(textBytes);
  const offsetsAt = takeScratch((rowCount + 1) * 4);
  const presentBytes = Math.ceil(rowCount / 64) * 8;
  const present = takeScratch(presentBytes);
  const directory = takeScratch(pageEntryBytes);
  const { bytes } = memory;
  bytes.fill(0, present, present + presentBytes);
  const offsets = new Uint32Array(memory.memory.buffer, offsetsAt, rowCount + 1);
  let used = 0;
  for (let row = 0; row < rowCount; row++) {
    offsets[row] = used;
    const code = reader.storedCode(column, row, rowCount);
    if (code === 0) continue;
    const text = column.dictionary.bytesOf(code);
    bytes.set(text, address + used);
    used += text.length;
    bytes[present + (row >> 3)]! |= 1 << (row & 7);
  }
  offsets[rowCount] = used;
  writeTextPage(new DataView(memory.memory.buffer), directory, 0, {
    address,
    compressedBytes: 0,
    textBytes,
    firstRow: 0,
    offsets: offsetsAt,
    offsetsWidth: 4,
    templates: 0,
  });
  return {
    ...{ kind: "text", directory, pageCount: 1, rowCount, textBytes, signature: null },
    ...{ templates: null, present },
  };
}
