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

/** The context of a leaf's tables over new memory, as in a process that has just started. */
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
