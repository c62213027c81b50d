import {
  type Needle,
  type PageSignature,
  pageEntryBytes,
  type TextOperations,
  type TextPages,
  templateMatchBytes,
} from "../../operations/text/text.js";
import type { MemoryView } from "../memoryView.js";
import { fillTemplates } from "./templates.js";

export function referenceText(view: MemoryView): TextOperations {
  const reader = new PageReader(view);
  return {
    searchPages: (out, pages, rowCount, selected, needle, scratch) => {
      const found = new Set<number>();
      let read = 0;
      for (let page = 0; page < pages.pageCount; page++) {
        if (selected !== 0 && !view.bit(selected, page)) continue;
        const text = scratch + templateMatchBytes;
        const { firstRow, texts } = reader.page(pages, page, rowCount, text) ?? {};
        if (firstRow === undefined || texts === undefined) return damaged(view, out, rowCount);
        const pageBytes = texts.reduce((sum, text) => sum + text.length, 0);
        if (pageBytes >= needle.bytes) read += pageBytes;
        const wanted = Buffer.from(reader.bytes(needle.address, needle.bytes));
        for (const [i, text] of texts.entries()) {
          const searched = needle.fold ? text.map(smallLetter) : text;
          if (Buffer.from(searched).includes(wanted)) found.add(firstRow + i);
        }
      }
      view.writeBits(out, rowCount, (row) => found.has(row));
      return read;
    },
    signPages: (out, pages, rowCount) => signPages(view, reader, out, pages, rowCount),
    selectPages: (out, signature, pageCount, needle) =>
      selectPages(view, reader, out, signature, pageCount, needle),
    lz4Decompress: (out, outBytes, input, inputBytes) => {
      const decoded = decompress(reader.bytes(input, inputBytes), outBytes);
      if (decoded === null) return -1;
      for (const [i, byte] of decoded.entries()) view.setByte(out + i, byte);
      return decoded.length;
    },
    expandLengths: (out, lengths, rows) => {
      for (const [i, offset] of offsetsOf(reader.bytes(lengths, rows)).entries()) {
        view.setU16(out + i * 2, offset);
      }
    },
    packTexts: (out, outOffsets, outWidth, bytes, offsets, order, rowCount) => {
      let used = 0;
      for (let i = 0; i <= rowCount; i++) {
        if (outWidth === 2) view.setU16(outOffsets + i * 2, used);
        else view.setU32(outOffsets + i * 4, used);
        if (i === rowCount) return;
        const row = view.u32(order + i * 4);
        const from = view.u32(offsets + row * 4);
        for (let at = from; at < view.u32(offsets + row * 4 + 4); at++) {
          view.setByte(out + used++, view.byte(bytes + at));
        }
      }
    },
  };
}

/** A search stops at the damaged page; its output until then is not compared. */
function damaged(view: MemoryView, out: number, rowCount: number): number {
  view.writeBits(out, rowCount, () => false);
  return -1;
}

class PageReader {
  readonly #view: MemoryView;

  constructor(view: MemoryView) {
    this.#view = view;
  }

  bytes(address: number, count: number): Uint8Array {
    return Uint8Array.from({ length: count }, (_, i) => this.#view.byte(address + i));
  }

  /** The texts of a page; null when it is damaged. */
  page(
    { directory, pageCount }: TextPages,
    page: number,
    rowCount: number,
    scratch: number,
  ): { firstRow: number; texts: Uint8Array[] } | null {
    const entry = directory + page * pageEntryBytes;
    const [address, compressedBytes, textBytes, firstRow, offsets, width, templates] = Array.from(
      { length: 7 },
      (_, word) => this.#view.u32(entry + word * 4),
    ) as [number, number, number, number, number, number, number];
    const endRow = page + 1 < pageCount ? this.#view.u32(entry + pageEntryBytes + 12) : rowCount;
    if (templates !== 0) {
      const packed = { codes: offsets, address, bytes: compressedBytes };
      const rows = endRow - firstRow;
      const texts = fillTemplates(this.#view, templates, packed, rows, textBytes);
      const filled = texts?.reduce((sum, text) => sum + text.length, 0);
      return texts === null || filled !== textBytes ? null : { firstRow, texts };
    }
    let bytes = (at: number, count: number): Uint8Array => this.bytes(address + at, count);
    if (compressedBytes !== 0) {
      const decoded = decompress(this.bytes(address, compressedBytes), textBytes);
      if (decoded === null || decoded.length !== textBytes) return null;
      for (const [i, byte] of decoded.entries()) this.#view.setByte(scratch + i, byte);
      bytes = (at, count) => decoded.slice(at, at + count);
    }
    const expanded = width === 1 ? offsetsOf(this.bytes(offsets, endRow - firstRow)) : null;
    const offset = (i: number): number => {
      if (expanded !== null) return expanded[i]!;
      return width === 2 ? this.#view.u16(offsets + i * 2) : this.#view.u32(offsets + i * 4);
    };
    const texts = Array.from({ length: endRow - firstRow }, (_, i) =>
      bytes(offset(i), offset(i + 1) - offset(i)),
    );
    return { firstRow, texts };
  }
}

function signPages(
  view: MemoryView,
  reader: PageReader,
  { address, rowsLog2 }: PageSignature,
  pages: TextPages,
  rowCount: number,
): void {
  const planes = new Uint8Array(Math.ceil(pages.pageCount / 8) << rowsLog2);
  for (let page = 0; page < pages.pageCount; page++) {
    const { texts } = reader.page(pages, page, rowCount, 0)!;
    const bytes = Buffer.concat(texts);
    for (let at = 0; at + 4 <= bytes.length; at++) {
      planes[((page >> 3) << rowsLog2) + gramRow(bytes, at, rowsLog2)]! |= 1 << (page & 7);
    }
  }
  for (const [i, byte] of planes.entries()) view.setByte(address + i, byte);
}

function selectPages(
  view: MemoryView,
  reader: PageReader,
  out: number,
  { address, rowsLog2 }: PageSignature,
  pageCount: number,
  needle: Needle,
): void {
  const bytes = reader.bytes(needle.address, needle.bytes);
  const rows = Array.from({ length: Math.max(0, bytes.length - 3) }, (_, at) =>
    gramRow(bytes, at, rowsLog2),
  );
  view.writeBits(out, pageCount, (page) =>
    rows.every((row) => view.bit(address + ((page >> 3) << rowsLog2) + row, page & 7)),
  );
}

/** The row of the four bytes from `at` on. */
function gramRow(bytes: Uint8Array, at: number, rowsLog2: number): number {
  let gram = 0;
  for (let i = 3; i >= 0; i--) gram = (gram << 8) | smallLetter(bytes[at + i]!);
  return (Math.imul(gram, 0x9e3779b1) >>> 16) & ((1 << rowsLog2) - 1);
}

const smallLetter = (byte: number): number => (byte >= 65 && byte <= 90 ? byte + 32 : byte);

function offsetsOf(lengths: Uint8Array): number[] {
  const offsets = [0];
  for (const [i, length] of lengths.entries()) offsets.push(offsets[i]! + length);
  return offsets;
}

/** LZ4's block format, byte by byte. */
function decompress(input: Uint8Array, outBytes: number): Uint8Array | null {
  const out: number[] = [];
  let at = 0;
  const lengthFrom = (nibble: number): number | null => {
    let length = nibble;
    for (let more = nibble === 15 ? 255 : 0; more === 255; ) {
      const next = input[at++];
      if (next === undefined) return null;
      more = next;
      length += more;
    }
    return length;
  };
  while (at < input.length) {
    const token = input[at++]!;
    const literals = lengthFrom(token >> 4);
    if (literals === null || at + literals > input.length) return null;
    if (out.length + literals > outBytes) return null;
    for (let i = 0; i < literals; i++) out.push(input[at++]!);
    if (at === input.length) return Uint8Array.from(out);
    if (at + 2 > input.length) return null;
    const distance = input[at]! | (input[at + 1]! << 8);
    at += 2;
    const length = lengthFrom(token & 15);
    if (length === null || distance === 0 || distance > out.length) return null;
    if (out.length + length + 4 > outBytes) return null;
    for (let i = 0; i < length + 4; i++) out.push(out[out.length - distance]!);
  }
  return null;
}
