import type { KernelOperations } from "@hadal/kernel-wasm";
import type { RowSample } from "./rowSample.js";

/**
 * The encoding is chosen by a sample of blocks, spread over the segment: one row in 64 of a full
 * one.
 */
export const encodingSample: RowSample = { runs: 8, runRows: 128, wholeMax: 1_024 };

/** Shared by the steps of sealing a segment. */
export interface SealContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly rowCount: number;
  /** u32 × rowCount: the rows of the open segment in their new order; 0: they keep theirs. */
  readonly order: number;
  /** u32 each: the rows of `encodingSample` in the new order; 0: all rows are read. */
  readonly sampledOrder: number;
  /** Takes memory that the sealed segment keeps. */
  readonly allocate: (bytes: number) => number;
  /** Takes memory that is given back when the present column is sealed and summed. */
  readonly takeScratch: (bytes: number) => number;
}

/** For sums and histograms, which weigh values by their rows. */
export interface WeighingContext extends SealContext {
  /** The weights of all rows. */
  readonly weightTotal: number;
}
