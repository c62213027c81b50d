import { compress } from "lz4-napi";
import {
  pageEntryBytes,
  storedBytesOf,
  type TextPage,
  writeTextPage,
} from "../column/pageTable.js";
import type { SegmentColumn, TextColumn } from "../column/segmentColumn.js";
import type { LeafMemory } from "../memory/leafMemory.js";
import { Pins } from "../memory/pins.js";
import type { SealedSegment } from "./sealSegment.js";
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
    const placed = placeBlocks(column, stored, memory);
    if (placed === null) {
      release(made);
      return null;
    }
    const leaves = [column.directory, pagesOf(column, memory)[0]!.address];
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

interface StoredPage {
  readonly page: TextPage;
  readonly bytes: Uint8Array;
}

async function compressPages(column: TextColumn, memory: LeafMemory): Promise<StoredPage[]> {
  const stored: StoredPage[] = [];
  for (const page of pagesOf(column, memory)) {
    const bytes = memory.bytes.slice(page.address, page.address + storedBytesOf(page));
    const block = isCompressible(page)
      ? worthwhileBlock(await compress(bytes), page.textBytes)
      : null;
    stored.push(
      block === null
        ? { page, bytes }
        : { page: { ...page, compressedBytes: block.length }, bytes: block },
    );
  }
  return stored;
}

function placeBlocks(
  column: TextColumn,
  stored: readonly StoredPage[],
  { memory, bytes, store }: LeafMemory,
): { column: TextColumn; extents: readonly number[] } | null {
  const directory = store.allocate(stored.length * pageEntryBytes);
  if (directory === null) return null;
  const blocks = store.allocate(stored.reduce((sum, page) => sum + page.bytes.length, 0));
  if (blocks === null) {
    store.release(directory);
    return null;
  }
  const view = new DataView(memory.buffer);
  let address = blocks;
  stored.forEach(({ page, bytes: block }, index) => {
    bytes.set(block, address);
    writeTextPage(view, directory, index, { ...page, address });
    address += block.length;
  });
  return { column: { ...column, directory }, extents: [directory, blocks] };
}
