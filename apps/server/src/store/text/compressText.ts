import { compress } from "lz4-napi";
import {
  isTemplated,
  pageEntryBytes,
  storedBytesOf,
  writeTextPage,
} from "../../column/pageTable.js";
import type { SegmentColumn, TextColumn } from "../../column/segmentColumn.js";
import type { LeafMemory } from "../../memory/leafMemory.js";
import { Pins } from "../../memory/pins.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import type { TableContext } from "../segment/tableContext.js";
import {
  type FoldedSignature,
  foldSignature,
  lz4FillMax,
  templatedFillMax,
} from "./foldSignature.js";
import { type StoredPage, storedPage, templatedPage } from "./storedPage.js";
import { isCompressible, pagesOf } from "./storedPages.js";
import { templateText } from "./templateText.js";
import { worthwhileBlock } from "./textCodec.js";

export interface CompressContext extends Pick<TableContext, "memory" | "kernel"> {
  /** Awaited between steps of the main thread. */
  readonly pause: () => Promise<unknown>;
}

/** What compressing the texts of this segment would read. */
export function rawTextBytesOf(segment: SealedSegment, memory: LeafMemory): number {
  let bytes = 0;
  for (const column of segment.columns.values()) {
    if (column.kind !== "text") continue;
    for (const page of pagesOf(column, memory)) if (isCompressible(page)) bytes += page.textBytes;
  }
  return bytes;
}

export interface CompressedSegment {
  readonly segment: SealedSegment;
  /**
   * Releases memory that only the old form uses, after its last reader. Called once the new form
   * has replaced it.
   */
  retireOld(): void;
  /** Releases the new form instead. */
  drop(): void;
}

/**
 * The same segment with texts as templates or LZ4 blocks; the other columns are shared. Blocks are
 * compressed on the process's thread pool, templates here, page by page. The caller keeps the
 * segment pinned. Null when there is no room.
 */
export async function compressText(
  old: SealedSegment,
  context: CompressContext,
): Promise<CompressedSegment | null> {
  const { memory } = context;
  const columns = new Map<string, SegmentColumn>(old.columns);
  const columnBytes = new Map(old.columnBytes);
  const made: number[] = [];
  const left = new Set<number>();
  const release = (addresses: Iterable<number>): void => {
    for (const address of addresses) memory.store.release(address);
  };
  for (const [name, column] of old.columns) {
    if (column.kind !== "text" || column.templates !== null) continue;
    const compressed = await compressPages(column, context).catch((error: unknown) => {
      release(made);
      throw error;
    });
    const { signature } = column;
    const fillMax = compressed.table === null ? lz4FillMax : templatedFillMax;
    const folded = signature && foldSignature(signature, column.pageCount, memory, fillMax);
    const placed = placePages(column, compressed, memory, folded);
    if (placed === null) {
      release(made);
      return null;
    }
    const first = pagesOf(column, memory)[0]!;
    const leaves = [column.directory, first.address, first.offsets];
    if (signature !== null) leaves.push(signature.address);
    const bytes = (addresses: readonly number[]): number =>
      addresses.reduce((sum, address) => sum + memory.store.bytesOf(address), 0);
    columns.set(name, placed.column);
    columnBytes.set(name, (columnBytes.get(name) ?? 0) + bytes(placed.extents) - bytes(leaves));
    made.push(...placed.extents);
    for (const address of leaves) left.add(address);
  }
  const segment: SealedSegment = {
    ...old,
    columns,
    columnBytes,
    bytes: [...columnBytes.values()].reduce((sum, bytes) => sum + bytes, 0),
    extents: [...old.extents.filter((address) => !left.has(address)), ...made],
    pins: new Pins(),
  };
  // What both forms share must outlive the readers of the old one.
  segment.pins.pin();
  return {
    segment,
    retireOld: () =>
      old.pins.retire(() => {
        release(left);
        segment.pins.unpin();
      }),
    drop: () => release(made),
  };
}

interface CompressedPages {
  readonly stored: readonly StoredPage[];
  /** Of the templates that pages are made from. */
  readonly table: Uint8Array | null;
}

async function compressPages(
  column: TextColumn,
  { memory, kernel, pause }: CompressContext,
): Promise<CompressedPages> {
  const stored: StoredPage[] = [];
  const pages = pagesOf(column, memory);
  const steps = templateText(column, memory, kernel);
  let step = steps.next();
  try {
    for (; step.done !== true; step = steps.next()) await pause();
  } finally {
    steps.return(null);
  }
  const templated = step.value;
  for (const [index, page] of pages.entries()) {
    const made = templated?.pages.get(index);
    if (made !== undefined) {
      stored.push(templatedPage(page, made));
      continue;
    }
    const bytes = memory.bytes.slice(page.address, page.address + storedBytesOf(page));
    const block = isCompressible(page)
      ? worthwhileBlock(await compress(bytes), page.textBytes)
      : null;
    const endRow = pages[index + 1]?.firstRow ?? column.rowCount;
    stored.push(storedPage(page, endRow, block, memory));
  }
  return { stored, table: templated?.table ?? null };
}

/** The column in new memory; null when there is no room. */
function placePages(
  column: TextColumn,
  { stored, table }: CompressedPages,
  { memory, bytes, store }: LeafMemory,
  folded: FoldedSignature | null,
): { column: TextColumn; extents: readonly number[] } | null {
  const sizes = [
    stored.length * pageEntryBytes,
    stored.reduce((sum, page) => sum + page.bytes.length, 0),
    stored.reduce((sum, page) => sum + page.offsets.length, 0),
    table?.length ?? 0,
    ...(folded === null ? [] : [folded.bytes.length]),
  ];
  const extents: number[] = [];
  for (const size of sizes) {
    const address = store.allocate(size);
    if (address === null) {
      for (const taken of extents) store.release(taken);
      return null;
    }
    extents.push(address);
  }
  const [directory, blocks, offsets, tableAt, signatureAt] = extents as [
    ...[directory: number, blocks: number, offsets: number, table: number],
    signature?: number,
  ];
  const view = new DataView(memory.buffer);
  let address = blocks;
  let offsetsAt = offsets;
  stored.forEach((one, index) => {
    bytes.set(one.bytes, address);
    bytes.set(one.offsets, offsetsAt);
    const templates = isTemplated(one.page) ? tableAt : 0;
    writeTextPage(view, directory, index, { ...one.page, address, offsets: offsetsAt, templates });
    address += one.bytes.length;
    offsetsAt += one.offsets.length;
  });
  if (table !== null) bytes.set(table, tableAt);
  const templates = table && { address: tableAt, bytes: table.length };
  if (folded === null || signatureAt === undefined)
    return { column: { ...column, directory, templates }, extents };
  bytes.set(folded.bytes, signatureAt);
  const signature = { address: signatureAt, rowsLog2: folded.rowsLog2 };
  return { column: { ...column, directory, templates, signature }, extents };
}
