import { afterAll, beforeAll, expect, test } from "vitest";
import { sendLines } from "./support/allTime.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 2 });
});
afterAll(() => cluster.stop());

const tables = () => cluster.client.tables();

test("sampled rows say how soon rows are in answers (M22), on the list of tables and in metrics", async () => {
  for (let i = 0; i < 3; i++) {
    const time = Date.now() - 50;
    await sendLines(cluster, "calls", [
      `{"time":${time},"service":"shop","id":${i},"price":1.25,"tags":["a"],"n":1152921504606846977}`,
      `{"time":${time},"service":null,"id":${i}}`,
    ]);
    // Rows of a file say nothing.
    await sendLines(cluster, "old", [`{"time":${time - 3_600_000},"id":${i}}`]);
  }
  await expect
    .poll(async () => (await tables())[0]?.visible?.samples, { timeout: 10_000 })
    .toBeGreaterThan(0);
  const [calls, old] = await tables();
  expect(calls?.visible).toMatchObject({ unseen: 0 });
  expect(calls?.visible?.p50Ms).toBeGreaterThanOrEqual(50);
  expect(calls?.visible?.p99Ms).toBeLessThan(10_000);
  expect(old).toMatchObject({ name: "old", rows: 3 });
  expect(old).not.toHaveProperty("visible");
  expect(await cluster.client.table("calls")).toMatchObject({ visible: { unseen: 0 } });
  const metrics = await (await fetch(`${cluster.url}/metrics`)).text();
  expect(metrics).toMatch(/^hadal_visible_seconds\{table="calls",quantile="0.99"\} [0-9.]+$/m);
  // Looking stores nothing.
  expect(calls?.rows).toBe(6);
});
