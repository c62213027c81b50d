import type { KernelOperations, RawTexts, TemplateSearch } from "@hadal/kernel-wasm";
import { compressSync } from "lz4-napi";
import { align8 } from "../../base/bytes/sections.js";
import type { Steps } from "../../base/schedule/steps.js";
import type { TextPage } from "../../column/pageTable.js";
import type { TextColumn } from "../../column/segmentColumn.js";
import type { LeafMemory } from "../../memory/leafMemory.js";
import { isCompressible, pagesOf } from "./storedPages.js";

/**
 * With more templates than this lines are not made of templates; a table of them stays in the
 * nearer caches.
 */
const templatesMax = 8_192;
/** At most half full. */
const slotCount = 2 * templatesMax;
/** Offset of a template's row count in the kernel's TemplateSearch: it comes last. */
const foundTemplateBytes = 12;
/** Room for the templates that are found, three texts each. */
const foundTextsBytes = 3 * 2 ** 19;
/** Offsets within a page are made up in two bytes. */
const pageTextBytesMax = 65_535;
/** Above this share of new templates in the first page, few templates repeat. */
const firstPageShareMax = 3 / 4;
/** LZ4 is measured on one page in this many, */
const sampledEvery = 8;
/** and templates have to be smaller than it by this: a column of LZ4 needs no table. */
const lz4ShareMax = 0.9;
/** The kernel may write so far behind a packed page. */
const slackBytes = 16;

/** Pages of a text column made from templates; pages that are too long keep their form. */
export interface TemplatedText {
  readonly table: Uint8Array;
  readonly pages: ReadonlyMap<number, TemplatedPage>;
}

export interface TemplatedPage {
  readonly codes: Uint8Array;
  readonly bytes: Uint8Array;
}

interface PageInWork {
  readonly index: number;
  readonly page: TextPage;
  readonly texts: RawTexts;
  readonly rows: number;
  /**
   * u16 × rows: the templates of its rows, numbered as they were found and then as in the table.
   */
  readonly ids: number;
}

/**
 * Makes the raw pages of a column from templates, in steps of a page. Null when its texts are not
 * made of templates, or LZ4 is about as good. Works in memory of the query pool, and gives up when
 * none is free.
 */
export function* templateText(
  column: TextColumn,
  memory: LeafMemory,
  kernel: KernelOperations,
): Steps<TemplatedText | null> {
  const { bytes, queries } = memory;
  const pages = templatablePages(column, memory);
  const rows = pages.reduce((sum, page) => sum + page.rows, 0);
  if (rows === 0) return null;
  const room = new Room(rows, pages);
  const start = queries.allocate(room.bytes);
  if (start === null) return null;
  try {
    const work = new TemplateWork(room.at(start), memory, kernel);
    const inWork = placeIds(pages, room.at(start).ids);
    for (const page of inWork) {
      if (!work.find(page)) return null;
      yield;
    }
    const table = work.writeTable();
    if (table.bytes + table.rowBytes + rows > lz4ShareMax * lz4Bytes(inWork, bytes)) return null;
    const packed = new Map<number, TemplatedPage>();
    for (const page of inWork) {
      packed.set(page.index, work.pack(page));
      yield;
    }
    return { table: work.tableBytes(), pages: packed };
  } finally {
    queries.release(start);
  }
}

function templatablePages(column: TextColumn, memory: LeafMemory): Omit<PageInWork, "ids">[] {
  const pages = pagesOf(column, memory);
  return pages.flatMap((page, index) => {
    const { address, offsets, offsetsWidth, firstRow, textBytes } = page;
    if (!isCompressible(page) || textBytes > pageTextBytesMax) return [];
    if (offsetsWidth !== 2 && offsetsWidth !== 4) return [];
    const endRow = pages[index + 1]?.firstRow ?? column.rowCount;
    return [{ index, page, texts: { address, offsets, offsetsWidth }, rows: endRow - firstRow }];
  });
}

function placeIds(pages: readonly Omit<PageInWork, "ids">[], start: number): PageInWork[] {
  let ids = start;
  return pages.map((page) => {
    const placed = { ...page, ids };
    ids += page.rows * 2;
    return placed;
  });
}

/** What LZ4 would make of the pages, their lengths included. */
function lz4Bytes(pages: readonly PageInWork[], memory: Uint8Array): number {
  let textBytes = 0;
  let sampledBytes = 0;
  let sampledTextBytes = 0;
  for (const [i, { page, rows }] of pages.entries()) {
    textBytes += page.textBytes;
    if (i % sampledEvery !== 0) continue;
    const text = memory.slice(page.address, page.address + page.textBytes);
    sampledBytes += compressSync(Buffer.from(text.buffer)).length + rows;
    sampledTextBytes += page.textBytes;
  }
  return (sampledBytes * textBytes) / sampledTextBytes;
}

/** Addresses of the parts of the scratch. */
interface Places {
  readonly search: TemplateSearch;
  readonly ids: number;
  readonly order: number;
  readonly table: number;
  readonly codes: number;
  readonly packed: number;
}

class Room {
  readonly bytes: number;
  readonly #sizes: readonly number[];

  constructor(rows: number, pages: readonly Pick<PageInWork, "rows" | "page">[]) {
    const pageRowsMax = pages.reduce((most, page) => Math.max(most, page.rows), 0);
    this.#sizes = [
      slotCount * 4,
      templatesMax * foundTemplateBytes,
      foundTextsBytes,
      rows * 2,
      templatesMax * 4,
      // The head and entries of eight bytes each, then a third of the found templates.
      16 + templatesMax * 8 + foundTextsBytes / 3,
      pageRowsMax,
      // Half a byte for each of the text at most, and a number before each row.
      pageTextBytesMax + pageRowsMax * 3 + slackBytes,
    ].map(align8);
    this.bytes = this.#sizes.reduce((sum, size) => sum + size, 0);
  }

  at(start: number): Places {
    let next = start;
    const [slots, found, texts, ids, order, table, codes, packed] = this.#sizes.map((size) => {
      const address = next;
      next += size;
      return address;
    }) as [number, number, number, number, number, number, number, number];
    const rooms = { slotCount, foundMax: templatesMax, textsBytes: foundTextsBytes };
    return { search: { slots, found, texts, ...rooms }, ids, order, table, codes, packed };
  }
}

class TemplateWork {
  #count = 0;
  #tableBytes = 0;
  /** Of a template in the table by its number when it was found. */
  #ranks = new Uint16Array(0);
  readonly #places: Places;
  readonly #memory: Pick<LeafMemory, "memory" | "bytes">;
  readonly #kernel: KernelOperations;

  constructor(
    places: Places,
    memory: Pick<LeafMemory, "memory" | "bytes">,
    kernel: KernelOperations,
  ) {
    this.#places = places;
    this.#memory = memory;
    this.#kernel = kernel;
    const { slots } = places.search;
    kernel.clearKeys(slots, slotCount / 2);
  }

  /** False when templates save too little. */
  find({ ids, texts, rows }: PageInWork): boolean {
    const isFirst = this.#count === 0;
    const count = this.#kernel.findTemplates(ids, this.#places.search, this.#count, texts, rows);
    if (count < 0 || (isFirst && count > 1 && count > rows * firstPageShareMax)) return false;
    this.#count = count;
    return true;
  }

  /**
   * Frequent templates first: their numbers fit a byte. Returns the bytes of the table, and what
   * rows take beside their codes.
   */
  writeTable(): { readonly bytes: number; readonly rowBytes: number } {
    const { search, order, table } = this.#places;
    const view = new DataView(this.#memory.memory.buffer);
    const rowsOf = Uint32Array.from({ length: this.#count }, (_, id) =>
      view.getUint32(search.found + id * foundTemplateBytes + 8, true),
    );
    const ranked = Array.from(rowsOf.keys()).sort((a, b) => rowsOf[b]! - rowsOf[a]!);
    this.#ranks = new Uint16Array(this.#count);
    for (const [rank, id] of ranked.entries()) {
      this.#ranks[id] = rank;
      view.setUint32(order + rank * 4, id, true);
    }
    this.#tableBytes = this.#kernel.writeTemplates(table, search, order, this.#count);
    const rowBytes = ranked.reduce((sum, id, rank) => {
      const packedBytes = view.getUint16(table + 8 + rank * 8 + 6, true);
      return sum + rowsOf[id]! * (packedBytes + (rank < 255 ? 0 : 2));
    }, 0);
    return { bytes: this.#tableBytes, rowBytes };
  }

  pack({ ids, texts, rows }: PageInWork): TemplatedPage {
    const { codes, packed, table } = this.#places;
    const numbers = new Uint16Array(this.#memory.memory.buffer, ids, rows);
    for (let row = 0; row < rows; row++) numbers[row] = this.#ranks[numbers[row]!]!;
    const count = this.#kernel.packTemplates(packed, codes, ids, table, texts, rows);
    const { bytes } = this.#memory;
    return { codes: bytes.slice(codes, codes + rows), bytes: bytes.slice(packed, packed + count) };
  }

  tableBytes(): Uint8Array {
    const { table } = this.#places;
    return this.#memory.bytes.slice(table, table + this.#tableBytes);
  }
}
