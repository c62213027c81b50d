import type { KernelOperations, OpenTexts } from "@hadal/kernel-wasm";
import {
  isRaw,
  isTemplated,
  pageOfRow,
  readTextPage,
  type StoredTexts,
  type TextPage,
} from "./pageTable.js";

/** A page with more text than this, of one long value that is, is never compressed: a thread's room for a decompressed page ends here. */
export const compressedTextBytesMax = 2 ** 20;
/** What the kernel may write behind a decompressed page. */
const decompressSlackBytes = 16;
/** A page without offsets has less than 64 KB of text: this far behind its beginning, its offsets have room. */
const expandedOffsetsAt = 2 ** 17;
export const pageScratchBytes = compressedTextBytesMax + decompressSlackBytes;

/** Reads single texts, decompressing a page once for all of its rows that are read in a row. */
export interface TextReader {
  text(pages: StoredTexts, row: number): string;
  /** Opens the pages of these rows, which ascend, one after the other, each with its rows' places in the list. */
  eachPage(
    pages: StoredTexts,
    rows: Uint32Array,
    visit: (texts: OpenTexts, first: number, end: number) => void,
  ): void;
}

/** Room for one decompressed page, which whoever shares it may overwrite: then `holder` is no longer who wrote it. */
export interface PageScratch {
  readonly address: number;
  holder: unknown;
}

export function createTextReader(
  memory: WebAssembly.Memory,
  kernel: KernelOperations,
  scratch: PageScratch,
): TextReader {
  return new PageTextReader(memory, kernel, scratch);
}

/** A page whose texts can be read, with offsets in any case. */
interface ReadablePage extends TextPage {
  /** It was not stored as it is: its bytes are in the scratch. */
  readonly isDecompressed: boolean;
}

class PageTextReader implements TextReader {
  readonly #view: DataView;
  readonly #bytes: Buffer;
  /** The page read last, and the rows it holds. */
  #page: ReadablePage | null = null;
  #directory = 0;
  #endRow = 0;

  constructor(
    memory: WebAssembly.Memory,
    private readonly kernel: KernelOperations,
    private readonly scratch: PageScratch,
  ) {
    this.#view = new DataView(memory.buffer);
    this.#bytes = Buffer.from(memory.buffer);
  }

  text(pages: StoredTexts, row: number): string {
    const page = this.#pageOf(pages, row);
    const bytes = this.#bytesOf(page);
    const index = row - page.firstRow;
    const from = bytes + this.#offset(page, index);
    const to = bytes + this.#offset(page, index + 1);
    return this.#bytes.toString("utf8", from, to);
  }

  eachPage(
    pages: StoredTexts,
    rows: Uint32Array,
    visit: (texts: OpenTexts, first: number, end: number) => void,
  ): void {
    for (let first = 0; first < rows.length; ) {
      const page = this.#pageOf(pages, rows[first]!);
      let end = first + 1;
      while (end < rows.length && rows[end]! < this.#endRow) end++;
      visit({ ...page, bytes: this.#bytesOf(page) }, first, end);
      first = end;
    }
  }

  #bytesOf({ isDecompressed, address }: ReadablePage): number {
    return isDecompressed ? this.scratch.address : address;
  }

  #pageOf(pages: StoredTexts, row: number): ReadablePage {
    const last = this.#page;
    const isSame =
      last !== null &&
      this.#directory === pages.directory &&
      row >= last.firstRow &&
      row < this.#endRow;
    if (isSame && (!last.isDecompressed || this.scratch.holder === this)) return last;
    const index = pageOfRow(this.#view, pages, row);
    const stored = readTextPage(this.#view, pages.directory, index);
    const endRow =
      index + 1 < pages.pageCount
        ? readTextPage(this.#view, pages.directory, index + 1).firstRow
        : pages.rowCount;
    const page = isRaw(stored)
      ? { ...stored, isDecompressed: false }
      : this.#decompress(stored, endRow);
    this.#page = page;
    this.#directory = pages.directory;
    this.#endRow = endRow;
    return page;
  }

  #decompress(page: TextPage, endRow: number): ReadablePage {
    const { address, compressedBytes, textBytes, offsetsWidth, firstRow } = page;
    this.scratch.holder = this;
    const { address: out } = this.scratch;
    const offsets = out + expandedOffsetsAt;
    const rows = endRow - firstRow;
    const packed = { codes: page.offsets, address, bytes: compressedBytes };
    const found = isTemplated(page)
      ? this.kernel.fillTemplates(out, textBytes, offsets, page.templates, packed, rows)
      : this.kernel.lz4Decompress(out, textBytes, address, compressedBytes);
    if (found !== textBytes) throw new Error(`a page of text is damaged: ${found}`);
    if (offsetsWidth > 1) return { ...page, isDecompressed: true };
    if (offsetsWidth === 1) this.kernel.expandLengths(offsets, page.offsets, rows);
    return { ...page, offsets, offsetsWidth: 2, isDecompressed: true };
  }

  #offset({ offsets, offsetsWidth }: TextPage, index: number): number {
    return offsetsWidth === 2
      ? this.#view.getUint16(offsets + index * 2, true)
      : this.#view.getUint32(offsets + index * 4, true);
  }
}
