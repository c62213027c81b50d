import type { KernelOperations, Values } from "@hadal/kernel-wasm";
import { sampleRateColumn, timeColumn } from "@hadal/sdk";
import { atOnce, type Steps } from "../../base/schedule/steps.js";
import { ListDictionary } from "../../column/listDictionary.js";
import type {
  CodedColumn,
  IntColumn,
  SegmentColumn,
  StoredInts,
  TextColumn,
} from "../../column/segmentColumn.js";
import { widthFor } from "../../column/valueWidth.js";
import { extentBytes } from "../../memory/extents.js";
import type { LeafMemory } from "../../memory/leafMemory.js";
import { Pins } from "../../memory/pins.js";
import { listSample } from "../segment/rowSample.js";
import { encodingSample, type WeighingContext } from "../segment/sealContext.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import { type SegmentHistogram, sealHistogram } from "../segment/segmentHistogram.js";
import type { ColumnSums, StoredSegment } from "../segment/segmentView.js";
import { intSource } from "../segment/weighedInts.js";
import { ownCodeKinds, sealCodes } from "./sealCodes.js";
import { type SealedInts, sealFrame, sealInts } from "./sealInts.js";
import { noRoomToSeal, SealScratch } from "./sealScratch.js";
import { listSpreadRows, type SpreadRows, sealSums, spreadRowsBytes } from "./sealSums.js";
import { sealText } from "./sealText.js";
import { hasRoomForText, textBytesOfCodes, textOfCodes } from "./textOfCodes.js";

const noColumns: ReadonlySet<string> = new Set();

/**
 * Makes the immutable twin of the open segment's rows, a column a step; nothing may be appended to the open one meanwhile,
 * and it stays as it is until its last query is done. Coded columns of strings named in `asText` become text, if there
 * is room for it. The dictionaries of lists of the columns named in `ownLists` are frozen, and counted as bytes of this segment.
 * Throws `storage-full`, or is left, without a trace.
 */
export function* sealSteps(
  open: StoredSegment,
  generation: number,
  memory: LeafMemory,
  kernel: KernelOperations,
  asText = noColumns,
  ownLists = noColumns,
): Steps<SealedSegment> {
  const extents: number[] = [];
  const scratch = new SealScratch(memory.store, scratchBytes(open.rowCount));
  let isSealed = false;
  try {
    const place = { memory, kernel, scratch, extents };
    const sealed = yield* new Sealer(open, place, asText, ownLists).seal(generation);
    isSealed = true;
    return sealed;
  } finally {
    scratch.close();
    if (!isSealed) for (const address of extents) memory.store.release(address);
  }
}

/** The same in one step. */
export const sealSegment = (...of: Parameters<typeof sealSteps>): SealedSegment =>
  atOnce(sealSteps(...of));

/** A column with the plain values of integers, see SealedInts; null: it has none. */
interface SealedColumn {
  readonly column: SegmentColumn;
  readonly plain: (() => Values) | null;
}

const withoutPlain = (column: SegmentColumn | null): SealedColumn | null =>
  column && { column, plain: null };

/** The weights of rows come before what they weigh. */
function ratesFirst(columns: ReadonlyMap<string, SegmentColumn>): readonly string[] {
  const others = [...columns.keys()].filter((name) => name !== sampleRateColumn);
  return columns.has(sampleRateColumn) ? [sampleRateColumn, ...others] : others;
}

/** A table lists its columns as they came, also after a restart. */
function inOrderOf(
  open: ReadonlyMap<string, SegmentColumn>,
  sealed: ReadonlyMap<string, SegmentColumn>,
): ReadonlyMap<string, SegmentColumn> {
  const columns = new Map<string, SegmentColumn>();
  for (const name of open.keys()) {
    const column = sealed.get(name);
    if (column !== undefined) columns.set(name, column);
  }
  return columns;
}

/** What the sort counts in. */
const sortScratchBytes = (rowCount: number): number => rowCount * 16 + 4096;
/** The order and the times in it, and the sort beside them: most of what follows fits where that was. */
const scratchBytes = (rowCount: number): number =>
  2 * extentBytes(rowCount * 4) + extentBytes(sortScratchBytes(rowCount));

/**
 * What sealing takes at most while the open segment is still there, and what of it in one piece. Rows that do not get smaller
 * take what they took, a histogram of a 32nd beside each column, and scratch: what does not fit the one piece has its own.
 */
export function sealingBytes({ rowCount, bytes, largestColumnBytes }: OpenSize): {
  readonly whole: number;
  readonly piece: number;
} {
  const scratch = extentBytes(scratchBytes(rowCount));
  return {
    whole: bytes + Math.ceil(bytes / 32) + 2 * scratch,
    piece: Math.max(largestColumnBytes, scratch),
  };
}

interface OpenSize {
  readonly rowCount: number;
  readonly bytes: number;
  readonly largestColumnBytes: number;
}

interface SealPlace {
  readonly memory: LeafMemory;
  readonly kernel: KernelOperations;
  readonly scratch: SealScratch;
  /** What the segment takes goes here. */
  readonly extents: number[];
}

class Sealer {
  readonly #extents: number[];
  readonly #scratch: SealScratch;
  readonly #order: number;
  /** u32 × rowCount: time − the first one in that order, where their span fits. */
  readonly #timeOffsets: number;
  /** Its order is 0 when the rows arrived in order and keep it. */
  readonly #context: WeighingContext;
  readonly #memory: LeafMemory;
  readonly #kernel: KernelOperations;
  readonly #open: StoredSegment;
  readonly #textColumns: ReadonlySet<string>;
  readonly #ownLists: ReadonlySet<string>;

  constructor(
    open: StoredSegment,
    { memory, kernel, scratch, extents }: SealPlace,
    asText: ReadonlySet<string>,
    ownLists: ReadonlySet<string>,
  ) {
    this.#open = open;
    this.#textColumns = asText;
    this.#ownLists = ownLists;

    this.#memory = memory;
    this.#kernel = kernel;
    this.#scratch = scratch;
    this.#extents = extents;
    const { rowCount, times } = open;
    const [lowest, highest] = [BigInt(open.minMs), BigInt(open.maxMs)];
    this.#order = this.#scratch.take(rowCount * 4);
    this.#timeOffsets = this.#scratch.take(rowCount * 4);
    const ascends = this.#releasing(() => {
      const scratch = this.#scratch.take(sortScratchBytes(rowCount));
      return kernel.sortByTime(
        ...([this.#order, this.#timeOffsets, times.address, rowCount] as const),
        ...([lowest, highest, scratch] as const),
      );
    });
    const order = ascends === 1 ? 0 : this.#order;
    const takeScratch = (bytes: number): number => this.#scratch.take(bytes);
    const allocate = (bytes: number): number => this.#allocate(bytes);
    const shared = memory.memory;
    const sampledOrder = listSample(encodingSample, order, rowCount, shared, takeScratch);
    this.#context = {
      memory: shared,
      kernel,
      rowCount,
      order,
      sampledOrder,
      weightTotal: open.weightTotal,
      allocate,
      takeScratch,
    };
  }

  *seal(generation: number): Steps<SealedSegment> {
    const open = this.#open;
    const bytes = new ColumnBytes(this.#extents, this.#memory);
    const times = this.#releasing(() => this.#sealTimes());
    bytes.assign(timeColumn);
    const columns = new Map<string, SegmentColumn>();
    const sums = new Map<string, ColumnSums>();
    const histograms = new Map<string, SegmentHistogram>();
    const { rowCount } = open;
    const spreadAt = open.weightMax > 1 ? this.#context.takeScratch(spreadRowsBytes) : 0;
    let weights: Values | null = null;
    let spreadRows: SpreadRows | null = null;
    for (const name of ratesFirst(open.columns)) {
      this.#releasing(() => {
        const sealed = this.#sealColumn(name, open.columns.get(name)!);
        if (sealed === null) return;
        const { column, plain } = sealed;
        columns.set(name, column);
        bytes.assign(name);
        if (column.kind !== "int" || plain === null) return;
        if (name === sampleRateColumn) weights = weightsOf(column, open.weightMax);
        if (name === sampleRateColumn && weights !== null)
          spreadRows = listSpreadRows(spreadAt, weights, this.#context);
        const source = intSource(column, plain, weights, this.#context);
        sums.set(name, sealSums(column, source, spreadRows, this.#context));
        if (name === sampleRateColumn) return;
        const columnBytes = bytes.byColumn.get(name) ?? 0;
        const { weighed } = source;
        const histogram = sealHistogram({ column, weighed, columnBytes }, this.#context);
        if (histogram !== null) histograms.set(name, histogram);
      });
      bytes.assign(name);
      yield;
    }
    // From here on nothing fails: rows go on to the open one's dictionaries where it does.
    for (const [name, column] of columns)
      if (column.kind === "coded" && this.#ownLists.has(name)) bytes.freezeLists(name, column);
    return {
      generation,
      firstGeneration: generation,
      thinned: 1,
      rowCount,
      sorted: true,
      times: times.values,
      timeBase: times.base,
      encodedTimes: times.encoded,
      minMs: open.minMs,
      maxMs: open.maxMs,
      columns: inOrderOf(open.columns, columns),
      lostColumns: noColumns,
      weights,
      weightMax: open.weightMax,
      weightTotal: open.weightTotal,
      sums,
      histograms,
      pins: new Pins(),
      extents: this.#extents,
      bytes: bytes.total,
      columnBytes: bytes.byColumn,
    };
  }

  #sealTimes(): StoredInts {
    const { times, timeBase, minMs, maxMs } = this.#open;
    const [min, max] = [BigInt(minMs), BigInt(maxMs)];
    if (max - min >= 2n ** 32n) {
      const open = { values: times, base: timeBase, present: 0, min, max };
      return sealInts(open, ["packed"], this.#context).stored;
    }
    const { memory, rowCount, takeScratch } = this.#context;
    const sampledOrder = listSample(encodingSample, 0, rowCount, memory, takeScratch);
    const values = { address: this.#timeOffsets, width: 4 } as const;
    const sorted = { values, base: min, present: 0, min, max };
    return sealInts(sorted, ["packed"], { ...this.#context, order: 0, sampledOrder }).stored;
  }

  /** What a step takes of scratch is given back after it, for the next one. */
  #releasing<T>(step: () => T): T {
    const before = this.#scratch.mark();
    const result = step();
    this.#scratch.giveBack(before);
    return result;
  }

  /** Null when no row has a value. */
  #sealColumn(name: string, column: SegmentColumn): SealedColumn | null {
    switch (column.kind) {
      case "int":
        return column.min > column.max ? null : this.#sealInts(name, column);
      case "coded":
        return withoutPlain(this.#asText(name, column) ?? this.#sealCodes(name, column));
      case "text":
        return withoutPlain(this.#sealText(column));
    }
  }

  #sealInts(name: string, column: IntColumn): SealedColumn {
    const { decimals, present, min, max } = column;
    const { stored, plain } =
      name === sampleRateColumn && this.#open.weightMax > 1
        ? this.#sealWeights(column)
        : sealInts(column, ["packed", "dictionary"], this.#context);
    const { values, base, encoded } = stored;
    const sealedPresent = this.#sealPresent(present);
    return {
      column: { kind: "int", decimals, values, base, encoded, present: sealedPresent, min, max },
      plain,
    };
  }

  /** Sample rates are read as weights too: those have no base, nor a width of 3. */
  #sealWeights(open: IntColumn): SealedInts {
    const width = widthFor(open.max);
    const values = sealFrame(open, 0n, width === 3 ? 4 : width, this.#context);
    return { stored: { values, base: 0n, encoded: null }, plain: () => values };
  }

  #sealPresent(present: number): number {
    if (present === 0) return 0;
    const out = this.#allocate(Math.ceil(this.#open.rowCount / 64) * 8);
    this.#kernel.permuteBits(out, present, this.#context.order, this.#open.rowCount);
    return out;
  }

  /** Null when the column is to keep its codes. */
  #asText(name: string, column: CodedColumn): TextColumn | null {
    if (column.type !== "string" || !this.#textColumns.has(name)) return null;
    const memory = this.#memory;
    const { rowCount } = this.#open;
    const textBytes = textBytesOfCodes(column, rowCount, memory);
    if (!hasRoomForText(textBytes, rowCount, memory)) return null;
    return this.#sealText(textOfCodes(column, rowCount, memory, this.#context.takeScratch));
  }

  /** Null when no row has a value. */
  #sealCodes(name: string, column: CodedColumn): CodedColumn | null {
    const largest = this.#largest(column.values);
    if (largest === 0n) return null;
    const kinds = this.#ownLists.has(name) ? ownCodeKinds : undefined;
    return { ...column, ...sealCodes(column.values.address, largest, this.#context, kinds) };
  }

  #largest(values: Values): bigint {
    const out = this.#scratch.take(8);
    const largest = new BigInt64Array(this.#memory.memory.buffer, out, 1);
    largest[0] = 0n;
    const rows = { start: 0, count: this.#open.rowCount, rows: 0 };
    this.#kernel.addMaximums(out, 0, rows, values, 0n, 0);
    return largest[0]!;
  }

  /** Null when no row has a text. */
  #sealText(column: TextColumn): TextColumn | null {
    const { rowCount } = this.#open;
    const presentRows = this.#kernel.countSelected(column.present, rowCount);
    if (presentRows === 0) return null;
    const present = presentRows === rowCount ? 0 : this.#sealPresent(column.present);
    return sealText(column, present, this.#order, rowCount, {
      ...this.#context,
      memory: this.#memory,
    });
  }

  #allocate(bytes: number): number {
    const address = this.#memory.store.allocate(bytes);
    if (address === null) throw noRoomToSeal(bytes, this.#memory.store);
    this.#extents.push(address);
    return address;
  }
}

/** Assigns the extents of a segment in the making to its columns. */
export class ColumnBytes {
  readonly byColumn = new Map<string, number>();
  total = 0;
  #assignedCount = 0;
  readonly #extents: readonly number[];
  readonly #memory: LeafMemory;

  constructor(extents: readonly number[], memory: LeafMemory) {
    this.#extents = extents;
    this.#memory = memory;
  }

  /** Lets a column's dictionary of lists take no more, and assigns its bytes. */
  freezeLists(column: string, { dictionary }: CodedColumn): void {
    if (!(dictionary instanceof ListDictionary)) return;
    dictionary.freeze();
    const { listBytes } = dictionary;
    this.byColumn.set(column, (this.byColumn.get(column) ?? 0) + listBytes);
    this.total += listBytes;
  }

  /** What was allocated since the last call is the column's. */
  assign(column: string): void {
    let bytes = 0;
    for (; this.#assignedCount < this.#extents.length; this.#assignedCount++) {
      bytes += this.#memory.store.bytesOf(this.#extents[this.#assignedCount]!);
    }
    if (bytes === 0) return;
    this.byColumn.set(column, (this.byColumn.get(column) ?? 0) + bytes);
    this.total += bytes;
  }
}

/** The sample rates of a sealed segment as weights; null when every row stands for itself. */
export function weightsOf(column: SegmentColumn | undefined, weightMax: number): Values | null {
  return column?.kind === "int" && weightMax > 1 ? column.values : null;
}
