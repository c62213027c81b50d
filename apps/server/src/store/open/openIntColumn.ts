import type { KernelOperations } from "@hadal/kernel-wasm";
import type { IntBatchColumn } from "../../base/row/rowBatch.js";
import { int64Max, int64Min } from "../../column/decimal.js";
import type { IntColumn } from "../../column/segmentColumn.js";
import type { LeafMemory } from "../../memory/leafMemory.js";
import type { ColumnStage, StagedInts } from "./columnStage.js";
import type { OpenColumn } from "./openColumns.js";
import { type ColumnMemory, copyBits, OpenRun } from "./openRun.js";

const narrowSpan = 2n ** 32n;

/**
 * Integers of the open segment: value − base in 4 bytes, or the value in 8 once the span is too
 * wide.
 */
export class OpenIntColumn implements OpenColumn<IntBatchColumn> {
  /** Null before the first values are reserved. */
  #base: bigint | null = null;
  #isWide = false;
  #values: OpenRun;
  readonly #present: OpenRun;
  /** Rows before this one are appended, or have no value. */
  #rowCount = 0;
  #presentRows = 0;
  #min = int64Max;
  #max = int64Min;
  readonly #memory: ColumnMemory;
  readonly #store: LeafMemory;
  readonly #kernel: KernelOperations;
  readonly #stage: ColumnStage;
  readonly decimals: number;

  constructor(
    memory: ColumnMemory,
    kernel: KernelOperations,
    stage: ColumnStage,
    decimals: number,
  ) {
    this.#memory = memory;
    this.#store = memory.store;
    this.#kernel = kernel;
    this.#stage = stage;
    this.decimals = decimals;
    this.#values = new OpenRun(memory, 32);
    this.#present = new OpenRun(memory, 1);
  }

  /** Prepares for values that will be appended. The next `reserveRows` makes room for them. */
  expect(column: IntBatchColumn): void {
    this.#stage.reserve(column.values.length);
    if (this.#isWide) return;
    this.#expectRange(this.#stage.place(column));
  }

  /** The same for all values of a column of another segment. */
  expectAll(other: OpenIntColumn): void {
    if (!this.#isWide) this.#expectRange({ min: other.#min, max: other.#max });
  }

  #expectRange({ min, max }: Pick<StagedInts, "min" | "max">): void {
    if (min > max) return;
    this.#base ??= baseFor(min, max);
    this.#isWide ||= min < this.#base || max - this.#base >= narrowSpan;
  }

  reserveRows(rowCount: number): void {
    if (this.#isWide && this.#width === 4) this.#widen(rowCount);
    this.#values.reserve(rowCount);
    this.#present.reserve(rowCount);
  }

  append(column: IntBatchColumn, firstRow: number, rowCount: number): void {
    const staged = this.#stage.place(column);
    this.#write(staged, firstRow, rowCount);
    this.#markPresent(column.present, firstRow, rowCount);
    if (staged.min < this.#min) this.#min = staged.min;
    if (staged.max > this.#max) this.#max = staged.max;
    this.#rowCount = firstRow + rowCount;
  }

  appendSparse(cells: IntBatchColumn, rows: Uint32Array, firstRow: number): void {
    const { min, max } = this.#stage.place(cells);
    const rowCount = firstRow + (rows.at(-1) ?? -1) + 1;
    const { bytes } = this.#store;
    const { buffer } = this.#store.memory;
    const isNarrow = this.#width === 4;
    const base = this.#storedBase;
    const { address } = this.#values;
    const narrow = new Uint32Array(buffer, address, isNarrow ? rowCount : 0);
    const wide = new BigInt64Array(buffer, address, isNarrow ? 0 : rowCount);
    for (let i = 0; i < rows.length; i++) {
      const row = firstRow + rows[i]!;
      if (isNarrow) narrow[row] = Number(cells.values[i]! - base);
      else wide[row] = cells.values[i]!;
      bytes[this.#present.address + (row >> 3)]! |= 1 << (row & 7);
    }
    this.#presentRows += rows.length;
    if (min < this.#min) this.#min = min;
    if (max > this.#max) this.#max = max;
    this.#rowCount = rowCount;
  }

  /** Appends the rows of a column of another segment, which has the same decimals. */
  appendAll(other: OpenIntColumn, firstRow: number, rowCount: number): void {
    if (other.#presentRows === 0) return;
    this.#copyValues(other, firstRow, rowCount);
    const { bytes } = this.#store;
    if (other.#presentRows === rowCount) {
      setBits(bytes, this.#present.address, firstRow, rowCount);
    } else copyBits(bytes, other.#present.address, this.#present.address, { firstRow, rowCount });
    this.#presentRows += other.#presentRows;
    if (other.#min < this.#min) this.#min = other.#min;
    if (other.#max > this.#max) this.#max = other.#max;
    this.#rowCount = firstRow + rowCount;
  }

  #copyValues(other: OpenIntColumn, firstRow: number, rowCount: number): void {
    const { buffer } = this.#store.memory;
    const { bytes } = this.#store;
    const from = other.#valuesIn(buffer, 0, rowCount);
    const to = this.#valuesIn(buffer, firstRow, rowCount);
    const [base, otherBase] = [this.#storedBase, other.#storedBase];
    const isAlike = base === otherBase && this.#width === other.#width;
    if (isAlike) {
      const width = this.#width;
      const address = this.#values.address + firstRow * width;
      bytes.copyWithin(address, other.#values.address, other.#values.address + rowCount * width);
      return;
    }
    const present = other.#present.address;
    for (let i = 0; i < rowCount; i++) {
      if (((bytes[present + (i >> 3)]! >> (i & 7)) & 1) === 0) continue;
      const value = otherBase + BigInt(from[i]!);
      if (to instanceof Uint32Array) to[i] = Number(value - base);
      else to[i] = value;
    }
  }

  #valuesIn(
    buffer: ArrayBufferLike,
    firstRow: number,
    rowCount: number,
  ): Uint32Array | BigInt64Array {
    const address = this.#values.address + firstRow * this.#width;
    return this.#width === 4
      ? new Uint32Array(buffer, address, rowCount)
      : new BigInt64Array(buffer, address, rowCount);
  }

  view(rowCount: number): IntColumn {
    return {
      kind: "int",
      decimals: this.decimals,
      values: { address: this.#values.address, width: this.#width },
      base: this.#storedBase,
      encoded: null,
      present: this.#presentRows === rowCount ? 0 : this.#present.address,
      min: this.#min,
      max: this.#max,
    };
  }

  /** Width of the stored values; it follows `#isWide` once there is room. */
  get #width(): 4 | 8 {
    return this.#values.bitsPerRow === 32 ? 4 : 8;
  }

  /** The base of the stored values. */
  get #storedBase(): bigint {
    return this.#width === 8 ? 0n : (this.#base ?? 0n);
  }

  #write({ values, present }: StagedInts, firstRow: number, rowCount: number): void {
    const width = this.#width;
    const out = { address: this.#values.address + firstRow * width, width } as const;
    this.#kernel.permuteInts(out, values, present, 0, rowCount, this.#storedBase);
  }

  #markPresent(present: Uint8Array | null, firstRow: number, rowCount: number): void {
    const { bytes } = this.#store;
    const { address } = this.#present;
    if (present === null) {
      setBits(bytes, address, firstRow, rowCount);
      this.#presentRows += rowCount;
      return;
    }
    for (let i = 0; i < rowCount; i++) {
      if (present[i] === 0) continue;
      const row = firstRow + i;
      bytes[address + (row >> 3)]! |= 1 << (row & 7);
      this.#presentRows++;
    }
  }

  /** Moves to 8 bytes a value: at most once for a segment. */
  #widen(rowCount: number): void {
    const wide = new OpenRun(this.#memory, 64);
    wide.reserve(rowCount);
    const { bytes } = this.#store;
    const { buffer } = this.#store.memory;
    const base = this.#storedBase;
    const from = new Uint32Array(buffer, this.#values.address, this.#rowCount);
    const to = new BigInt64Array(buffer, wide.address, this.#rowCount);
    for (let row = 0; row < this.#rowCount; row++) {
      const bits = bytes[this.#present.address + (row >> 3)]!;
      if ((bits >> (row & 7)) & 1) to[row] = base + BigInt(from[row]!);
    }
    this.#values.release();
    this.#values = wide;
  }
}

/**
 * Zero where the values fit above it, as counts and sizes do; else with as much room below as
 * above.
 */
function baseFor(min: bigint, max: bigint): bigint {
  if (min >= 0n && max < narrowSpan) return 0n;
  const half = narrowSpan / 2n;
  if (min >= -half && max < half) return -half;
  const base = (min + max) / 2n - half;
  return base < int64Min ? int64Min : base;
}

function setBits(bytes: Uint8Array, bitmap: number, from: number, count: number): void {
  const end = from + count;
  const setEach = (first: number, last: number): void => {
    for (let row = first; row < last; row++) bytes[bitmap + (row >> 3)]! |= 1 << (row & 7);
  };
  const wholeFrom = Math.min(end, (from + 7) & ~7);
  const wholeTo = Math.max(wholeFrom, end & ~7);
  setEach(from, wholeFrom);
  bytes.fill(255, bitmap + (wholeFrom >> 3), bitmap + (wholeTo >> 3));
  setEach(wholeTo, end);
}
