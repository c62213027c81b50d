import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { longRounds, longTrials, resumedRun } from "./lib/longRounds.mjs";
import { at, cache } from "./lib/paths.mjs";
import { runNode, say } from "./lib/run.mjs";
import { prepare } from "./prepare.mjs";

/**
 * Unit tests with more random trials than `npm test` has time for, then the oracle's tests with many
 * more random queries, in rounds with tables and queries of their own: `npm run test:long [--
 * QUERIES]`, 20,000 by default. A run that was stopped resumes when it is started again; what
 * failed is run again. HADAL_TEST_SEED names the first round's seed.
 */
await prepare();
const file = join(cache, "testLong.json");
const queries = Number(process.argv[2] ?? 20_000);
if (!Number.isInteger(queries) || queries < 1) throw new Error("npm run test:long -- QUERIES");
const { HADAL_TEST_SEED: seedText } = process.env;
const run = resumedRun(
  existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null,
  queries,
  seedText === undefined ? undefined : Number(seedText),
  Math.floor(Date.now() / 1000),
);
const rounds = longRounds(queries, run.firstSeed, run.rounds);
const before = rounds.filter(({ hasPassed }) => hasPassed).length;
say(`${queries} random queries, first HADAL_TEST_SEED=${run.firstSeed}`);
if (before > 0) say(`${before} of ${rounds.length} rounds passed before, as ${file} says`);

const keep = () => {
  mkdirSync(cache, { recursive: true });
  writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`);
};

if (run.trials !== "passed") {
  run.trials = (await runTests(["--project", "units"], longTrials)) ? "passed" : "FAILED";
  keep();
  say(`unit tests with long trials: ${run.trials}`);
}
for (const [index, round] of rounds.entries()) {
  if (round.hasPassed) continue;
  const startedMs = performance.now();
  round.hasPassed = await runTests(["apps/server/test/oracle"], {
    HADAL_TEST_QUERIES: String(round.queries),
    HADAL_TEST_SEED: String(round.seed),
  });
  run.rounds[round.seed] = round.hasPassed ? "passed" : "failed";
  keep();
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
  const outcome = round.hasPassed ? "passed" : "FAILED";
  say(`round ${index + 1} of ${rounds.length}, seed ${round.seed}: ${outcome} (${minutes} min)`);
}

const failed = rounds.filter(({ hasPassed }) => !hasPassed);
if (failed.length > 0)
  say(`failed: ${failed.map((each) => `HADAL_TEST_SEED=${each.seed}`).join(", ")}`);
const hasPassed = failed.length === 0 && run.trials === "passed";
if (hasPassed) rmSync(file, { force: true });
process.exitCode = hasPassed ? 0 : 1;

async function runTests(which, env) {
  const code = await runNode([at("node_modules/vitest/vitest.mjs"), "run", ...which], { env });
  return code === 0;
}
