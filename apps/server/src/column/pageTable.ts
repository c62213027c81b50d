import type { TextPages } from "@hadal/kernel-wasm";

/** Bytes of a page's entry in the directory; its words are those of the kernel's TextPages. */
export const pageEntryBytes = 28;

/** The pages of a text column, with its row count, where the last one ends. */
export interface StoredTexts extends TextPages {
  readonly rowCount: number;
}

/**
 * One page of a text column: whole rows, their UTF-8 end to end, as it is, as an LZ4 block or made
 * from templates.
 */
export interface TextPage {
  readonly address: number;
  /**
   * Bytes of the block, or of what varies in the texts' templates; 0 of a page that is stored as it
   * is.
   */
  readonly compressedBytes: number;
  readonly textBytes: number;
  readonly firstRow: number;
  readonly offsets: number;
  /** 1: lengths of an LZ4 block's texts; 0: codes of templates, which give lengths, too. */
  readonly offsetsWidth: 0 | 1 | 2 | 4;
  /** Table of the templates that the page is made from; 0: of none. */
  readonly templates: number;
}

export const isTemplated = ({ offsetsWidth }: Pick<TextPage, "offsetsWidth">): boolean =>
  offsetsWidth === 0;

/** Whether the page is stored as it is. */
export const isRaw = (page: Pick<TextPage, "compressedBytes" | "offsetsWidth">): boolean =>
  page.compressedBytes === 0 && !isTemplated(page);

export const storedBytesOf = (
  page: Pick<TextPage, "compressedBytes" | "textBytes" | "offsetsWidth">,
): number => (isRaw(page) ? page.textBytes : page.compressedBytes);

export const offsetsBytesOf = (width: TextPage["offsetsWidth"], rows: number): number =>
  width <= 1 ? rows : (rows + 1) * width;

export const offsetsWidthOf = (word: number | undefined): TextPage["offsetsWidth"] =>
  word === 0 || word === 1 || word === 2 ? word : 4;

export function writeTextPage(
  view: DataView,
  directory: number,
  index: number,
  page: TextPage,
): void {
  const entry = directory + index * pageEntryBytes;
  view.setUint32(entry, page.address, true);
  view.setUint32(entry + 4, page.compressedBytes, true);
  view.setUint32(entry + 8, page.textBytes, true);
  view.setUint32(entry + 12, page.firstRow, true);
  view.setUint32(entry + 16, page.offsets, true);
  view.setUint32(entry + 20, page.offsetsWidth, true);
  view.setUint32(entry + 24, page.templates, true);
}

export function readTextPage(view: DataView, directory: number, index: number): TextPage {
  const entry = directory + index * pageEntryBytes;
  return {
    address: view.getUint32(entry, true),
    compressedBytes: view.getUint32(entry + 4, true),
    textBytes: view.getUint32(entry + 8, true),
    firstRow: view.getUint32(entry + 12, true),
    offsets: view.getUint32(entry + 16, true),
    offsetsWidth: offsetsWidthOf(view.getUint32(entry + 20, true)),
    templates: view.getUint32(entry + 24, true),
  };
}

/** Index of the page with the row. */
export function pageOfRow(
  view: DataView,
  { directory, pageCount }: TextPages,
  row: number,
): number {
  let low = 0;
  let high = pageCount;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (view.getUint32(directory + middle * pageEntryBytes + 12, true) <= row) low = middle;
    else high = middle;
  }
  return low;
}
