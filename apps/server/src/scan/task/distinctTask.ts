import type { ElementSet } from "@hadal/kernel-wasm";

/**
 * Where distinct values are collected: bitmaps where all that may occur is known, else a set, else
 * registers.
 */
export type DistinctTask = {
  readonly kind: "distinct";
  /** Address of the {@link DistinctProgress}. */
  readonly progress: number;
} & (
  | DistinctBitmaps
  | {
      readonly form: "set";
      readonly set: ElementSet;
      /** HyperLogLog registers for when the set is full; null where it cannot be. */
      readonly registers: DistinctRegisters | null;
    }
);

export interface DistinctBitmaps {
  readonly form: "bitmaps";
  readonly bitmaps: number;
  readonly groupBits: number;
  readonly groupCount: number;
  /**
   * Bit i is the integer base + i; or, when `table` is not 0, the code i, whose element is in the
   * table.
   */
  readonly base: bigint;
  readonly table: number;
}

export interface DistinctRegisters {
  readonly registers: number;
  readonly bits: number;
  readonly groupCount: number;
}

export const distinctProgressBytes = 8;

/** The progress of a task, in shared memory beside the values. */
export class DistinctProgress {
  readonly #words: Uint32Array;

  constructor({ buffer }: WebAssembly.Memory, { progress }: DistinctTask) {
    this.#words = new Uint32Array(buffer, progress, 2);
  }

  /** Entries of the set. */
  get known(): number {
    return this.#words[0]!;
  }

  set known(count: number) {
    this.#words[0] = count;
  }

  /** Whether the set was too small, and its elements went into the registers. */
  get isEstimating(): boolean {
    return this.#words[1] !== 0;
  }

  startEstimating(): void {
    this.#words[1] = 1;
  }

  clear(): void {
    this.#words.fill(0);
  }
}
