import type { KernelOperations, PageSignature, TextPages } from "@hadal/kernel-wasm";
import { pageEntryBytes, readTextPage, writeTextPage } from "../../column/pageTable.js";
import type { TextColumn } from "../../column/segmentColumn.js";
import type { LeafMemory } from "../../memory/leafMemory.js";

/** Offsets within a page take two bytes up to here. */
const pageTextBytesMax = 65_535;
/** Reading fewer pages takes less time than ruling them out. */
const signedPagesMin = 8;
/** A signature that is fuller rules out too little; one that is emptier could be half as large. */
const signatureFillMax = 0.4;
const unsignedFillMin = 0.8;
/** The kernel distinguishes 2^16 hashes; half of them are 4 KB a page. */
const signatureRowsLog2Max = 15;
const signatureRowsLog2Min = 8;

export interface SealTextContext {
  readonly memory: LeafMemory;
  readonly kernel: KernelOperations;
  /** Takes memory that the sealed segment keeps. */
  readonly allocate: (bytes: number) => number;
  /** Takes memory that is given back once it is sealed. */
  readonly takeScratch: (bytes: number) => number;
}

interface PlannedPage {
  readonly firstRow: number;
  readonly endRow: number;
  readonly textBytes: number;
}

/**
 * Packs the texts of rows in this order (u32 × rowCount) into pages. `present`: the bitmap of the
 * sealed column.
 */
export function sealText(
  open: TextColumn,
  present: number,
  { order, rowCount }: { readonly order: number; readonly rowCount: number },
  context: SealTextContext,
): TextColumn {
  const { memory, kernel, allocate } = context;
  const view = new DataView(memory.memory.buffer);
  const { address, offsets } = readTextPage(view, open.directory, 0);
  const planned = planPages(memory, offsets, order, rowCount);
  const textBytes = planned.reduce((sum, page) => sum + page.textBytes, 0);
  const pages = { directory: allocate(planned.length * pageEntryBytes), pageCount: planned.length };
  let textAt = allocate(textBytes);
  let offsetsAt = allocate(planned.reduce((sum, page) => sum + offsetsBytes(page), 0));
  planned.forEach((page, index) => {
    const { firstRow, endRow } = page;
    const width = offsetsWidth(page);
    const rows = endRow - firstRow;
    writeTextPage(view, pages.directory, index, {
      address: textAt,
      compressedBytes: 0,
      textBytes: page.textBytes,
      firstRow,
      offsets: offsetsAt,
      offsetsWidth: width,
      templates: 0,
    });
    kernel.packTexts(textAt, offsetsAt, width, address, offsets, order + firstRow * 4, rows);
    textAt += page.textBytes;
    offsetsAt += offsetsBytes(page);
  });
  const signature = signText(pages, rowCount, context);
  return { kind: "text", ...pages, rowCount, textBytes, templates: null, signature, present };
}

const offsetsWidth = ({ textBytes }: PlannedPage): 2 | 4 => (textBytes > pageTextBytesMax ? 4 : 2);

/** Whole words of four bytes, so that the next page's offsets are aligned. */
const offsetsBytes = (page: PlannedPage): number =>
  Math.ceil(((page.endRow - page.firstRow + 1) * offsetsWidth(page)) / 4) * 4;

/**
 * Fills each page with whole rows; a text longer than a page has one alone, with empty texts at
 * most.
 */
function planPages(
  { memory }: LeafMemory,
  offsetsAddress: number,
  orderAddress: number,
  rowCount: number,
): PlannedPage[] {
  const offsets = new Uint32Array(memory.buffer, offsetsAddress, rowCount + 1);
  const order = new Uint32Array(memory.buffer, orderAddress, rowCount);
  const pages: PlannedPage[] = [];
  let firstRow = 0;
  let textBytes = 0;
  for (let row = 0; row < rowCount; row++) {
    const bytes = offsets[order[row]! + 1]! - offsets[order[row]!]!;
    if (textBytes > 0 && textBytes + bytes > pageTextBytesMax) {
      pages.push({ firstRow, endRow: row, textBytes });
      firstRow = row;
      textBytes = 0;
    }
    textBytes += bytes;
  }
  pages.push({ firstRow, endRow: rowCount, textBytes });
  return pages;
}

/**
 * Signs with the largest number of hashes, then folds the planes in halves while they stay sparse.
 */
function signText(
  pages: TextPages,
  rowCount: number,
  { memory, kernel, allocate, takeScratch }: SealTextContext,
): PageSignature | null {
  const { pageCount } = pages;
  if (pageCount < signedPagesMin) return null;
  const planes = Math.ceil(pageCount / 8);
  const scratch = takeScratch(planes << signatureRowsLog2Max);
  let rowsLog2 = signatureRowsLog2Max;
  kernel.signPages({ address: scratch, rowsLog2 }, pages, rowCount);
  const fill = (): number =>
    kernel.countSelected(scratch, planes << (rowsLog2 + 3)) / (pageCount * 2 ** rowsLog2);
  if (fill() > unsignedFillMin) return null;
  // Two halves together are at most twice as full as each.
  while (rowsLog2 > signatureRowsLog2Min && 2 * fill() <= signatureFillMax) {
    rowsLog2--;
    const half = 2 ** rowsLog2;
    for (let plane = 0; plane < planes; plane++) {
      const from = scratch + plane * 2 * half;
      kernel.orInto(from, from + half, half * 8);
      memory.bytes.copyWithin(scratch + plane * half, from, from + half);
    }
  }
  const bytes = planes << rowsLog2;
  const address = allocate(bytes);
  memory.bytes.copyWithin(address, scratch, scratch + bytes);
  return { address, rowsLog2 };
}
