import type { KernelOperations } from "@hadal/kernel-wasm";
import type { Scratch } from "../memory/scratch.js";

/** What is needed to read a thread's tables out of its memory. */
export interface ReadContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly scratch: Scratch;
}
