import type { KernelOperations } from "@hadal/kernel-wasm";
import { HadalError, sampleRateColumn, timeColumn } from "@hadal/sdk";
import type { BatchColumn, DenseBatchColumn, RowBatch } from "../../base/row/rowBatch.js";
import { cellsOf, denseColumn } from "../../base/row/sparseColumn.js";
import { atOnce, type Steps } from "../../base/schedule/steps.js";
import { Dictionary, isFull } from "../../column/dictionary.js";
import type { ColumnDictionary, SegmentColumn } from "../../column/segmentColumn.js";
import type { LeafMemory } from "../../memory/leafMemory.js";
import { Pins } from "../../memory/pins.js";
import type { StoredSegment } from "../segment/segmentView.js";
import { ColumnStage } from "./columnStage.js";
import { OpenCodedColumn, OpenTextColumn } from "./openColumns.js";
import { OpenIntColumn } from "./openIntColumn.js";
import { type ColumnMemory, OpenRun, roomFor } from "./openRun.js";

/**
 * How the table stores a column at the moment; decides how a new column of the open segment is laid
 * out.
 */
export type ColumnLayout =
  | { readonly kind: "int"; readonly decimals: number }
  | {
      readonly kind: "coded";
      readonly type: "string" | "set" | "vector";
      readonly dictionary: ColumnDictionary;
    }
  | { readonly kind: "text" };

/** Of an integer that is stored from a base, or a code. */
const valueBytesLeast = 4;
/** Two f64. */
const rangeBytes = 16;
/** New memory takes a millisecond for each MiB at worst, to be found and cleared. */
const growthAtOnceMax = 4 * 2 ** 20;

type OpenColumnState = OpenIntColumn | OpenCodedColumn | OpenTextColumn;

/**
 * The segment that rows are appended to. It is in shared memory and is scanned like a sealed one,
 * but unsorted.
 */
export class OpenSegment {
  rowCount = 0;
  readonly #memory: LeafMemory;
  readonly #kernel: KernelOperations;
  /** Columns by the addresses of their extents. */
  readonly #extents = new Map<number, string>();
  /** Memory that grown columns left while queries read the segment. */
  readonly #left: (() => void)[] = [];
  readonly #columns = new Map<string, OpenColumnState>();
  readonly #times: OpenRun;
  /** Null before the first column of integers is reserved. */
  #stage: ColumnStage | null = null;
  /**
   * Where the kernel writes the first and the last time of a batch; 0 before the first reservation.
   */
  #range = 0;
  readonly #pins = new Pins();
  #weights: OpenRun | null = null;
  #reservedRows = 0;
  #bytes = 0;
  readonly #columnBytes = new Map<string, number>();
  #weightMax = 1;
  #weightTotal = 0;
  #minMs = Number.POSITIVE_INFINITY;
  #maxMs = Number.NEGATIVE_INFINITY;
  #view: StoredSegment | null = null;

  constructor(memory: LeafMemory, kernel: KernelOperations) {
    this.#memory = memory;
    this.#kernel = kernel;
    this.#times = this.#run(timeColumn, 64);
  }

  /** Rows there is room for: those appended, and those still to come. */
  get reservedRows(): number {
    return this.#reservedRows;
  }

  /** Bytes taken from the leaf's memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Dictionary values that the rows so far brought in, by coded column. */
  newValues(column: string): number {
    const state = this.#columns.get(column);
    return state instanceof OpenCodedColumn ? state.newValues : 0;
  }

  /**
   * Whether it must be sealed before it is full: it has more bytes than this, or a dictionary is
   * full, whose column becomes text then.
   */
  isLarge(bytesMax: number): boolean {
    if (this.#bytes > bytesMax) return true;
    for (const state of this.#columns.values()) {
      if (!(state instanceof OpenCodedColumn && state.dictionary instanceof Dictionary)) continue;
      if (isFull(state.dictionary)) return true;
    }
    return false;
  }

  /**
   * Bytes that it takes at least with the batch: each of its columns has room for each of its rows.
   */
  bytesWith(batch: RowBatch): number {
    let columnCount = this.#columns.size;
    for (const { name } of batch.columns) if (!this.#columns.has(name)) columnCount++;
    const rowCount = roomFor(this.#reservedRows + batch.rowCount);
    return Math.max(this.#bytes, columnCount * rowCount * valueBytesLeast);
  }

  /**
   * Whether room for the batch takes more than a moment to clear: its reservation is not to be made
   * at once.
   */
  growsMuchFor(batch: RowBatch): boolean {
    let columnCount = batch.columns.reduce(
      (sum, { name }) => sum + (this.#columns.has(name) ? 0 : 1),
      0,
    );
    const rowCount = roomFor(this.#reservedRows + batch.rowCount);
    if (rowCount > roomFor(this.#reservedRows)) columnCount += this.#columns.size;
    return columnCount * rowCount * valueBytesLeast > growthAtOnceMax;
  }

  /**
   * Reserves the memory for a batch, so that `append` cannot fail. Meanwhile nothing is appended,
   * and readers see the segment unchanged. Throws `storage-full` and restores the segment.
   */
  reserveSteps(batch: RowBatch, layoutOf: (column: string) => ColumnLayout): Steps<void> {
    return this.#reserving(this.#reserve(batch, layoutOf), () => this.growsMuchFor(batch));
  }

  *#reserving(steps: Steps<void>, isLonger: () => boolean): Steps<void> {
    const columnsBefore = this.#columns.size;
    const weightsBefore = this.#weights;
    this.#releaseLeft();
    const isLong = isLonger();
    // Readers keep this view until the end, and its memory stays in place.
    if (isLong && this.rowCount > 0) this.view();
    if (isLong) this.#pins.pin();
    try {
      for (const _ of steps) if (isLong) yield;
    } catch (error) {
      // A column without room has no address: a view would read memory at 0 as its values.
      this.#forget(new Set([...this.#columns.keys()].slice(columnsBefore)));
      this.#weights = weightsBefore;
      throw error;
    } finally {
      // Columns that moved leave it behind, also when there was no room for the next one.
      this.#view = null;
      if (isLong) this.#pins.unpin();
      this.#releaseLeft();
    }
  }

  /** The same in one step. */
  reserve(batch: RowBatch, layoutOf: (column: string) => ColumnLayout): void {
    atOnce(this.reserveSteps(batch, layoutOf));
  }

  #releaseLeft(): void {
    if (!this.#pins.isPinned) for (const release of this.#left.splice(0)) release();
  }

  /** Gives back the memory of columns that no view has shown. */
  #forget(names: ReadonlySet<string>): void {
    for (const name of names) {
      this.#columns.delete(name);
      this.#assign(name, -(this.#columnBytes.get(name) ?? 0));
      this.#columnBytes.delete(name);
    }
    for (const [address, name] of this.#extents) {
      if (!names.has(name)) continue;
      this.#extents.delete(address);
      this.#memory.store.release(address);
    }
  }

  *#reserve(batch: RowBatch, layoutOf: (column: string) => ColumnLayout): Steps<void> {
    const rowCount = this.#reservedRows + batch.rowCount;
    for (const column of batch.columns.map(cellsOf)) {
      const state = this.#column(column.name, layoutOf);
      if (state instanceof OpenTextColumn && column.type !== "int") state.reserveText(column);
      if (state instanceof OpenIntColumn && column.type === "int") state.expect(column);
      if (column.name === sampleRateColumn && column.type === "int")
        this.#weights ??= this.#run(sampleRateColumn, 32);
      yield;
    }
    yield* this.#reserveRows(rowCount);
  }

  *#reserveAll(other: OpenSegment): Steps<void> {
    const rowCount = this.#reservedRows + other.rowCount;
    for (const [name, column] of other.#columns) {
      const own = this.#column(name, () => layoutOf(column));
      if (own instanceof OpenIntColumn && column instanceof OpenIntColumn) own.expectAll(column);
      if (own instanceof OpenTextColumn && column instanceof OpenTextColumn) own.reserveAll(column);
    }
    if (other.#weights !== null) this.#weights ??= this.#run(sampleRateColumn, 32);
    yield* this.#reserveRows(rowCount);
  }

  *#reserveRows(rowCount: number): Steps<void> {
    this.#times.reserve(rowCount);
    if (this.#range === 0) this.#range = this.#allocate(rangeBytes, timeColumn);
    this.#weights?.reserve(rowCount);
    for (const state of this.#columns.values()) {
      state.reserveRows(rowCount);
      yield;
    }
    this.#reservedRows = rowCount;
  }

  /**
   * Appends all rows of a reserved batch, whose columns already have the layouts' types. They
   * become visible together.
   */
  append(batch: RowBatch): void {
    const first = this.rowCount;
    const address = this.#times.address + first * 8;
    const { buffer } = this.#memory.memory;
    new Float64Array(buffer, address, batch.rowCount).set(batch.times);
    this.#kernel.takeTimes(this.#range, address, batch.rowCount);
    const range = new Float64Array(buffer, this.#range, 2);
    this.#minMs = Math.min(this.#minMs, range[0]!);
    this.#maxMs = Math.max(this.#maxMs, range[1]!);
    for (const column of batch.columns) {
      appendColumn(this.#columns.get(column.name)!, column, first, batch.rowCount);
    }
    this.#appendWeights(batch, first);
    this.rowCount = first + batch.rowCount;
    this.#view = null;
  }

  /**
   * Appends all rows of another segment of the same generation. Throws `storage-full`, and changes
   * nothing, when there is no room.
   */
  appendAll(other: OpenSegment): void {
    const { rowCount } = other;
    const first = this.rowCount;
    atOnce(this.#reserving(this.#reserveAll(other), () => false));
    const { bytes } = this.#memory;
    const { buffer } = this.#memory.memory;
    const times = other.#times.address;
    bytes.copyWithin(this.#times.address + first * 8, times, times + rowCount * 8);
    this.#minMs = Math.min(this.#minMs, other.#minMs);
    this.#maxMs = Math.max(this.#maxMs, other.#maxMs);
    for (const [name, column] of other.#columns)
      appendAll(this.#columns.get(name)!, column, first, rowCount);
    if (other.#weights !== null) {
      const address = this.#weights!.address + first * 4;
      const from = new Uint32Array(buffer, other.#weights.address, rowCount);
      new Uint32Array(buffer, address, rowCount).set(from);
    }
    this.#weightTotal += other.#weightTotal;
    this.#weightMax = Math.max(this.#weightMax, other.#weightMax);
    this.rowCount = first + rowCount;
    this.#view = null;
  }

  /** The rows so far, unchanging. */
  view(): StoredSegment {
    this.#view ??= this.#createView();
    return this.#view;
  }

  /** Bytes of the largest column: its sealed form may need as much in one piece. */
  get largestColumnBytes(): number {
    return Math.max(0, ...this.#columnBytes.values());
  }

  /** Gives the memory back once no query reads it. */
  retire(): void {
    this.#memory.open.bytes -= this.#bytes;
    this.#bytes = 0;
    this.#pins.retire(() => {
      for (const address of this.#extents.keys()) this.#memory.store.release(address);
    });
  }

  #createView(): StoredSegment {
    const { rowCount } = this;
    const columns = new Map<string, SegmentColumn>();
    for (const [name, state] of this.#columns) columns.set(name, state.view(rowCount));
    return {
      rowCount,
      sorted: false,
      times: { address: this.#times.address, width: 8 },
      timeBase: 0n,
      encodedTimes: null,
      minMs: this.#minMs,
      maxMs: this.#maxMs,
      columns,
      weights: this.#weights === null ? null : { address: this.#weights.address, width: 4 },
      weightMax: this.#weightMax,
      weightTotal: this.#weightTotal,
      sums: null,
      histograms: new Map(),
      pins: this.#pins,
      columnBytes: this.#columnBytes,
    };
  }

  #column(name: string, layoutOf: (column: string) => ColumnLayout): OpenColumnState {
    const known = this.#columns.get(name);
    if (known !== undefined) return known;
    const layout = layoutOf(name);
    const memory = this.#memoryOf(name);
    const created =
      layout.kind === "int"
        ? this.#intColumn(layout.decimals, memory)
        : layout.kind === "coded"
          ? new OpenCodedColumn(memory, layout.type, layout.dictionary)
          : new OpenTextColumn(memory);
    this.#columns.set(name, created);
    return created;
  }

  #intColumn(decimals: number, memory: ColumnMemory): OpenIntColumn {
    this.#stage ??= this.#createStage();
    return new OpenIntColumn(memory, this.#kernel, this.#stage, decimals);
  }

  /** All columns share it: it is counted with the one that every segment has. */
  #createStage(): ColumnStage {
    return new ColumnStage(this.#memoryOf(timeColumn), this.#kernel);
  }

  #appendWeights(batch: RowBatch, first: number): void {
    const found = batch.columns.find(({ name }) => name === sampleRateColumn);
    const column = found === undefined ? found : denseColumn(found, batch.rowCount);
    if (column === undefined || column.type !== "int") {
      this.#weightTotal += batch.rowCount;
      return;
    }
    const address = this.#weights!.address + first * 4;
    const out = new Uint32Array(this.#memory.memory.buffer, address, batch.rowCount);
    const { values, present } = column;
    // Sample rates are checked to fit the low half of an i64.
    const lows = new Uint32Array(values.buffer, values.byteOffset, batch.rowCount * 2);
    let total = 0;
    let most = this.#weightMax;
    for (let i = 0; i < out.length; i++) {
      const isPresent = present === null || present[i] === 1;
      const weight = isPresent ? lows[i * 2]! : 0;
      out[i] = weight;
      total += weight === 0 ? 1 : weight;
      if (weight > most) most = weight;
    }
    this.#weightTotal += total;
    this.#weightMax = most;
  }

  #run(column: string, bitsPerRow: 32 | 64): OpenRun {
    return new OpenRun(this.#memoryOf(column), bitsPerRow);
  }

  #memoryOf(column: string): ColumnMemory {
    return {
      store: this.#memory,
      allocate: (bytes) => this.#allocate(bytes, column),
      leave: (address) => this.#leave(address, column),
    };
  }

  /** Takes zeroed memory for a column of this segment. */
  #allocate(bytes: number, column: string): number {
    const address = this.#memory.store.allocate(bytes);
    if (address === null) {
      const detail = `${bytes} bytes are wanted, ${this.#memory.store.freeBytes} are free`;
      throw new HadalError("storage-full", { leaf: "", detail });
    }
    this.#extents.set(address, column);
    const taken = this.#memory.store.bytesOf(address);
    this.#assign(column, taken);
    // Extents are whole words long. The engine itself would clear a shared memory byte by byte.
    this.#kernel.clearKeys(address, taken / 8);
    return address;
  }

  /** Releases memory that a column left; later, while running queries read it. */
  #leave(address: number, column: string): void {
    const release = (): void => {
      this.#assign(column, -this.#memory.store.bytesOf(address));
      this.#extents.delete(address);
      this.#memory.store.release(address);
    };
    if (this.#pins.isPinned) this.#left.push(release);
    else release();
  }

  #assign(column: string, bytes: number): void {
    this.#bytes += bytes;
    this.#memory.open.bytes += bytes;
    this.#columnBytes.set(column, (this.#columnBytes.get(column) ?? 0) + bytes);
  }
}

function appendColumn(
  state: OpenColumnState,
  column: BatchColumn,
  first: number,
  rowCount: number,
): void {
  const rows = column.type === "sparse" ? column.rows : null;
  const cells = cellsOf(column);
  if (state instanceof OpenIntColumn) {
    if (cells.type !== "int") throw notConformed(cells, "int");
    if (rows === null) state.append(cells, first, rowCount);
    else state.appendSparse(cells, rows, first);
  } else {
    if (cells.type === "int") throw notConformed(cells, "text");
    if (rows === null) state.append(cells, first, rowCount);
    else state.appendSparse(cells, rows, first);
  }
}

/** Segments of one generation store a column in one form. */
function appendAll(
  own: OpenColumnState,
  other: OpenColumnState,
  first: number,
  rowCount: number,
): void {
  if (own instanceof OpenIntColumn && other instanceof OpenIntColumn)
    own.appendAll(other, first, rowCount);
  else if (own instanceof OpenCodedColumn && other instanceof OpenCodedColumn)
    own.appendAll(other, first, rowCount);
  else if (own instanceof OpenTextColumn && other instanceof OpenTextColumn)
    own.appendAll(other, first, rowCount);
  else throw new Error("a column has two forms in one generation");
}

function layoutOf(column: OpenColumnState): ColumnLayout {
  if (column instanceof OpenIntColumn) return { kind: "int", decimals: column.decimals };
  if (column instanceof OpenTextColumn) return { kind: "text" };
  return { kind: "coded", type: column.type, dictionary: column.dictionary };
}

function notConformed({ name }: DenseBatchColumn, type: string): Error {
  return new Error(`column ${name} is not conformed to ${type}`);
}
