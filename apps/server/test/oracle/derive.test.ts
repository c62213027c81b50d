import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadTable } from "../support/loadTable.js";
import type { Cluster } from "../support/startCluster.js";
import { startCluster } from "../support/startCluster.js";
import { clusterDifference } from "./compare/clusterDifference.js";
import { randomDerivedQuery } from "./random/randomDerive.js";
import { shrinkQuery } from "./random/shrinkQuery.js";
import { oracleSeed, queriesPerTable, testMsFor } from "./seed/seed.js";
import type { OracleTable } from "./table/oracleTable.js";
import { oracleTables } from "./table/oracleTables.js";
import { randomTable } from "./table/randomTable.js";

const seed = oracleSeed();
const tables = oracleTables(seed, 1500);
const queryCount = queriesPerTable(9);

const long = randomTable({
  name: "oracle_long",
  rowCount: 72_000,
  seed: seed + 1,
  times: "out of order",
  sampleRates: "small",
  missing: 0.05,
});
const longQueryCount = queriesPerTable(3);
const failuresShown = 4;
const testMsMax = testMsFor(240_000, 9, queryCount);

describe("queries over derived columns answer as if these had been stored", () => {
  let one: Cluster;
  let three: Cluster;
  let threaded: Cluster;
  beforeAll(async () => {
    const open = { HADAL_SEAL_AFTER: "86400" };
    [one, three, threaded] = await Promise.all([
      startCluster({ leaves: 1, environment: open }),
      startCluster({ leaves: 3, environment: { HADAL_SEAL_AFTER: "1" } }),
      startCluster({ leaves: 1, environment: { ...open, HADAL_SCAN_THREADS: "2" } }),
    ]);
    for (const table of tables) {
      await loadTable(one, table, table.rows.length);
      await loadTable(three, table, 100);
    }
    await loadTable([one, threaded], long, 5000);
  }, testMsMax);
  afterAll(async () => {
    await Promise.all([one?.stop(), three?.stop(), threaded?.stop()]);
  });

  test.each(tables)(
    "$name: 1 leaf, 3 leaves",
    async (table) => {
      await expectNone(table, queryCount, seed * 3000, [
        [one, 1],
        [three, 3],
      ]);
    },
    testMsMax,
  );

  test(
    "a long table: sealed segments and an open one, with 1 and 2 scan threads",
    async () => {
      await expectNone(long, longQueryCount, seed * 4000, [
        [one, 1],
        [threaded, 1],
      ]);
    },
    testMsMax,
  );
});

/** Fails with the first few queries that differ, each as small as it still does. */
async function expectNone(
  table: OracleTable,
  count: number,
  firstSeed: number,
  clusters: readonly (readonly [Cluster, number])[],
): Promise<void> {
  const failures: string[] = [];
  for (let i = 0; i < count && failures.length < failuresShown; i++) {
    const { query } = randomDerivedQuery(table, firstSeed + i);
    const difference = async (asked: typeof query): Promise<string | null> => {
      for (const [cluster, leaves] of clusters) {
        const found = await clusterDifference(cluster, leaves, table, asked);
        if (found !== null) return `${leaves} leaves: ${found}`;
      }
      return null;
    };
    const first = await difference(query);
    if (first === null) continue;
    const small = await shrinkQuery(query, async (smaller) => (await difference(smaller)) !== null);
    failures.push(
      `query ${i}: ${(await difference(small)) ?? `at first ${first}`}\n${JSON.stringify(small)}`,
    );
  }
  if (failures.length > 0) expect.fail(`HADAL_TEST_SEED=${seed}\n${failures.join("\n\n")}`);
}
