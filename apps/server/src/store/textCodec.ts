import { compressSync } from "lz4-napi";
import type { SectionArray, SectionReader } from "../base/sections.js";
import {
  pageEntryBytes,
  readTextPage,
  storedBytesOf,
  type TextPage,
  writeTextPage,
} from "../column/pageTable.js";
import type { TextColumn } from "../column/segmentColumn.js";
import { compressedTextBytesMax } from "../column/textReader.js";
import type { LeafMemory } from "../memory/leafMemory.js";

/** What a segment's file tells of a text column beside its sections. */
export interface TextHead {
  readonly kind: "text";
  readonly name: string;
  readonly missing: boolean;
  /** Null: without a signature. */
  readonly rowsLog2: number | null;
}

/** Compressing has to save this share, or the page stays as it is. */
const savedShareMin = 0.1;
/** The library writes the length of the text before the block. */
const lengthBytes = 4;

/** The LZ4 block of what the library made of a text; null when it saves too little. */
export function worthwhileBlock(compressed: Uint8Array, textBytes: number): Uint8Array | null {
  const block = compressed.subarray(lengthBytes);
  return block.length <= textBytes * (1 - savedShareMin) ? block : null;
}

/** Whether LZ4 has not been tried on the page. Where it saved too little it is tried again; that is rare and cheap. */
export const isCompressible = ({ compressedBytes, textBytes }: TextPage): boolean =>
  compressedBytes === 0 && textBytes > 0 && textBytes <= compressedTextBytesMax;

export function pagesOf(column: TextColumn, memory: LeafMemory): TextPage[] {
  const view = new DataView(memory.memory.buffer);
  return Array.from({ length: column.pageCount }, (_, index) =>
    readTextPage(view, column.directory, index),
  );
}

/** A text column of a sealed segment as sections: pages, their bytes (LZ4 where it saves), offsets, signature, bitmap. */
export function encodeText(
  column: TextColumn,
  name: string,
  rowCount: number,
  memory: LeafMemory,
): { head: TextHead; sections: SectionArray[] } {
  const bytesAt = (address: number, length: number): Uint8Array =>
    memory.bytes.subarray(address, address + length);
  const pages = pagesOf(column, memory);
  const stored = pages.map((page) => {
    const bytes = bytesAt(page.address, storedBytesOf(page));
    if (!isCompressible(page)) return { bytes, compressedBytes: page.compressedBytes };
    const block = worthwhileBlock(compressSync(Buffer.from(bytes)), page.textBytes);
    return block === null
      ? { bytes, compressedBytes: 0 }
      : { bytes: block, compressedBytes: block.length };
  });
  const words = pages.flatMap(({ textBytes, firstRow, offsetsWidth }, index) => [
    stored[index]!.compressedBytes,
    textBytes,
    firstRow,
    offsetsWidth,
  ]);
  const sections: SectionArray[] = [
    Uint32Array.from(words),
    Buffer.concat(stored.map(({ bytes }) => bytes)),
    Buffer.concat(
      pages.map((page, index) => {
        const rows = (pages[index + 1]?.firstRow ?? rowCount) - page.firstRow;
        return bytesAt(page.offsets, (rows + 1) * page.offsetsWidth);
      }),
    ),
  ];
  const { signature } = column;
  if (signature !== null) {
    const planes = Math.ceil(pages.length / 8);
    sections.push(bytesAt(signature.address, planes << signature.rowsLog2));
  }
  if (column.present !== 0) {
    sections.push(bytesAt(column.present, Math.ceil(rowCount / 64) * 8));
  }
  const missing = column.present !== 0;
  return { head: { kind: "text", name, missing, rowsLog2: signature?.rowsLog2 ?? null }, sections };
}

/** Puts a text column back into the leaf's memory; `place` copies bytes there. */
export function decodeText(
  head: TextHead,
  rowCount: number,
  reader: SectionReader<unknown>,
  memory: LeafMemory,
  place: (bytes: Uint8Array) => number,
): TextColumn {
  const words = reader.u32();
  let address = place(reader.bytes());
  let offsets = place(reader.bytes());
  const pageCount = words.length / 4;
  const directory = place(new Uint8Array(pageCount * pageEntryBytes));
  const view = new DataView(memory.memory.buffer);
  let textBytes = 0;
  for (let index = 0; index < pageCount; index++) {
    const at = index * 4;
    const page: TextPage = {
      address,
      compressedBytes: words[at]!,
      textBytes: words[at + 1]!,
      firstRow: words[at + 2]!,
      offsets,
      offsetsWidth: words[at + 3] === 2 ? 2 : 4,
    };
    writeTextPage(view, directory, index, page);
    const endRow = index + 1 < pageCount ? words[at + 6]! : rowCount;
    address += storedBytesOf(page);
    offsets += (endRow - page.firstRow + 1) * page.offsetsWidth;
    textBytes += page.textBytes;
  }
  const { rowsLog2 } = head;
  const signature = rowsLog2 === null ? null : { address: place(reader.bytes()), rowsLog2 };
  const present = head.missing ? place(reader.bytes()) : 0;
  return { kind: "text", directory, pageCount, textBytes, signature, present };
}
