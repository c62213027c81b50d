import { PackedBlocks } from "./packedBlocks.js";
import { type ColumnReader, createColumnReader } from "./readColumn.js";
import type { IntColumn } from "./segmentColumn.js";

/** Sums of 32 bits beyond these are exact as doubles. */
const exactMax = 2n ** 52n;

/**
 * Reads integers of neighbouring rows in order: a packed block is unpacked once. The memory must
 * stay in place during its use.
 */
export class NearInts {
  readonly #reader: ColumnReader;
  readonly #blocks: PackedBlocks;
  #column: IntColumn | null = null;
  #isExact = false;

  constructor(memory: WebAssembly.Memory) {
    this.#reader = createColumnReader(memory);
    this.#blocks = new PackedBlocks(new DataView(memory.buffer));
  }

  /** The value of a row that has one. */
  read(column: IntColumn, rowIndex: number, rowCount: number): bigint {
    const { encoded, base } = column;
    if (encoded?.kind !== "packed") return this.#reader.storedInt(column, rowIndex, rowCount);
    if (column !== this.#column) {
      this.#column = column;
      this.#isExact = column.min - base > -exactMax && column.max - base < exactMax;
    }
    if (!this.#isExact) return this.#reader.storedInt(column, rowIndex, rowCount);
    return base + BigInt(this.#blocks.read(encoded, rowIndex, rowCount));
  }
}
