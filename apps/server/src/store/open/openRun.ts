import type { LeafMemory } from "../../memory/leafMemory.js";

/** Gets zeroed memory for one open segment, or throws that the leaf is full. */
export type Allocate = (bytes: number) => number;

/** Gives a run back that was moved away from, once no query reads it. */
export type Leave = (address: number) => void;

/** Room grows by these steps: a table of few rows, or of thousands of columns, must not take a full segment's room for each. */
const firstRows = 1_024;
const growth = 2;
/** The offset behind the last row of a full run, and a whole word of its bitmap. */
const endBytes = 8;

/** The rows that a run takes room for to hold so many, where it has room for `rowsBefore`. */
export function roomFor(rowCount: number, rowsBefore = 0): number {
  let rowsMax = Math.max(firstRows, rowsBefore);
  while (rowsMax < rowCount) rowsMax *= growth;
  return rowsMax;
}

/** One column's values in the open segment, so many bits a row. It moves when it grows. */
export class OpenRun {
  #address = 0;
  #rowsMax = 0;
  readonly #memory: LeafMemory;
  readonly #allocate: Allocate;
  readonly #leave: Leave;

  constructor(
    memory: LeafMemory,
    allocate: Allocate,
    leave: Leave,
    readonly bitsPerRow: 1 | 32 | 64,
  ) {
    this.#memory = memory;
    this.#allocate = allocate;
    this.#leave = leave;
  }

  get address(): number {
    return this.#address;
  }

  /** Makes room for `rowCount` rows in all; those beyond the ones written are zero. */
  reserve(rowCount: number): void {
    if (rowCount <= this.#rowsMax) return;
    const rowsMax = roomFor(rowCount, this.#rowsMax);
    const moved = this.#allocate((rowsMax / 8) * this.bitsPerRow + endBytes);
    const usedBytes = this.#rowsMax === 0 ? 0 : (this.#rowsMax / 8) * this.bitsPerRow + endBytes;
    this.#memory.bytes.copyWithin(moved, this.#address, this.#address + usedBytes);
    if (this.#rowsMax > 0) this.#leave(this.#address);
    this.#address = moved;
    this.#rowsMax = rowsMax;
  }

  /** Gives its memory back, once no query reads it. */
  release(): void {
    if (this.#rowsMax > 0) this.#leave(this.#address);
    this.#address = 0;
    this.#rowsMax = 0;
  }
}
