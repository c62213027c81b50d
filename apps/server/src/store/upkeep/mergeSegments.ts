import { sampleRateColumn } from "@hadal/sdk";
import { assert } from "../../base/assert.js";
import type { RowBatch } from "../../base/row/rowBatch.js";
import { inTurns } from "../../base/schedule/steps.js";
import { ListDictionary } from "../../column/listDictionary.js";
import { createColumnReader } from "../../column/readColumn.js";
import { createTextReader, pageScratchBytes } from "../../column/textReader.js";
import type { LeafMemory } from "../../memory/leafMemory.js";
import { rescaleBatch } from "../columns/rescaleBatch.js";
import { isRoomMissing } from "../columns/storageProblems.js";
import { type ColumnLayout, OpenSegment } from "../open/openSegment.js";
import { type RowReaders, readRowBatch } from "../open/readRowBatch.js";
import { sealSteps } from "../seal/sealSegment.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import { storeReserveBytes, type TableContext } from "../segment/tableContext.js";

/**
 * Rows read and appended in one step: some milliseconds for 30 columns; fewer rows where there are
 * more columns.
 */
const stepRowsMost = 4_096;
const stepRowsLeast = 256;
const stepCells = stepRowsMost * 30;
/** Beyond this the open segment takes room for a full one. */
const smallRows = 8_192;

export interface MergeOptions {
  /** Awaited between steps. */
  readonly pause: () => Promise<void>;
  readonly isStopped: () => boolean;
  /** Reduces the rows from `first` on, where there is one source. */
  readonly change?: (batch: RowBatch, first: number) => RowBatch;
  /** The change gives every row a sample rate. */
  readonly addsRates?: boolean;
}

/**
 * One segment with the rows of all sources, which the caller keeps pinned: they are appended to an
 * open segment, which is then sealed. Null when there is no room for it, or it was stopped.
 */
export async function mergeSegments(
  sources: readonly SealedSegment[],
  { memory, kernel }: TableContext,
  { pause, isStopped, change, addsRates = false }: MergeOptions,
): Promise<SealedSegment | null> {
  const wanted = bytesWanted(sources);
  const hasRoom = (bytes: number): boolean =>
    memory.store.freeBytes >= storeReserveBytes + bytes &&
    memory.store.largestFreeBytes >= bytes / 2;
  if (!hasRoom(wanted)) return null;
  assert(change === undefined || sources.length === 1, "rows are changed of one source");
  const { layoutOf, ownLists } = layoutsOf(sources, { addsRates });
  const open = new OpenSegment(memory, kernel);
  const scratch = takeScratch(memory);
  const stop = {
    get aborted(): boolean {
      return isStopped();
    },
  };
  const readers: RowReaders = {
    column: createColumnReader(memory.memory),
    text: createTextReader(memory.memory, kernel, [{ address: scratch, holder: null }]),
  };
  try {
    for (const source of sources) {
      const stepRows = stepRowsOf(source.columns.size);
      for (let first = 0; first < source.rowCount; first += stepRows) {
        await pause();
        if (isStopped() || !hasRoom(wanted / 2)) return null;
        const rowCount = Math.min(stepRows, source.rowCount - first);
        const read = readRowBatch({ segment: source, firstRow: first, rowCount, readers });
        const batch = rescaleBatch(change === undefined ? read : change(read, first), layoutOf);
        if (batch.rowCount === 0) continue;
        await inTurns(open.reserveSteps(batch, layoutOf), stop, pause);
        open.append(batch);
      }
    }
    await pause();
    if (isStopped() || !hasRoom(wanted / 2)) return null;
    const { generation } = sources.at(-1)!;
    const steps = sealSteps(open.view(), generation, { memory, kernel }, { ownLists });
    const sealed = await inTurns(steps, stop, pause);
    const { firstGeneration, thinned, thinnedKeys } = sources[0]!;
    const thinning = { thinned, ...(thinnedKeys === undefined ? {} : { thinnedKeys }) };
    return { ...sealed, firstGeneration, ...thinning };
  } catch (error) {
    if (isStopped() || isRoomMissing(error)) return null;
    throw error;
  } finally {
    memory.store.release(scratch);
    open.retire();
  }
}

function stepRowsOf(columnCount: number): number {
  const rows = Math.floor(stepCells / Math.max(1, columnCount));
  return Math.min(stepRowsMost, Math.max(stepRowsLeast, rows));
}

function takeScratch({ store }: LeafMemory): number {
  const address = store.allocate(pageScratchBytes);
  assert(address !== null, "the reserve of the leaf's memory covers the room for a page");
  return address;
}

/** Half of it for the open segment, half for its sealed twin and the scratch of sealing. */
function bytesWanted(sources: readonly SealedSegment[]): number {
  const rowCount = sources.reduce((sum, source) => sum + source.rowCount, 0);
  const names = new Set(sources.flatMap(({ columns }) => [...columns.keys()]));
  let textBytes = 0;
  for (const { columns } of sources) {
    for (const column of columns.values())
      if (column.kind === "text") textBytes += column.textBytes;
  }
  // At most 8 bytes a value and a bit of presence; runs that grow leave a seventh behind. Times,
  // weights, order, offsets and sort take as much as four columns.
  const rowsMax = rowCount <= smallRows ? smallRows : 65_536;
  return 2 * (rowsMax * 10 * (names.size + 4) + 4 * textBytes);
}

interface MergedLayouts {
  readonly layoutOf: (column: string) => ColumnLayout;
  /** Columns of lists whose dictionary belongs to the merged segment alone. */
  readonly ownLists: ReadonlySet<string>;
}

/**
 * How the merged segment stores each column: with the most decimals of the sources, and as text
 * where one has text.
 */
function layoutsOf(
  sources: readonly SealedSegment[],
  { addsRates }: { readonly addsRates: boolean },
): MergedLayouts {
  const layouts = new Map<string, ColumnLayout>();
  if (addsRates) layouts.set(sampleRateColumn, { kind: "int", decimals: 0 });
  const ownLists = new Set<string>();
  for (const { columns } of sources) {
    for (const [name, column] of columns) {
      const known = layouts.get(name);
      if (column.kind === "int") {
        const decimals = Math.max(column.decimals, known?.kind === "int" ? known.decimals : 0);
        layouts.set(name, { kind: "int", decimals });
      } else if (column.kind === "text") {
        layouts.set(name, { kind: "text" });
      } else if (known?.kind !== "text") {
        const { type, dictionary } = column;
        layouts.set(name, { kind: "coded", type, dictionary });
        if (dictionary instanceof ListDictionary && dictionary.isFrozen) ownLists.add(name);
      }
    }
  }
  for (const name of ownLists) {
    const layout = layouts.get(name);
    const shared = layout?.kind === "coded" ? layout.dictionary : null;
    if (layout?.kind !== "coded" || !(shared instanceof ListDictionary)) continue;
    layouts.set(name, { ...layout, dictionary: new ListDictionary(shared.elements) });
  }
  const layoutOf = (name: string): ColumnLayout => {
    const layout = layouts.get(name);
    assert(layout !== undefined, `a source of the merge has the column ${name}`);
    return layout;
  };
  return { layoutOf, ownLists };
}
