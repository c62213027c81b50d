import { availableParallelism } from "node:os";
import { join } from "node:path";
import { at, cache } from "./paths.mjs";
import { add, countOfCheck, nothing } from "./reports.mjs";
import { runNode } from "./run.mjs";
import { runTasks } from "./schedule.mjs";

const modules = (path) => at("node_modules", path);
const types = (name, projects, after = []) => ({
  name,
  args: [modules("typescript/bin/tsc"), "-b", ...projects],
  after,
});

/**
 * Longest first, as soon as what they read is there: two cores are busy to the end. Two runs of tsc
 * never build the same project at once; one run takes several, as it then reads the libraries'
 * types only once.
 */
const checks = [
  types("types of the SDK", ["packages/sdk"]),
  types(
    "types of server and kernel",
    ["packages/kernel-wasm", "apps/server"],
    ["types of the SDK"],
  ),
  types("types of web and e2e", ["apps/web", "e2e"], ["types of the SDK"]),
  {
    name: "import rules",
    args: [
      modules("dependency-cruiser/bin/dependency-cruise.mjs"),
      ...["--config", ".dependency-cruiser.cjs", "packages", "apps", "e2e"],
    ],
  },
  {
    name: "unused code",
    // Its cache holds what it read of each file, by time and size, and the lists of folders by
    // their times.
    args: [modules("knip/bin/knip.js"), "--cache", "--cache-location", join(cache, "knip")],
  },
  { name: "lint", args: [modules("@biomejs/biome/bin/biome"), "check", "."] },
];

/**
 * Types, lint, import rules and unused code; each prints one line, and its output when it fails.
 */
export async function runChecks() {
  const counts = await runTasks(checks, Math.max(2, availableParallelism()), runCheck);
  return counts.reduce(add, nothing);
}

async function runCheck({ name, args }) {
  const startedMs = performance.now();
  const code = await runNode(args, { quiet: true });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${code === 0 ? "✓" : "✗"} ${name} (${seconds} s)`);
  return countOfCheck(name, code);
}
