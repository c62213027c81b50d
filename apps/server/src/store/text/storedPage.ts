import { offsetsBytesOf, storedBytesOf, type TextPage } from "../../column/pageTable.js";
import type { LeafMemory } from "../../memory/leafMemory.js";
import type { TemplatedPage } from "./templateText.js";

/** A text's length takes one byte up to here. */
const lengthMax = 255;
/** Offsets of a page with lengths are made up in two bytes. */
const lengthsTextBytesMax = 65_535;

/** A page as it is stored from now on: its bytes, and its offsets, lengths or codes. */
export interface StoredPage {
  readonly page: TextPage;
  readonly bytes: Uint8Array;
  readonly offsets: Uint8Array;
}

/**
 * The stored form of a page in memory: its LZ4 block, or, when that is null, its present bytes as
 * views.
 */
export function storedPage(
  page: TextPage,
  endRow: number,
  block: Uint8Array | null,
  { bytes: memoryBytes }: LeafMemory,
): StoredPage {
  const at = (address: number, length: number): Uint8Array =>
    memoryBytes.subarray(address, address + length);
  const rows = endRow - page.firstRow;
  const offsets = at(page.offsets, offsetsBytesOf(page.offsetsWidth, rows));
  if (block === null) return { page, bytes: at(page.address, storedBytesOf(page)), offsets };
  const compressed: TextPage = { ...page, compressedBytes: block.length };
  const lengths = lengthsOf(page, offsets, rows);
  return lengths === null
    ? { page: compressed, bytes: block, offsets }
    : { page: { ...compressed, offsetsWidth: 1 }, bytes: block, offsets: lengths };
}

/** The form of a page made from templates; the address of their table is set later. */
export function templatedPage(page: TextPage, { bytes, codes }: TemplatedPage): StoredPage {
  const templated: TextPage = { ...page, compressedBytes: bytes.length, offsetsWidth: 0 };
  return { page: templated, bytes, offsets: codes };
}

/** The lengths of a page's texts, a byte each; null when one does not fit. */
function lengthsOf(page: TextPage, offsets: Uint8Array, rows: number): Uint8Array | null {
  if (page.textBytes > lengthsTextBytesMax || page.offsetsWidth <= 1) return null;
  const view = new DataView(offsets.buffer, offsets.byteOffset, offsets.length);
  const wide = page.offsetsWidth === 4;
  const offset = (index: number): number =>
    wide ? view.getUint32(index * 4, true) : view.getUint16(index * 2, true);
  const lengths = new Uint8Array(rows);
  for (let row = 0, from = offset(0); row < rows; row++) {
    const to = offset(row + 1);
    if (to - from > lengthMax) return null;
    lengths[row] = to - from;
    from = to;
  }
  return lengths;
}
