import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadKernelModuleSync } from "../loadModule.js";

const packageFolder = fileURLToPath(new URL("../..", import.meta.url));
const builtPath = `${packageFolder}build/kernel.wasm`;

/** The kernel as its sources are now: built first when they are newer than what is there. */
export function builtKernel(): WebAssembly.Module {
  if (isStale()) {
    execFileSync(process.execPath, [`${packageFolder}build.mjs`], { stdio: "inherit" });
  }
  return loadKernelModuleSync(builtPath);
}

function isStale(): boolean {
  if (!existsSync(builtPath)) return true;
  const builtMs = statSync(builtPath).mtimeMs;
  const sources = readdirSync(`${packageFolder}assembly`).map((name) => `assembly/${name}`);
  return [...sources, "build.mjs"].some(
    (source) => statSync(`${packageFolder}${source}`).mtimeMs > builtMs,
  );
}
