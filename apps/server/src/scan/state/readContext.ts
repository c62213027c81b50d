import type { KernelOperations } from "@hadal/kernel-wasm";
import type { Scratch } from "../memory/scratch.js";

/** The parts of a thread that reading its tables uses. */
export interface ReadContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly scratch: Scratch;
}
