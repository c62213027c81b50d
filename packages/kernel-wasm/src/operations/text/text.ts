import { TEMPLATES_MAX } from "../../../assembly/abi.js";
import type { BitmapAddress } from "../../base/addresses.js";

/**
 * A text column: UTF-8 end to end in pages of whole rows, and a directory with one entry a page.
 *
 *   | address u32 | compressedBytes u32 | textBytes u32 | firstRow u32 | offsets u32 | offsetsWidth u32 | templates u32 |
 *
 * A page is raw when compressedBytes and templates are 0, made from the table of templates at that
 * address (see TemplateOperations) when there is one, else an LZ4 block. Text i is the bytes
 * [offset i, offset i + 1) of the page as it was; offsets take 2 or 4 bytes. An LZ4 block may have
 * an offsetsWidth of 1: then there are the lengths of its texts instead, a byte each, which
 * together are below 65,536 and are the whole page. A page from templates has an offsetsWidth of 0,
 * its codes in their place, and is below 65,536 bytes, too. The last page holds all rows from its
 * first one on; textBytes is of use where pages are not raw. At least 16 readable bytes follow each
 * page and each needle.
 */
export interface TextPages {
  readonly directory: number;
  readonly pageCount: number;
}

/** Bytes to look for. */
export interface Needle {
  readonly address: number;
  /** >= 1. */
  readonly bytes: number;
  /**
   * Whether A–Z and a–z are the same; the needle has only small ones then. All other bytes count as
   * they are.
   */
  readonly fold: boolean;
}

/**
 * Which hashes occur in which pages: for every eight pages a plane of 2^rowsLog2 bytes, whose byte
 * h has a bit for each page that holds hash h.
 */
export interface PageSignature {
  readonly address: number;
  readonly rowsLog2: number;
}

/** Bytes that a search keeps of templates, before the page that it decompresses. */
export const templateMatchBytes: number = TEMPLATES_MAX;
/** Bytes of a page's entry in the directory. */
export const pageEntryBytes = 28;
/** Bytes that a decompressed page may take beyond its text. */
export const decompressSlackBytes = 16;
/**
 * Where the offsets of a page that has none go in that memory: at a multiple of 16 behind text and
 * slack.
 */
export const expandedOffsetsAt = (scratch: number, textBytes: number): number =>
  scratch + Math.floor((textBytes + 31) / 16) * 16;

export interface TextOperations {
  /**
   * out (a bitmap of rows, whole words) = the text of row i contains the needle, in the pages whose
   * bit is set in `selected` (0: all pages). A hit never spans two rows. `scratch` has room for
   * templateMatchBytes and behind them for the largest compressed page, decompressed, and its
   * slack, and for the offsets of one that has none (see expandedOffsetsAt) and 16 bytes behind
   * them. Returns the bytes of text searched, or -1 when a page is damaged.
   */
  searchPages(
    out: BitmapAddress,
    pages: TextPages,
    rowCount: number,
    selected: BitmapAddress,
    needle: Needle,
    scratch: number,
  ): number;
  /**
   * out = all four bytes in a row of every raw page's texts, A–Z made a–z, hashed to rowsLog2 bits.
   */
  signPages(out: PageSignature, pages: TextPages, rowCount: number): void;
  /**
   * out (a bitmap of pages) = the page may hold the needle, in whatever case: never 0 for one that
   * does. Needles below four bytes select every page.
   */
  selectPages(
    out: BitmapAddress,
    signature: PageSignature,
    pageCount: number,
    needle: Needle,
  ): void;
  /**
   * Reads an LZ4 block; returns how many bytes it held, or -1 when it is damaged or holds more than
   * outBytes. 16 bytes behind both regions may be read, and those behind `out` written.
   */
  lz4Decompress(out: number, outBytes: number, input: number, inputBytes: number): number;
  /**
   * out (u16, rows + 1 of them) = the offsets of texts with these lengths (u8), which begin with 0.
   */
  expandLengths(out: number, lengths: number, rows: number): void;
  /**
   * Packs the texts of rows order[0, rowCount) end to end: text i is the bytes [offsets[i],
   * offsets[i + 1]) at `bytes`, offsets u32. The new offsets begin with 0 and take outWidth bytes.
   */
  packTexts(
    out: number,
    outOffsets: number,
    outWidth: 2 | 4,
    bytes: number,
    offsets: number,
    order: number,
    rowCount: number,
  ): void;
}

/** The operations of assembly/text/textPages.ts, textSignature.ts, lz4.ts and packTexts.ts. */
export function textOperations(exports: WebAssembly.Exports): TextOperations {
  const wasm = exports as unknown as TextExports;
  return {
    searchPages: (out, { directory, pageCount }, rowCount, selected, needle, scratch) =>
      wasm.searchPages(
        ...([out, directory, pageCount, rowCount, selected] as const),
        ...([needle.address, needle.bytes, needle.fold ? 1 : 0, scratch] as const),
      ),
    signPages: ({ address, rowsLog2 }, { directory, pageCount }, rowCount) =>
      wasm.signPages(address, rowsLog2, directory, pageCount, rowCount),
    selectPages: (out, { address, rowsLog2 }, pageCount, needle) =>
      wasm.selectPages(out, address, rowsLog2, pageCount, needle.address, needle.bytes),
    lz4Decompress: wasm.lz4Decompress,
    expandLengths: wasm.expandLengths,
    packTexts: wasm.packTexts,
  };
}

interface TextExports
  extends Pick<TextOperations, "lz4Decompress" | "expandLengths" | "packTexts"> {
  searchPages(
    ...a: [
      ...[out: number, directory: number, pageCount: number, rowCount: number, selected: number],
      ...[needle: number, needleBytes: number, fold: 0 | 1, scratch: number],
    ]
  ): number;
  signPages(
    ...a: [out: number, rowsLog2: number, directory: number, pageCount: number, rowCount: number]
  ): void;
  selectPages(
    ...a: [
      ...[out: number, signature: number, rowsLog2: number, pageCount: number],
      ...[needle: number, needleBytes: number],
    ]
  ): void;
}
