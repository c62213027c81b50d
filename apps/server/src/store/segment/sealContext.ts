import type { KernelOperations } from "@hadal/kernel-wasm";
import type { RowSample } from "./rowSample.js";

/** The encodings are judged by so many blocks of rows, spread over the segment: one row in 64 of a full one. */
export const encodingSample: RowSample = { runs: 8, runRows: 128, wholeMax: 1_024 };

/** What the steps of sealing a segment share. */
export interface SealContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly rowCount: number;
  /** u32 × rowCount: the rows of the open segment in their new order; 0: they keep theirs. */
  readonly order: number;
  /** u32 each: the rows of the open segment that `encodingSample` takes of the new order; 0: all are looked at. */
  readonly sampledOrder: number;
  /** Memory of the sealed segment, */
  readonly allocate: (bytes: number) => number;
  /** and what is given back when the column at hand is sealed and summed. */
  readonly takeScratch: (bytes: number) => number;
}

/** For what is made of a column's values with the weights of their rows. */
export interface WeighingContext extends SealContext {
  /** What all rows stand for. */
  readonly weightTotal: number;
}
