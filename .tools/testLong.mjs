import { at } from "./lib/paths.mjs";
import { runNode, say } from "./lib/run.mjs";
import { prepare } from "./prepare.mjs";

/**
 * The oracle's tests with many more random queries than `npm test` has time for, from a seed of the day's own:
 * `npm run test:long [-- QUERIES]`, 20,000 if not told. HADAL_TEST_SEED repeats a run.
 */
await prepare();
const queries = process.argv[2] ?? "20000";
const seed = process.env.HADAL_TEST_SEED ?? String(Math.floor(Date.now() / 1000));
say(`${queries} random queries from HADAL_TEST_SEED=${seed}`);
process.exitCode = await runNode(
  [at("node_modules/vitest/vitest.mjs"), "run", "apps/server/test/oracle"],
  { env: { HADAL_TEST_QUERIES: queries, HADAL_TEST_SEED: seed } },
);
