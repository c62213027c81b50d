import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendLines } from "./support/allTime.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

/** Neither sorted, nor as any one leaf sees them. */
const names = Array.from({ length: 24 }, (_, i) => `c${(i * 7) % 24}`);

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-columns-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run<T>(leaves: number, during: (cluster: Cluster) => Promise<T>): Promise<T> {
  const environment = { HADAL_SEAL_AFTER: "1" };
  const cluster = await startCluster({ leaves, dataDir: join(folder, "data"), environment });
  try {
    return await during(cluster);
  } finally {
    await cluster.stop();
  }
}

const columnsOf = async ({ client }: Cluster): Promise<readonly string[]> => {
  const sql = "SELECT * FROM t WHERE time >= 0 AND time < 1000000000000 LIMIT 1 WITH (exact)";
  const { columns } = await client.query(sql);
  return columns.map(({ name }) => name);
};

test("SELECT * has the columns in the order in which rows first brought them, over restarts and on any number of leaves", async () => {
  const expected = ["time", ...names];
  await run(3, async (cluster) => {
    // Each batch brings one more; later ones name theirs the other way round.
    for (let count = 1; count <= names.length; count++) {
      const brought = names.slice(Math.max(0, count - 5), count);
      const last = brought.at(-1) ?? "";
      const row = { time: 1_000_000_000 + count, [last]: 1 };
      const [first, second] = [row, Object.fromEntries(Object.entries(row).reverse())];
      await sendLines(cluster, "t", [JSON.stringify(first), JSON.stringify(second)]);
      await sendLines(cluster, "t", [
        JSON.stringify({
          time: 1_000_000_000,
          ...Object.fromEntries(brought.toReversed().map((name) => [name, 2])),
        }),
      ]);
    }
    expect(await columnsOf(cluster)).toEqual(expected);
    // Sealed segments list their columns in an order of their own.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
  });
  for (const leaves of [3, 4]) {
    await run(leaves, async (cluster) => {
      expect(await columnsOf(cluster)).toEqual(expected);
      const { columns } = await cluster.client.table("t");
      expect(columns.map(({ name }) => name)).toEqual(expected);
    });
  }
}, 120_000);
