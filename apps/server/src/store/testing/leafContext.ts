import {
  createKernel,
  createSharedMemory,
  kernelReservedBytes,
  loadKernelModuleSync,
} from "@hadal/kernel-wasm";
import { divideMemory } from "../../memory/leafMemory.js";
import type { TableContext } from "../segment/tableContext.js";

const module = loadKernelModuleSync();
const queryPoolBytesDefault = 16 * 2 ** 20;

/** What a leaf's tables share, over a memory of its own, as a process that has just started has it. */
export function createLeafContext(
  memoryBytes: number,
  warn: (text: string) => void,
  queryPoolBytes = queryPoolBytesDefault,
): TableContext {
  const memory = createSharedMemory(memoryBytes);
  return {
    memory: divideMemory(memory, kernelReservedBytes, queryPoolBytes),
    kernel: createKernel(memory, module),
    warn,
  };
}
