import type { RankedGroups } from "@hadal/kernel-wasm";
import { highOfWideSum } from "../state/wideSum.js";
import type { PreCut, SideTask, StateTask } from "../task/scanTask.js";

/** The states by which the groups of a side are ranked for its early cut. */
export class GroupRanks {
  readonly side: SideTask;
  readonly preCut: PreCut;
  readonly #memory: WebAssembly.Memory;
  readonly #state: StateTask;

  constructor(memory: WebAssembly.Memory, side: SideTask, preCut: PreCut) {
    this.side = side;
    this.preCut = preCut;
    this.#memory = memory;
    this.#state = side.states[preCut.stateIndex]!;
  }

  /** Rows of `count` groups from the first on. */
  counts(first: number, count: number): Uint32Array {
    return new Uint32Array(this.#memory.buffer, this.side.counts + first * 4, count);
  }

  /** For the kernel; null where sums take more than 64 bits. */
  forKernel(): RankedGroups | null {
    const state = this.#state;
    if (state.kind === "sum" && state.wide) return null;
    const weights = state.kind === "sum" ? state.weights : 0;
    return { counts: this.side.counts, sums: this.#sums, weights, desc: this.preCut.desc };
  }

  /**
   * Whether a group may have rows but no rank: then the ranks of its time buckets do not add up.
   */
  get mayMiss(): boolean {
    return this.#state.kind === "sum" && this.#state.weights !== 0;
  }

  /**
   * Reads the ranks of groups from `first` on as doubles: rounding keeps their order, or makes a
   * tie. A missing rank is above all.
   */
  read(first: number, ranks: Float64Array): void {
    const state = this.#state;
    if (this.#sums === 0) {
      ranks.set(this.counts(first, ranks.length));
      return;
    }
    const { buffer } = this.#memory;
    const isWide = state.kind === "sum" && state.wide;
    const wordsPerSum = isWide ? 6 : 2;
    const start = this.#sums + first * wordsPerSum * 4;
    const words = new Uint32Array(buffer, start, ranks.length * wordsPerSum);
    for (let i = 0, at = 0; i < ranks.length; i++, at += wordsPerSum) {
      const high = isWide ? highOfWideSum(words, at) : words[at + 1]! | 0;
      ranks[i] = high * 2 ** 32 + words[at]!;
    }
    if (state.kind === "sum" && state.weights !== 0) {
      const weights = new Int32Array(buffer, state.weights + first * 8, ranks.length * 2);
      for (let i = 0; i < ranks.length; i++) {
        if (weights[2 * i] === 0 && weights[2 * i + 1] === 0) ranks[i] = Number.POSITIVE_INFINITY;
      }
    }
  }

  get #sums(): number {
    const state = this.#state;
    return state.kind === "sum" || state.kind === "weight" ? state.sums : 0;
  }
}
