import type { LeafMemory } from "../memory/leafMemory.js";

/** Gets zeroed memory for one open segment, or throws that the leaf is full. */
export type Allocate = (bytes: number) => number;

/** Room grows by these steps: a table of thousands of columns and few rows must not take a full segment's room for each. */
const firstRows = 1_024;
const growth = 8;
/** The offset behind the last row of a full run, and a whole word of its bitmap. */
const endBytes = 8;

/** One column's values in the open segment, so many bits a row. It moves when it grows; the memory it leaves stays until the segment is retired, since running queries read it. */
export class OpenRun {
  #address = 0;
  #rowsMax = 0;

  constructor(
    private readonly memory: LeafMemory,
    private readonly allocate: Allocate,
    private readonly bitsPerRow: 1 | 32 | 64,
  ) {}

  get address(): number {
    return this.#address;
  }

  /** Makes room for `rowCount` rows in all; those beyond the ones written are zero. */
  reserve(rowCount: number): void {
    if (rowCount <= this.#rowsMax) return;
    let rowsMax = Math.max(firstRows, this.#rowsMax);
    while (rowsMax < rowCount) rowsMax *= growth;
    const moved = this.allocate((rowsMax / 8) * this.bitsPerRow + endBytes);
    const usedBytes = this.#rowsMax === 0 ? 0 : (this.#rowsMax / 8) * this.bitsPerRow + endBytes;
    this.memory.bytes.copyWithin(moved, this.#address, this.#address + usedBytes);
    this.#address = moved;
    this.#rowsMax = rowsMax;
  }
}
