import { compress } from "lz4-napi";
import { pageEntryBytes, storedBytesOf, writeTextPage } from "../column/pageTable.js";
import type { SegmentColumn, TextColumn } from "../column/segmentColumn.js";
import type { LeafMemory } from "../memory/leafMemory.js";
import { Pins } from "../memory/pins.js";
import { type FoldedSignature, foldSignature } from "./foldSignature.js";
import type { SealedSegment } from "./sealSegment.js";
import { type StoredPage, storedPage } from "./storedPage.js";
import { isCompressible, pagesOf, worthwhileBlock } from "./textCodec.js";

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
  /** Lets go of what only the old form needs, once nobody reads it. Call it when the new one has taken its place. */
  retireOld(): void;
  /** Lets go of the new form instead. */
  drop(): void;
}

/**
 * The same segment with its texts as LZ4 blocks; all else is shared. Blocks are made on the threads of the
 * process's pool. The caller keeps the segment's memory pinned meanwhile. Null when there is no room.
 */
export async function compressText(
  old: SealedSegment,
  memory: LeafMemory,
): Promise<CompressedSegment | null> {
  const columns = new Map<string, SegmentColumn>(old.columns);
  const columnBytes = new Map(old.columnBytes);
  const made: number[] = [];
  const left = new Set<number>();
  const release = (addresses: Iterable<number>): void => {
    for (const address of addresses) memory.store.release(address);
  };
  for (const [name, column] of old.columns) {
    if (column.kind !== "text") continue;
    const stored = await compressPages(column, memory).catch((error: unknown) => {
      release(made);
      throw error;
    });
    const { signature } = column;
    const folded = signature && foldSignature(signature, column.pageCount, memory);
    const placed = placePages(column, stored, memory, folded);
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

async function compressPages(column: TextColumn, memory: LeafMemory): Promise<StoredPage[]> {
  const stored: StoredPage[] = [];
  const pages = pagesOf(column, memory);
  for (const [index, page] of pages.entries()) {
    const bytes = memory.bytes.slice(page.address, page.address + storedBytesOf(page));
    const block = isCompressible(page)
      ? worthwhileBlock(await compress(bytes), page.textBytes)
      : null;
    const endRow = pages[index + 1]?.firstRow ?? column.rowCount;
    stored.push(storedPage(page, endRow, block, memory));
  }
  return stored;
}

/** The column in memory of its own; null when there is none. */
function placePages(
  column: TextColumn,
  stored: readonly StoredPage[],
  { memory, bytes, store }: LeafMemory,
  folded: FoldedSignature | null,
): { column: TextColumn; extents: readonly number[] } | null {
  const sizes = [
    stored.length * pageEntryBytes,
    stored.reduce((sum, page) => sum + page.bytes.length, 0),
    stored.reduce((sum, page) => sum + page.offsets.length, 0),
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
  const [directory, blocks, offsets, signatureAt] = extents as [number, number, number, number?];
  const view = new DataView(memory.buffer);
  let address = blocks;
  let offsetsAt = offsets;
  stored.forEach((one, index) => {
    bytes.set(one.bytes, address);
    bytes.set(one.offsets, offsetsAt);
    writeTextPage(view, directory, index, { ...one.page, address, offsets: offsetsAt });
    address += one.bytes.length;
    offsetsAt += one.offsets.length;
  });
  if (folded === null || signatureAt === undefined)
    return { column: { ...column, directory }, extents };
  bytes.set(folded.bytes, signatureAt);
  const signature = { address: signatureAt, rowsLog2: folded.rowsLog2 };
  return { column: { ...column, directory, signature }, extents };
}
