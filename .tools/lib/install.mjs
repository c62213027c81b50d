import { existsSync, statSync, utimesSync } from "node:fs";
import { at } from "./paths.mjs";
import { runNpm, StepError, say } from "./run.mjs";
import { isFresh, snapshot } from "./stamp.mjs";

const installed = "node_modules/.package-lock.json";
const target = { name: "install", inputs: ["package-lock.json"], outputs: [installed] };

/**
 * npm writes its own lock file last: older than ours means that ours changed since, unless its
 * bytes did not.
 */
export function isInstalled() {
  if (!existsSync(at(installed))) return false;
  return timeOf(installed) >= timeOf("package-lock.json") || isFresh(target);
}

export async function install() {
  const lock = snapshot(target);
  say("installing packages …");
  // Not `npm ci`: it refuses a lock file that lacks optional packages of other platforms, and one
  // that was made behind a mirror lacks those which the mirror does not have.
  const args = ["install", "--no-save", "--include=dev", "--no-audit", "--no-fund"];
  const code = await runNpm(args, { quiet: true });
  if (code !== 0) throw new StepError("npm install failed; its reason is above");
  const now = new Date();
  utimesSync(at(installed), now, now);
  lock.keep();
}

const timeOf = (path) => statSync(at(path)).mtimeMs;
