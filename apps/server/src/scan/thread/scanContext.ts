import type { KernelOperations } from "@hadal/kernel-wasm";
import type { SandboxHost } from "../../function/sandbox/sandboxHost.js";
import type { LeafMemory } from "../../memory/leafMemory.js";
import type { KeptScans } from "../answer/keptScans.js";
import type { Scratch } from "../memory/scratch.js";
import type { ScanThreads } from "./scanThreads.js";

/** The parts of a leaf that scans use. */
export interface ScanContext {
  readonly memory: LeafMemory;
  readonly threads: ScanThreads;
  /** The main thread's own means to scan, for what takes less than waking another thread. */
  readonly kernel: KernelOperations;
  readonly scratch: Scratch;
  readonly kept: KeptScans;
  /** Where functions of users run. */
  readonly sandbox: SandboxHost;
  /** A number no other running task has. */
  nextTaskId(): number;
}
