import type { LeafMemory } from "../../memory/leafMemory.js";

/** Memory of one column of an open segment. */
export interface ColumnMemory {
  readonly store: LeafMemory;
  /** Takes zeroed memory; throws `storage-full` when the leaf has none. */
  readonly allocate: (bytes: number) => number;
  /** Gives memory back once no query reads it. */
  readonly leave: (address: number) => void;
}

/**
 * Runs grow in steps: a table of few rows, or of thousands of columns, must not take a full
 * segment's room for each.
 */
const firstRows = 1_024;
const growth = 2;
/** The offset behind the last row of a full run, and a whole word of its bitmap. */
const endBytes = 8;

/**
 * The rows that a run with room for `rowsBefore` takes room for when it needs room for `rowCount`.
 */
export function roomFor(rowCount: number, rowsBefore = 0): number {
  let rowsMax = Math.max(firstRows, rowsBefore);
  while (rowsMax < rowCount) rowsMax *= growth;
  return rowsMax;
}

/** One column's values in the open segment. It moves when it grows. */
export class OpenRun {
  #address = 0;
  #rowsMax = 0;
  readonly #memory: ColumnMemory;

  constructor(
    memory: ColumnMemory,
    readonly bitsPerRow: 1 | 32 | 64,
  ) {
    this.#memory = memory;
  }

  get address(): number {
    return this.#address;
  }

  /** Makes room for `rowCount` rows in all; those beyond the ones written are zero. */
  reserve(rowCount: number): void {
    if (rowCount <= this.#rowsMax) return;
    const rowsMax = roomFor(rowCount, this.#rowsMax);
    const moved = this.#memory.allocate((rowsMax / 8) * this.bitsPerRow + endBytes);
    const usedBytes = this.#rowsMax === 0 ? 0 : (this.#rowsMax / 8) * this.bitsPerRow + endBytes;
    this.#memory.store.bytes.copyWithin(moved, this.#address, this.#address + usedBytes);
    if (this.#rowsMax > 0) this.#memory.leave(this.#address);
    this.#address = moved;
    this.#rowsMax = rowsMax;
  }

  /** Gives its memory back, once no query reads it. */
  release(): void {
    if (this.#rowsMax > 0) this.#memory.leave(this.#address);
    this.#address = 0;
    this.#rowsMax = 0;
  }
}

/** Sets those bits of rows from `firstRow` on that are set in a bitmap of rows from 0 on. */
export function copyBits(
  bytes: Uint8Array,
  from: number,
  to: number,
  { firstRow, rowCount }: { readonly firstRow: number; readonly rowCount: number },
): void {
  for (let i = 0; i < rowCount; i++) {
    if (((bytes[from + (i >> 3)]! >> (i & 7)) & 1) === 0) continue;
    const row = firstRow + i;
    bytes[to + (row >> 3)]! |= 1 << (row & 7);
  }
}
