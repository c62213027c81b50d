import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Query } from "@hadal/sdk";
import { afterAll, beforeAll, describe, test } from "vitest";
import { loadTable } from "../support/loadTable.js";
import type { Cluster } from "../support/startCluster.js";
import { startCluster } from "../support/startCluster.js";
import { clusterDifference } from "./compare/clusterDifference.js";
import { expectNone, times } from "./random/expectNone.js";
import { randomQuery } from "./random/randomQuery.js";
import { oracleSeed, queriesPerTable, testMsFor } from "./seed/seed.js";
import { oracleTables } from "./table/oracleTables.js";
import { randomTable } from "./table/randomTable.js";

const seed = oracleSeed();
const tables = oracleTables(seed, 1500);
const queryCount = queriesPerTable(44);

/** Long enough for two sealed segments on one leaf, beside an open one. */
const long = randomTable({
  name: "oracle_long",
  rowCount: 136_000,
  seed,
  times: "out of order",
  sampleRates: "small",
  missing: 0.05,
});
const longQueryCount = queriesPerTable(8);
/** Some ten seconds on a machine of its own. */
const testMsMax = testMsFor(240_000, 44, queryCount);

describe("real leaves answer as the oracle does", () => {
  let one: Cluster;
  let three: Cluster;
  let dataDir: string;
  // What is open stays open.
  const open = { HADAL_SEAL_AFTER: "86400" };
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "hadal-oracle-"));
    [one, three] = await Promise.all([
      startCluster({ leaves: 1, dataDir, environment: open }),
      // What is open is sealed at once, and small segments are merged under the queries.
      startCluster({ leaves: 3, environment: { HADAL_SEAL_AFTER: "1" } }),
    ]);
    for (const table of tables) {
      await loadTable(one, table, table.rows.length);
      await loadTable(three, table, 100);
      await loadTable(three, { ...table, name: `${table.name}_finely` }, 7);
    }
    await loadTable(one, long, 5000);
  }, testMsMax);
  afterAll(async () => {
    await Promise.all([one?.stop(), three?.stop()]);
    await rm(dataDir, { recursive: true, force: true });
  });

  test.each(tables)(
    "$name: 1 leaf, 3 leaves, fine batches",
    async (table) => {
      const difference = async (query: Query) => {
        const finely = `${table.name}_finely`;
        const found = [
          ["1 leaf", await clusterDifference(one, 1, table, query)],
          ["3 leaves", await clusterDifference(three, 3, table, query)],
          ["fine batches", await clusterDifference(three, 3, table, query, finely)],
        ].filter(([, text]) => text !== null);
        return found.length === 0 ? null : found.map((pair) => pair.join(": ")).join("\n");
      };
      const queries = times(queryCount, (index) => randomQuery(table, seed * 1000 + index));
      await expectNone(queries, difference);
    },
    testMsMax,
  );

  describe("a long table: sealed segments and an open one", () => {
    const queries = times(longQueryCount, (index) => randomQuery(long, seed * 2000 + index));
    const ask = (): Promise<void> =>
      expectNone(queries, (query) => clusterDifference(one, 1, long, query));

    test("with 1 scan thread", ask, testMsMax);

    test(
      "after a restart, with 2 scan threads",
      async () => {
        await one.stop();
        const environment = { ...open, HADAL_SCAN_THREADS: "2" };
        one = await startCluster({ leaves: 1, dataDir, environment });
        await ask();
      },
      testMsMax,
    );
  });
});
