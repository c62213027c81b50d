import { afterAll, beforeAll, expect, test } from "vitest";
import { leafMemoryMin } from "../src/base/limit/settings.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

let cluster: Cluster;
beforeAll(async () => {
  const environment = { HADAL_LEAF_MEMORY: String(leafMemoryMin) };
  cluster = await startCluster({ leaves: 1, environment });
}, 60_000);
afterAll(() => cluster?.stop());

test("a leaf with the least memory that may be set takes rows, seals them and counts them", async () => {
  for (let batch = 0; batch < 10; batch++) {
    const lines = Array.from({ length: 10_000 }, (_, i) => `{"time":${i},"n":${batch * i}}`);
    const reply = await cluster.client.ingestBody("t", lines.join("\n"), {
      contentType: "application/x-ndjson",
      timeUnit: "ms",
    });
    expect(reply.accepted).toBe(10_000);
  }
  const { rows } = await cluster.client.query({ table: "t", from: 0, to: 10_000 });
  expect(rows[0]?.[0]).toBe(100_000);
}, 60_000);
