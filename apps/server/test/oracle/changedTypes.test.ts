import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadTable } from "../support/loadTable.js";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { clusterDifference } from "./compare/clusterDifference.js";
import { randomQuery } from "./random/randomQuery.js";
import { shrinkQuery } from "./random/shrinkQuery.js";
import { oracleSeed, queriesPerTable, testMsFor } from "./seed/seed.js";
import { changingTypes } from "./table/changedTypes.js";
import { randomTable } from "./table/randomTable.js";

const seed = oracleSeed();
const queryCount = queriesPerTable(36);
const testMsMax = testMsFor(120_000, 36, queryCount);

/** S8 to S11: columns that come late, go early and change their type, over segments, leaves and a restart. */
test(
  "a table whose columns change their types is answered in the last ones, also after a restart",
  async () => {
    const { sent, stored } = changingTypes(
      randomTable({
        name: "changing",
        rowCount: 1_800,
        seed,
        times: "out of order",
        sampleRates: "small",
        missing: 0.1,
      }),
    );
    const dataDir = await mkdtemp(join(tmpdir(), "hadal-test-"));
    const environment = { HADAL_SEAL_AFTER: "1", HADAL_SCAN_THREADS: "4" };
    const start = (): Promise<Cluster> => startCluster({ leaves: 2, dataDir, environment });
    let cluster = await start();
    try {
      for (const table of sent) await loadTable(cluster, table, 75);
      await expectSame(cluster, 0);
      await cluster.stop();
      cluster = await start();
      await expectSame(cluster, queryCount);
    } finally {
      await cluster.stop();
      await rm(dataDir, { recursive: true });
    }

    async function expectSame(asked: Cluster, first: number): Promise<void> {
      for (let index = first; index < first + queryCount; index++) {
        const query = randomQuery(stored, seed * 3_000 + index);
        if ((await clusterDifference(asked, 2, stored, query)) === null) continue;
        const small = await shrinkQuery(
          query,
          async (smaller) => (await clusterDifference(asked, 2, stored, smaller)) !== null,
        );
        const difference = await clusterDifference(asked, 2, stored, small);
        expect.fail(
          `HADAL_TEST_SEED=${seed}, query ${index}: ${difference}\n${JSON.stringify(small)}`,
        );
      }
    }
  },
  testMsMax,
);
