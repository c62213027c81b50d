import type { HashTable, HistogramShape, KernelOperations } from "@hadal/kernel-wasm";
import type { Scratch } from "../memory/scratch.js";

/**
 * The histograms of a column. A scan starts with fine ones; when there are more groups than they
 * have room for, they are moved to the coarse ones. Memory is cleared when it is first used.
 */
export interface HistogramTask {
  readonly kind: "histogram";
  /** Of the squares of weights. */
  readonly squared: boolean;
  /** Address of the {@link HistogramProgress}. */
  readonly progress: number;
  readonly fine: FineHistogram;
  /** Null: the fine ones have room for every group. */
  readonly coarse: CoarseHistogram | null;
}

/** A counter per number of a group and bucket. */
export interface Counters {
  readonly shape: HistogramShape;
  readonly histogram: number;
  /** 8 for weights. Rows of a leaf fit 4 bytes; 2 keep more groups in a cache, 1 still more. */
  readonly counterBytes: 1 | 2 | 4 | 8;
  /** Counters of 1 or 2 bytes: which of them were full, and began again at 1. Else 0. */
  readonly spilled: number;
}

/** The weight of each time that a counter of 1 or 2 bytes was full. */
export const fullCounter = (counterBytes: Counters["counterBytes"]): number =>
  2 ** (8 * counterBytes) - 1;

export interface FineHistogram extends Counters {
  readonly groupsMax: number;
  /**
   * u32 per group: its number + 1, or 0; and u32 per number: its group. 0: groups are their own
   * numbers.
   */
  readonly numberOf: number;
  readonly groupOf: number;
}

export type CoarseHistogram =
  | (Counters & {
      readonly kind: "dense";
      readonly counterBytes: 1 | 2 | 8;
      readonly groupCount: number;
    })
  /**
   * Only the pairs of group and bucket that occur, hashed: key = group · bucketCount + bucket; i64
   * weight per pair.
   */
  | {
      readonly kind: "sparse";
      readonly shape: HistogramShape;
      readonly table: HashTable;
      readonly weights: number;
    };

/** What filling and moving histograms needs of its thread. */
export interface HistogramContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly scratch: Scratch;
}

export const histogramProgressBytes = 12;

/** The progress of a task, in shared memory beside the counters. */
export class HistogramProgress {
  readonly #words: Uint32Array;

  constructor({ buffer }: WebAssembly.Memory, { progress }: HistogramTask) {
    this.#words = new Uint32Array(buffer, progress, 3);
  }

  get isCoarse(): boolean {
    return this.#words[0] !== 0;
  }

  /** Groups that the fine histograms have numbered, and whose memory is therefore clear. */
  get numbered(): number {
    return this.#words[1]!;
  }

  set numbered(count: number) {
    this.#words[1] = count;
  }

  /** Number of pairs in the sparse table. */
  get pairs(): number {
    return this.#words[2]!;
  }

  set pairs(count: number) {
    this.#words[2] = count;
  }

  becomeCoarse(): void {
    this.#words[0] = 1;
  }

  clear(): void {
    this.#words.fill(0);
  }
}
