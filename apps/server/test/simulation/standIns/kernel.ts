import { readFileSync } from "node:fs";
import * as real from "../../../../../packages/kernel-wasm/src/index.js";
import { world } from "../world/world.js";

/** The real kernel, compiled once; memories are used again by later leaves. */
export * from "../../../../../packages/kernel-wasm/src/index.js";

declare const builtKernelFolder: string;

const modules = new Map<string, WebAssembly.Module>();
function moduleOf(name: string): WebAssembly.Module {
  let module = modules.get(name);
  if (module === undefined) {
    module = new WebAssembly.Module(readFileSync(`${builtKernelFolder}/${name}.wasm`));
    modules.set(name, module);
  }
  return module;
}

export const loadKernelModule = async (): Promise<WebAssembly.Module> => moduleOf("kernel");
export const loadJsonModule = async (): Promise<WebAssembly.Module> => moduleOf("json");

const free = new Map<number, WebAssembly.Memory[]>();

export function createSharedMemory(bytes: number): WebAssembly.Memory {
  const pooled = free.get(bytes) ?? [];
  free.set(bytes, pooled);
  const memory = pooled.pop() ?? real.createSharedMemory(bytes);
  world().current.onEnd.add(() => pooled.push(memory));
  return memory;
}

const kernels = new WeakMap<WebAssembly.Memory, real.KernelOperations>();

export function createKernel(
  memory: WebAssembly.Memory,
  module: WebAssembly.Module,
): real.KernelOperations {
  let kernel = kernels.get(memory);
  if (kernel === undefined) {
    kernel = real.createKernel(memory, module);
    kernels.set(memory, kernel);
  }
  return kernel;
}

const readers: real.JsonRows[] = [];

/** Its memory is used again by later gateways. */
export class JsonRows {
  constructor(module: WebAssembly.Module, options: { readonly seed: bigint }) {
    const reader = readers.pop() ?? new real.JsonRows(module, options);
    world().current.onEnd.add(() => readers.push(reader));
    // biome-ignore lint/correctness/noConstructorReturn: it stands for the pooled one.
    return reader as unknown as JsonRows;
  }
}
