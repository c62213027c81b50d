import type { KernelOperations, OpenTexts } from "@hadal/kernel-wasm";
import {
  isRaw,
  isTemplated,
  pageOfRow,
  readTextPage,
  type StoredTexts,
  type TextPage,
} from "./pageTable.js";

/**
 * A page with more text than this, of one long value that is, is never compressed: a thread's room
 * for a decompressed page ends here.
 */
export const compressedTextBytesMax = 2 ** 20;
/** Bytes that the kernel may write behind a decompressed page. */
const decompressSlackBytes = 16;
/**
 * A page without offsets has less than 64 KB of text: this far behind its beginning, its offsets
 * have room.
 */
const expandedOffsetsAt = 2 ** 17;
export const pageScratchBytes = compressedTextBytesMax + decompressSlackBytes;
/** Room for a page of less than 64 KB, with the offsets that are made for its rows. */
export const smallPageBytes = (rowsMax: number): number =>
  expandedOffsetsAt + (rowsMax + 1) * 2 + decompressSlackBytes;

/** Reads single texts, decompressing a page once for all of its rows that are read in a row. */
export interface TextReader {
  text(pages: StoredTexts, row: number): string;
  /**
   * The position of a text's UTF-8, in an object that is reused: valid until the next text is read.
   */
  place(pages: StoredTexts, row: number): Readonly<TextPlace>;
  /**
   * Opens the pages of these rows, which ascend, one after the other, each with its rows' places in
   * the list.
   */
  eachPage(
    pages: StoredTexts,
    rows: Uint32Array,
    visit: (texts: OpenTexts, first: number, end: number) => void,
  ): void;
}

export interface TextPlace {
  readonly bytes: DataView;
  start: number;
  end: number;
}

/**
 * Room for one decompressed page, which its users share: `holder` is the one that wrote it last.
 */
export interface PageRoom {
  readonly address: number;
  holder: unknown;
}

/**
 * Room for pages: the first for any page, the others below 64 KB each. Each room lets one
 * column be read row by row.
 */
export type PageRooms = readonly [PageRoom, ...PageRoom[]];

export function createTextReader(
  memory: WebAssembly.Memory,
  kernel: KernelOperations,
  rooms: PageRooms,
): TextReader {
  return new PageTextReader(memory, kernel, rooms);
}

/** A page whose texts can be read, with offsets in any case. */
interface ReadablePage extends TextPage {
  /** The address of its text. */
  readonly bytes: number;
  /** It was not stored as it is: its bytes are in the room. */
  readonly isDecompressed: boolean;
}

/** The page that was last read with a room. */
interface OpenPage {
  readonly page: ReadablePage;
  readonly directory: number;
  readonly endRow: number;
}

class PageTextReader implements TextReader {
  readonly #kernel: KernelOperations;
  readonly #rooms: PageRooms;
  readonly #view: DataView;
  readonly #place: TextPlace;
  readonly #bytes: Buffer;
  /** One for each room, whether its page needs one or not. */
  readonly #open: (OpenPage | null)[];
  /** Index of the one that was read last. */
  #last = 0;

  constructor(memory: WebAssembly.Memory, kernel: KernelOperations, rooms: PageRooms) {
    this.#kernel = kernel;
    this.#rooms = rooms;
    this.#view = new DataView(memory.buffer);
    this.#place = { bytes: this.#view, start: 0, end: 0 };
    this.#bytes = Buffer.from(memory.buffer);
    this.#open = rooms.map(() => null);
  }

  text(pages: StoredTexts, row: number): string {
    const { start, end } = this.place(pages, row);
    return this.#bytes.toString("utf8", start, end);
  }

  place(pages: StoredTexts, row: number): Readonly<TextPlace> {
    const { page } = this.#openPage(pages, row);
    const index = row - page.firstRow;
    this.#place.start = page.bytes + this.#offset(page, index);
    this.#place.end = page.bytes + this.#offset(page, index + 1);
    return this.#place;
  }

  eachPage(
    pages: StoredTexts,
    rows: Uint32Array,
    visit: (texts: OpenTexts, first: number, end: number) => void,
  ): void {
    for (let first = 0; first < rows.length; ) {
      const { page, endRow } = this.#openPage(pages, rows[first]!);
      let end = first + 1;
      while (end < rows.length && rows[end]! < endRow) end++;
      visit(page, first, end);
      first = end;
    }
  }

  #openPage(pages: StoredTexts, row: number): OpenPage {
    const { directory } = pages;
    for (let i = 0; i < this.#open.length; i++) {
      const at = (this.#last + i) % this.#open.length;
      const open = this.#open[at]!;
      if (open === null || open.directory !== directory) continue;
      if (row < open.page.firstRow || row >= open.endRow) continue;
      if (open.page.isDecompressed && this.#rooms[at]!.holder !== this) continue;
      this.#last = at;
      return open;
    }
    return this.#read(pages, row);
  }

  #read(pages: StoredTexts, row: number): OpenPage {
    const { directory } = pages;
    const index = pageOfRow(this.#view, pages, row);
    const stored = readTextPage(this.#view, directory, index);
    const endRow =
      index + 1 < pages.pageCount
        ? readTextPage(this.#view, directory, index + 1).firstRow
        : pages.rowCount;
    const at = this.#roomFor(stored, directory);
    const page = isRaw(stored)
      ? { ...stored, bytes: stored.address, isDecompressed: false }
      : this.#decompress(stored, endRow, this.#rooms[at]!);
    const open = { page, directory, endRow };
    this.#open[at] = open;
    this.#last = at;
    return open;
  }

  /** That of the same column's page before, or else the one after that which was read last. */
  #roomFor(page: TextPage, directory: number): number {
    if (page.textBytes >= expandedOffsetsAt / 2) return 0;
    const same = this.#open.findIndex((open) => open?.directory === directory);
    return same >= 0 ? same : (this.#last + 1) % this.#rooms.length;
  }

  #decompress(page: TextPage, endRow: number, room: PageRoom): ReadablePage {
    const { address, compressedBytes, textBytes, offsetsWidth, firstRow } = page;
    room.holder = this;
    const bytes = room.address;
    const offsets = bytes + expandedOffsetsAt;
    const rows = endRow - firstRow;
    const packed = { codes: page.offsets, address, bytes: compressedBytes };
    const found = isTemplated(page)
      ? this.#kernel.fillTemplates(bytes, textBytes, offsets, page.templates, packed, rows)
      : this.#kernel.lz4Decompress(bytes, textBytes, address, compressedBytes);
    if (found !== textBytes) throw new Error(`a page of text is damaged: ${found}`);
    if (offsetsWidth > 1) return { ...page, bytes, isDecompressed: true };
    if (offsetsWidth === 1) this.#kernel.expandLengths(offsets, page.offsets, rows);
    return { ...page, bytes, offsets, offsetsWidth: 2, isDecompressed: true };
  }

  #offset({ offsets, offsetsWidth }: TextPage, index: number): number {
    return offsetsWidth === 2
      ? this.#view.getUint16(offsets + index * 2, true)
      : this.#view.getUint32(offsets + index * 4, true);
  }
}
