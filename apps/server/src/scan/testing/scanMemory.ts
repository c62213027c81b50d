import {
  createKernel,
  createSharedMemory,
  type KernelOperations,
  kernelReservedBytes,
  loadKernelModuleSync,
} from "@hadal/kernel-wasm";
import { divideMemory, type LeafMemory } from "../../memory/leafMemory.js";
import { allocateScratch, type Scratch } from "../memory/scratch.js";

/** The memory and the kernel of a leaf's scans. */
export interface ScanMemory {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly leaf: LeafMemory;
  readonly scratch: Scratch;
}

/** Memory of a leaf, and the part for running queries; both in MiB. */
export function createScanMemory(size: number, queries: number): ScanMemory {
  const memory = createSharedMemory(size * 2 ** 20);
  const kernel = createKernel(memory, loadKernelModuleSync());
  const leaf = divideMemory(memory, kernelReservedBytes, queries * 2 ** 20);
  return { memory, kernel, leaf, scratch: allocateScratch(leaf.queries) };
}
