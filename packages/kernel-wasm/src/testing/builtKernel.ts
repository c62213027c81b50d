import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadJsonModuleSync, loadKernelModuleSync } from "../loadModule.js";

const packageFolder = fileURLToPath(new URL("../..", import.meta.url));

/** The kernel of the present sources: built first when they are newer than the built one. */
export function builtKernel(): WebAssembly.Module {
  return loadKernelModuleSync(builtPath("kernel"));
}

/** The same of what reads rows of JSON. */
export function builtJson(): WebAssembly.Module {
  return loadJsonModuleSync(builtPath("json"));
}

function builtPath(name: string): string {
  const path = `${packageFolder}build/${name}.wasm`;
  if (isStale(path))
    execFileSync(process.execPath, [`${packageFolder}build.mjs`], { stdio: "inherit" });
  return path;
}

function isStale(path: string): boolean {
  if (!existsSync(path)) return true;
  const builtMs = statSync(path).mtimeMs;
  const names = readdirSync(`${packageFolder}assembly`, { encoding: "utf8", recursive: true });
  return [...names.map((name) => `assembly/${name}`), "build.mjs"].some(
    (source) => statSync(`${packageFolder}${source}`).mtimeMs > builtMs,
  );
}
