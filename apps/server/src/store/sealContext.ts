import type { KernelOperations } from "@hadal/kernel-wasm";

/** What the steps of sealing a segment share. */
export interface SealContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly rowCount: number;
  /** u32 × rowCount: the rows of the open segment in their new order; 0: they keep theirs. */
  readonly order: number;
  /** Memory of the sealed segment, */
  readonly allocate: (bytes: number) => number;
  /** and what is given back when the column at hand is sealed and summed. */
  readonly takeScratch: (bytes: number) => number;
}
