import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** Where `build.mjs` puts it. A bundled program keeps its own copy and names that. */
const builtPath = new URL("../build/kernel.wasm", import.meta.url);

/** Compiles the kernel once per process; threads get the module by message. */
export async function loadKernelModule(
  path: string | URL = builtPath,
): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(path));
}

/** The same, blocking: for a thread that has nothing else to do yet. */
export function loadKernelModuleSync(path: string | URL = builtPath): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(path));
}
