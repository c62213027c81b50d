import type { Query } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadTable } from "../support/loadTable.js";
import { type ClusterGateway, type Machines, startMachines } from "../support/startMachines.js";
import { clusterDifference } from "./compare/clusterDifference.js";
import { expectNone, times } from "./random/expectNone.js";
import { randomQuery } from "./random/randomQuery.js";
import { oracleSeed, queriesPerTable, testMsFor } from "./seed/seed.js";
import { oracleTables } from "./table/oracleTables.js";

const seed = oracleSeed();
/** Every third: tables differ most by their times, which one machine's leaves are asked about too. */
const tables = oracleTables(seed, 1_500).filter((_, i) => i % 3 === 0);
const queryCount = queriesPerTable(15);
const testMsMax = testMsFor(120_000, 15, queryCount);

let machines: Machines;
let gateway: ClusterGateway;
beforeAll(async () => {
  machines = await startMachines();
  // A tree of three levels below the gateway, another one for each query.
  const flags = ["--fan-out", "2", "--leaf-memory", "1024"];
  for (const number of [1, 2, 3, 4, 5]) await machines.startAggregator(number, flags);
  gateway = await machines.startGateway();
  for (const table of tables) await loadTable(gateway, table, 7);
}, testMsMax);
afterAll(() => machines.remove(), 60_000);

test.each(tables)(
  "S70-S75: $name: ten leaves of five machines answer as the oracle does",
  async (table) => {
    const queries = times(queryCount, (index) => randomQuery(table, seed * 3_000 + index));
    const difference = (query: Query): Promise<string | null> =>
      clusterDifference(gateway, 10, table, query);
    await expectNone(queries, difference);
    expect(queries.length).toBe(queryCount);
  },
  testMsMax,
);
