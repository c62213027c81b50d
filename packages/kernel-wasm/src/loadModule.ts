import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

// Where `build.mjs` puts them. A bundled program keeps its own copies and names those.
const builtKernel = new URL("../build/kernel.wasm", import.meta.url);
const builtJson = new URL("../build/json.wasm", import.meta.url);

/** Compiles the kernel once per process; threads get the module by message. */
export async function loadKernelModule(
  path: string | URL = builtKernel,
): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(path));
}

/** The same, blocking: for a thread that has nothing else to do yet. */
export function loadKernelModuleSync(path: string | URL = builtKernel): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(path));
}

/** Compiles what reads rows of JSON. */
export async function loadJsonModule(path: string | URL = builtJson): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(path));
}

/** The same, blocking. */
export function loadJsonModuleSync(path: string | URL = builtJson): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(path));
}
