import type { KernelOperations, RowSet, Values } from "@hadal/kernel-wasm";
import { sampleRateColumn, timeColumn } from "@hadal/sdk";
import { assert } from "../base/assert.js";
import type {
  CodedColumn,
  ColumnDictionary,
  IntColumn,
  SegmentColumn,
  TextColumn,
} from "../column/segmentColumn.js";
import { widthFor } from "../column/segmentColumn.js";
import type { LeafMemory } from "../memory/leafMemory.js";
import { Pins } from "../memory/pins.js";
import { sealText } from "./sealText.js";
import type { ColumnSums, SegmentView } from "./segmentView.js";

/** A segment that nothing changes any more: sorted by time, narrowed, with its zone map and aggregates. */
export interface SealedSegment extends SegmentView {
  /** Number of the row log whose rows these are, and of the segment's file. */
  readonly generation: number;
  readonly sorted: true;
  readonly sums: ReadonlyMap<string, ColumnSums>;
  readonly extents: readonly number[];
  /** Bytes taken from the leaf's memory. */
  readonly bytes: number;
}

/** Makes the immutable twin of the open segment's rows. The open one stays as it is until its last query is done. */
export function sealSegment(
  open: SegmentView,
  generation: number,
  memory: LeafMemory,
  kernel: KernelOperations,
): SealedSegment {
  const sealer = new Sealer(open, memory, kernel);
  try {
    return sealer.seal(generation);
  } finally {
    sealer.releaseScratch();
  }
}

/** Bytes that sealing needs beside the segment itself: an order, and the radix sort's two runs of 16 bytes a row. */
const sortScratchBytes = (rowCount: number): number => rowCount * 16 + 4096;

class Sealer {
  readonly #extents: number[] = [];
  readonly #scratch: number[] = [];
  readonly #order: number;

  constructor(
    private readonly open: SegmentView,
    private readonly memory: LeafMemory,
    private readonly kernel: KernelOperations,
  ) {
    const { rowCount } = open;
    this.#order = this.#takeScratch(rowCount * 4);
    kernel.sortByTime(
      this.#order,
      open.times.address,
      rowCount,
      this.#takeScratch(sortScratchBytes(rowCount)),
    );
  }

  seal(generation: number): SealedSegment {
    const { open } = this;
    const bytes = new ColumnBytes(this.#extents, this.memory);
    const timeBase = BigInt(open.minMs);
    const times = this.#allocateValues(widthFor(BigInt(open.maxMs) - timeBase));
    this.kernel.permuteInts(
      times,
      open.times.address,
      0,
      this.#order,
      open.rowCount,
      times.width === 8 ? 0n : timeBase,
    );
    bytes.book(timeColumn);
    const columns = new Map<string, SegmentColumn>();
    for (const [name, column] of open.columns) {
      const sealed = this.#sealColumn(name, column);
      if (sealed !== null) columns.set(name, sealed);
      bytes.book(name);
    }
    const weights = weightsOf(columns.get(sampleRateColumn), open.weightMax);
    const sums = new Map<string, ColumnSums>();
    for (const [name, column] of columns) {
      if (column.kind === "int") sums.set(name, this.#sum(column, weights));
    }
    return {
      generation,
      rowCount: open.rowCount,
      sorted: true,
      times,
      timeBase: times.width === 8 ? 0n : timeBase,
      minMs: open.minMs,
      maxMs: open.maxMs,
      columns,
      weights,
      weightMax: open.weightMax,
      weightTotal: open.weightTotal,
      sums,
      pins: new Pins(),
      extents: this.#extents,
      bytes: bytes.total,
      columnBytes: bytes.byColumn,
    };
  }

  releaseScratch(): void {
    for (const address of this.#scratch) this.memory.store.release(address);
  }

  #sealColumn(name: string, column: SegmentColumn): SegmentColumn | null {
    switch (column.kind) {
      case "int":
        return column.min > column.max ? null : this.#sealInts(name, column);
      case "coded":
        return this.#sealCodes(column);
      case "text":
        return this.#sealText(column);
    }
  }

  #sealInts(name: string, column: IntColumn): IntColumn {
    const { rowCount } = this.open;
    // Sample rates are read as weights too, and those have no base.
    const wanted = name === sampleRateColumn ? 0n : column.min;
    const width = widthFor(column.max - wanted);
    const base = width === 8 ? 0n : wanted;
    const values = this.#allocateValues(width);
    this.kernel.permuteInts(
      values,
      column.values.address,
      column.present,
      this.#order,
      rowCount,
      base,
    );
    const present = this.#sealPresent(column.present);
    return { ...column, values, base, present };
  }

  #sealPresent(present: number): number {
    if (present === 0) return 0;
    const out = this.#allocate(Math.ceil(this.open.rowCount / 64) * 8);
    this.kernel.permuteBits(out, present, this.#order, this.open.rowCount);
    return out;
  }

  #sealCodes(column: CodedColumn): CodedColumn {
    const values = this.#allocateValues(codeWidth(column.dictionary));
    this.kernel.permuteCodes(values, column.values.address, this.#order, this.open.rowCount);
    return { ...column, values };
  }

  /** Null when no row has a text. */
  #sealText(column: TextColumn): TextColumn | null {
    const { rowCount } = this.open;
    const presentRows = this.kernel.countSelected(column.present, rowCount);
    if (presentRows === 0) return null;
    const present = presentRows === rowCount ? 0 : this.#sealPresent(column.present);
    return sealText(column, present, this.#order, rowCount, {
      memory: this.memory,
      kernel: this.kernel,
      allocate: (bytes) => this.#allocate(bytes),
      takeScratch: (bytes) => this.#takeScratch(bytes),
    });
  }

  /** Exact by three limbs of 32 bits, whatever the values and weights. */
  #sum(column: IntColumn, weights: Values | null): ColumnSums {
    const { rowCount } = this.open;
    const rows: RowSet = { start: 0, count: rowCount, rows: 0 };
    const out = this.#takeScratch(32);
    const view = new BigInt64Array(this.memory.memory.buffer, out, 4);
    view.fill(0n);
    this.kernel.addWideProducts(out, 0, rows, column.values, column.base, weights, column.present);
    this.kernel.addWeights(out + 24, 0, rows, weights, column.present);
    const presentRows =
      column.present === 0 ? rowCount : this.kernel.countSelected(column.present, rowCount);
    return {
      presentRows,
      presentWeight: Number(view[3]),
      weightedSum: view[0]! + (view[1]! << 32n) + (view[2]! << 64n),
    };
  }

  #allocateValues(width: Values["width"]): Values {
    return { address: this.#allocate(this.open.rowCount * width), width };
  }

  #allocate(bytes: number): number {
    const address = this.memory.store.allocate(bytes);
    assert(address !== null, "the reserve of the leaf's memory covers one sealed segment");
    this.#extents.push(address);
    return address;
  }

  #takeScratch(bytes: number): number {
    const address = this.memory.store.allocate(bytes);
    assert(address !== null, "the reserve of the leaf's memory covers the scratch of sealing");
    this.#scratch.push(address);
    return address;
  }
}

/** Books the extents of a segment in the making on its columns. */
export class ColumnBytes {
  readonly byColumn = new Map<string, number>();
  total = 0;
  #booked = 0;

  constructor(
    private readonly extents: readonly number[],
    private readonly memory: LeafMemory,
  ) {}

  /** What was allocated since the last call is the column's. */
  book(column: string): void {
    let bytes = 0;
    for (; this.#booked < this.extents.length; this.#booked++) {
      bytes += this.memory.store.bytesOf(this.extents[this.#booked]!);
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

/** Width for all codes the dictionary has given out. */
export function codeWidth(dictionary: ColumnDictionary): Values["width"] {
  return widthFor(BigInt(dictionary.codeCount - 1));
}
