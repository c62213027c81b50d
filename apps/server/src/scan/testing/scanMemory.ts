import {
  createKernel,
  createSharedMemory,
  type KernelOperations,
  kernelReservedBytes,
  loadKernelModuleSync,
} from "@hadal/kernel-wasm";
import { divideMemory, type LeafMemory } from "../../memory/leafMemory.js";
import { allocateScratch, type Scratch } from "../memory/scratch.js";

/** What a leaf scans with and in. */
export interface ScanMemory {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly leaf: LeafMemory;
  readonly scratch: Scratch;
}

/** So much memory, of which so much is for running queries; both in MiB. */
export function createScanMemory(size: number, queries: number): ScanMemory {
  const memory = createSharedMemory(size * 2 ** 20);
  const kernel = createKernel(memory, loadKernelModuleSync());
  const leaf = divideMemory(memory, kernelReservedBytes, queries * 2 ** 20);
  return { memory, kernel, leaf, scratch: allocateScratch(leaf.queries) };
}
