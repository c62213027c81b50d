import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSWASMModule,
  RELEASE_SYNC,
} from "quickjs-emscripten";

const wasmFile = "@jitl/quickjs-wasmfile-release-sync/wasm";

/** The engine's code, compiled once for all threads: what V8 optimizes of it for one run, the runs after it have. */
export async function compileQuickJs(): Promise<WebAssembly.Module> {
  const library = createRequire(import.meta.url).resolve("quickjs-emscripten");
  return WebAssembly.compile(await readFile(createRequire(library).resolve(wasmFile)));
}

/** An engine with separate memory. */
export function startQuickJs(wasmModule: WebAssembly.Module): Promise<QuickJSWASMModule> {
  return newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmModule }));
}
