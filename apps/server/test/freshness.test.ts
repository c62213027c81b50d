import type { Query } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendLines } from "./support/allTime.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

const rowCount = 300;
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 2 });
  const lines = Array.from({ length: rowCount }, (_, i) => JSON.stringify({ time: i, a: i }));
  for (let i = 0; i < rowCount; i += 20) await sendLines(cluster, "t", lines.slice(i, i + 20));
}, 120_000);
afterAll(() => cluster?.stop());

test("an answer is given again while it is no older than asked for, and says so", async () => {
  const query: Query = { table: "t", from: 0, to: 1e9, aggregates: [{ fn: "count" }] };
  const old = await cluster.client.query({ ...query, freshnessMs: 3_600_000 });
  expect([old.rows[0]?.[0], old.stats.cache]).toEqual([rowCount, "miss"]);
  await sendLines(cluster, "t", ['{"time":5,"a":0}']);
  const again = await cluster.client.query({ ...query, freshnessMs: 3_600_000 });
  expect([again.rows, again.asOf, again.stats.cache]).toEqual([old.rows, old.asOf, "hit"]);
  expect(again.stats.rowsScanned).toBe(0);
  // Who does not say so, or asks something else, hears of what there is now.
  for (const freshnessMs of [null, 0]) {
    const fresh = await cluster.client.query({ ...query, freshnessMs });
    expect([fresh.rows[0]?.[0], fresh.stats.cache]).toEqual([rowCount + 1, "miss"]);
  }
  // The newer answer is the one to be given again, however it is asked for.
  const reply = await fetch(new URL("/api/v1/query", cluster.url), {
    method: "POST",
    body: JSON.stringify({
      sql: "SELECT count(*) FROM t WHERE time >= 0 AND time < 1000000000 WITH (freshness = '1h')",
    }),
  });
  expect(await reply.json()).toMatchObject({
    stats: { cache: "hit" },
    rows: [[rowCount + 1, rowCount + 1]],
  });
});
