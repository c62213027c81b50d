import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { longRounds, resumedRun } from "./lib/longRounds.mjs";
import { at, cache } from "./lib/paths.mjs";
import { runNode, say } from "./lib/run.mjs";
import { prepare } from "./prepare.mjs";

/**
 * The oracle's tests with many more random queries than `npm test` has time for, in rounds with
 * tables and queries of their own: `npm run test:long [-- QUERIES]`, 20,000 by default. A run that
 * was stopped resumes when it is started again; rounds that failed are run again. HADAL_TEST_SEED
 * names the first round's seed.
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

for (const [index, round] of rounds.entries()) {
  if (round.hasPassed) continue;
  const startedMs = performance.now();
  round.hasPassed = await ask(round);
  run.rounds[round.seed] = round.hasPassed ? "passed" : "failed";
  mkdirSync(cache, { recursive: true });
  writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`);
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
  const outcome = round.hasPassed ? "passed" : "FAILED";
  say(`round ${index + 1} of ${rounds.length}, seed ${round.seed}: ${outcome} (${minutes} min)`);
}

const failed = rounds.filter(({ hasPassed }) => !hasPassed);
if (failed.length === 0) rmSync(file, { force: true });
else say(`failed: ${failed.map((each) => `HADAL_TEST_SEED=${each.seed}`).join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function ask(round) {
  const code = await runNode(
    [at("node_modules/vitest/vitest.mjs"), "run", "apps/server/test/oracle"],
    { env: { HADAL_TEST_QUERIES: String(round.queries), HADAL_TEST_SEED: String(round.seed) } },
  );
  return code === 0;
}
