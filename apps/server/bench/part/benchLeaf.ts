import {
  createKernel,
  createSharedMemory,
  type KernelOperations,
  kernelReservedBytes,
  loadKernelModule,
} from "@hadal/kernel-wasm";
import { adviseHugePages } from "../../src/memory/hugePages.js";
import { divideMemory, type LeafMemory } from "../../src/memory/leafMemory.js";

export interface BenchLeaf {
  readonly leaf: LeafMemory;
  readonly kernel: KernelOperations;
}

/** A leaf's memory as of one that has run for a while: no page of it is touched for the first time. */
export async function createBenchLeaf(memoryBytes: number): Promise<BenchLeaf> {
  const memory = createSharedMemory(memoryBytes);
  await adviseHugePages(memory);
  new Uint8Array(memory.buffer).fill(1);
  const module = await loadKernelModule(new URL("./kernel.wasm", import.meta.url));
  const leaf = divideMemory(memory, kernelReservedBytes, memoryBytes / 4);
  return { leaf, kernel: createKernel(memory, module) };
}
