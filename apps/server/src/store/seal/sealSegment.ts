import type { KernelOperations, Values } from "@hadal/kernel-wasm";
import { sampleRateColumn, timeColumn } from "@hadal/sdk";
import { atOnce, type Steps } from "../../base/schedule/steps.js";
import type { IntColumn, SegmentColumn, StoredInts } from "../../column/segmentColumn.js";
import { extentBytes } from "../../memory/extents.js";
import type { LeafMemory } from "../../memory/leafMemory.js";
import { Pins } from "../../memory/pins.js";
import { listSample } from "../segment/rowSample.js";
import { encodingSample, type WeighingContext } from "../segment/sealContext.js";
import { type SealedSegment, weightsOf } from "../segment/sealedSegment.js";
import { type SegmentHistogram, sealHistogram } from "../segment/segmentHistogram.js";
import type { ColumnSums, StoredSegment } from "../segment/segmentView.js";
import { intSource } from "../segment/weighedInts.js";
import { ColumnBytes } from "./columnBytes.js";
import { ColumnSealer } from "./sealColumn.js";
import { sealInts } from "./sealInts.js";
import { noRoomToSeal, SealScratch } from "./sealScratch.js";
import { listSpreadRows, type SpreadRows, sealSums, spreadRowsBytes } from "./sealSums.js";

const noColumns: ReadonlySet<string> = new Set();

export interface SealOptions {
  /** Coded columns of strings that become text, if there is room for it. */
  readonly asText?: ReadonlySet<string>;
  /** Columns of lists whose dictionaries are frozen, and counted as bytes of this segment. */
  readonly ownLists?: ReadonlySet<string>;
}

/**
 * Makes an immutable segment of the open segment's rows, a column a step. The caller appends
 * nothing meanwhile, and keeps the open segment until its last query is done. When it throws
 * `storage-full` or is abandoned, nothing is left.
 */
export function* sealSteps(
  open: StoredSegment,
  generation: number,
  { memory, kernel }: { readonly memory: LeafMemory; readonly kernel: KernelOperations },
  { asText = noColumns, ownLists = noColumns }: SealOptions = {},
): Steps<SealedSegment> {
  const extents: number[] = [];
  const scratch = new SealScratch(memory.store, scratchBytes(open.rowCount));
  let isSealed = false;
  try {
    const place = { memory, kernel, scratch, extents };
    const sealed = yield* new Sealer(open, place, { asText, ownLists }).seal(generation);
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

/** The sample rates first: they are the weights of all other values. */
function ratesFirst(columns: ReadonlyMap<string, SegmentColumn>): readonly string[] {
  const others = [...columns.keys()].filter((name) => name !== sampleRateColumn);
  return columns.has(sampleRateColumn) ? [sampleRateColumn, ...others] : others;
}

/** A table lists its columns in the order of their arrival, also after a restart. */
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

/** Counters of the sort. */
const sortScratchBytes = (rowCount: number): number => rowCount * 16 + 4096;
/**
 * The order, the times in that order, and the sort's counters, whose place most later steps reuse.
 */
const scratchBytes = (rowCount: number): number =>
  2 * extentBytes(rowCount * 4) + extentBytes(sortScratchBytes(rowCount));

/**
 * The most memory that sealing takes while the open segment still exists, in all and in one piece:
 * the rows at their present size, a 32nd of it for histograms, and scratch, whose rest beyond the
 * one piece has pieces of its own.
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

export interface OpenSize {
  readonly rowCount: number;
  readonly bytes: number;
  readonly largestColumnBytes: number;
}

interface SealPlace {
  readonly memory: LeafMemory;
  readonly kernel: KernelOperations;
  readonly scratch: SealScratch;
  /** Collects the memory that the segment keeps. */
  readonly extents: number[];
}

/** Sorts the rows by time, seals the columns one by one and weighs those of integers. */
class Sealer {
  readonly #open: StoredSegment;
  readonly #place: SealPlace;
  readonly #ownLists: ReadonlySet<string>;
  /** u32 × rowCount: time − the first one in the new order, where their span fits. */
  readonly #timeOffsets: number;
  /** Its order is 0 when the rows arrived in order. */
  readonly #context: WeighingContext;
  readonly #columnSealer: ColumnSealer;
  readonly #bytes: ColumnBytes;
  readonly #columns = new Map<string, SegmentColumn>();
  readonly #sums = new Map<string, ColumnSums>();
  readonly #histograms = new Map<string, SegmentHistogram>();
  /** Where the rows are listed by which spreads are measured; 0: every row has the weight 1. */
  #spreadAt = 0;
  #weights: Values | null = null;
  #spreadRows: SpreadRows | null = null;

  constructor(open: StoredSegment, place: SealPlace, options: Required<SealOptions>) {
    this.#open = open;
    this.#place = place;
    this.#ownLists = options.ownLists;
    const { memory, kernel, scratch, extents } = place;
    const { rowCount } = open;
    const orderAddress = scratch.take(rowCount * 4);
    this.#timeOffsets = scratch.take(rowCount * 4);
    const order = this.#sortByTime(orderAddress) ? 0 : orderAddress;
    const takeScratch = (bytes: number): number => scratch.take(bytes);
    const allocate = (bytes: number): number => this.#allocate(bytes);
    const shared = { memory: memory.memory, kernel, rowCount, order, allocate, takeScratch };
    const sampledOrder = listSample(encodingSample, shared);
    this.#context = { ...shared, sampledOrder, weightTotal: open.weightTotal };
    this.#columnSealer = new ColumnSealer(open, {
      ...{ memory, order: orderAddress, context: this.#context },
      ...{ asText: options.asText, ownLists: options.ownLists },
    });
    this.#bytes = new ColumnBytes(extents, memory);
  }

  *seal(generation: number): Steps<SealedSegment> {
    const { columns, weightMax } = this.#open;
    const times = this.#releasing(() => this.#sealTimes());
    this.#bytes.assign(timeColumn);
    if (weightMax > 1) this.#spreadAt = this.#context.takeScratch(spreadRowsBytes);
    for (const name of ratesFirst(columns)) {
      this.#releasing(() => this.#addColumn(name, columns.get(name)!));
      this.#bytes.assign(name);
      yield;
    }
    // Nothing fails from here on: a frozen dictionary takes no more rows, and the open segment
    // would need it again.
    for (const [name, column] of this.#columns)
      if (column.kind === "coded" && this.#ownLists.has(name))
        this.#bytes.freezeLists(name, column);
    return this.#segment(generation, times);
  }

  #addColumn(name: string, open: SegmentColumn): void {
    const sealed = this.#columnSealer.seal(name, open);
    if (sealed === null) return;
    const { column, plain } = sealed;
    this.#columns.set(name, column);
    this.#bytes.assign(name);
    if (column.kind !== "int" || plain === null) return;
    if (name === sampleRateColumn) this.#useWeights(column);
    this.#weigh(name, column, plain);
  }

  #useWeights(rates: IntColumn): void {
    this.#weights = weightsOf(rates, this.#open.weightMax);
    if (this.#weights !== null)
      this.#spreadRows = listSpreadRows(this.#spreadAt, this.#weights, this.#context);
  }

  /** Sums and histogram of a column; sample rates have no histogram. */
  #weigh(name: string, column: IntColumn, plain: () => Values): void {
    const source = intSource(column, plain, this.#weights, this.#context);
    this.#sums.set(name, sealSums(column, source, this.#spreadRows, this.#context));
    if (name === sampleRateColumn) return;
    const columnBytes = this.#bytes.byColumn.get(name) ?? 0;
    const { weighed } = source;
    const histogram = sealHistogram({ column, weighed, columnBytes }, this.#context);
    if (histogram !== null) this.#histograms.set(name, histogram);
  }

  #segment(generation: number, times: StoredInts): SealedSegment {
    const open = this.#open;
    return {
      generation,
      firstGeneration: generation,
      thinned: 1,
      rowCount: open.rowCount,
      sorted: true,
      times: times.values,
      timeBase: times.base,
      encodedTimes: times.encoded,
      minMs: open.minMs,
      maxMs: open.maxMs,
      columns: inOrderOf(open.columns, this.#columns),
      lostColumns: noColumns,
      weights: this.#weights,
      weightMax: open.weightMax,
      weightTotal: open.weightTotal,
      sums: this.#sums,
      histograms: this.#histograms,
      pins: new Pins(),
      extents: this.#place.extents,
      bytes: this.#bytes.total,
      columnBytes: this.#bytes.byColumn,
    };
  }

  /** True: the rows arrived in order. */
  #sortByTime(orderAddress: number): boolean {
    const { rowCount, times, minMs, maxMs } = this.#open;
    const { kernel, scratch } = this.#place;
    const ascends = this.#releasing(() => {
      const sortScratch = scratch.take(sortScratchBytes(rowCount));
      return kernel.sortByTime(
        ...([orderAddress, this.#timeOffsets, times.address, rowCount] as const),
        ...([BigInt(minMs), BigInt(maxMs), sortScratch] as const),
      );
    });
    return ascends === 1;
  }

  #sealTimes(): StoredInts {
    const { times, timeBase, minMs, maxMs } = this.#open;
    const [min, max] = [BigInt(minMs), BigInt(maxMs)];
    if (max - min >= 2n ** 32n) {
      const open = { values: times, base: timeBase, present: 0, min, max };
      return sealInts(open, ["packed"], this.#context).stored;
    }
    const inOrder = { ...this.#context, order: 0 };
    const sampledOrder = listSample(encodingSample, inOrder);
    const values = { address: this.#timeOffsets, width: 4 } as const;
    const sorted = { values, base: min, present: 0, min, max };
    return sealInts(sorted, ["packed"], { ...inOrder, sampledOrder }).stored;
  }

  /** Gives the scratch memory of a step back for the next one. */
  #releasing<T>(step: () => T): T {
    const { scratch } = this.#place;
    const before = scratch.mark();
    const result = step();
    scratch.giveBack(before);
    return result;
  }

  #allocate(bytes: number): number {
    const { memory, extents } = this.#place;
    const address = memory.store.allocate(bytes);
    if (address === null) throw noRoomToSeal(bytes, memory.store);
    extents.push(address);
    return address;
  }
}
