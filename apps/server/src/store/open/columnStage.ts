import type { KernelOperations, Values } from "@hadal/kernel-wasm";
import type { IntBatchColumn } from "../../base/row/rowBatch.js";
import type { LeafMemory } from "../../memory/leafMemory.js";
import { type ColumnMemory, OpenRun } from "./openRun.js";

/** Integers of a batch where the kernel reads them. */
export interface StagedInts {
  /** i64 each. */
  readonly values: Values;
  /** Bitmap; 0: none is missing. */
  readonly present: number;
  /** Of the present ones. */
  readonly min: bigint;
  readonly max: bigint;
}

/** Two i64. */
const rangeBytes = 16;

/**
 * Room for one column of one batch as it arrived, before it is narrowed: small enough to stay in a
 * cache.
 */
export class ColumnStage {
  readonly #memory: LeafMemory;
  readonly #kernel: KernelOperations;
  readonly #values: OpenRun;
  readonly #present: OpenRun;
  readonly #range: number;

  constructor(memory: ColumnMemory, kernel: KernelOperations) {
    this.#memory = memory.store;
    this.#kernel = kernel;
    this.#values = new OpenRun(memory, 64);
    this.#present = new OpenRun(memory, 1);
    this.#range = memory.allocate(rangeBytes);
  }

  /** Makes room for a batch of `rowCount` rows. */
  reserve(rowCount: number): void {
    this.#values.reserve(rowCount);
    this.#present.reserve(rowCount);
  }

  /** Places the values of a column; they stay until the next column is placed. */
  place({ values, present }: IntBatchColumn): StagedInts {
    const { buffer } = this.#memory.memory;
    const { address } = this.#values;
    new BigInt64Array(buffer, address, values.length).set(values);
    const bitmap = present === null ? 0 : this.#placeBits(present);
    this.#kernel.findRange(this.#range, address, bitmap, values.length);
    const [min, max] = new BigInt64Array(buffer, this.#range, 2);
    return { values: { address, width: 8 }, present: bitmap, min: min!, max: max! };
  }

  #placeBits(present: Uint8Array): number {
    const { address } = this.#present;
    const bitmap = this.#memory.bytes.subarray(
      address,
      address + Math.ceil(present.length / 64) * 8,
    );
    bitmap.fill(0);
    for (let row = 0; row < present.length; row++) {
      bitmap[row >> 3]! |= Number(present[row] !== 0) << (row & 7);
    }
    return address;
  }
}
