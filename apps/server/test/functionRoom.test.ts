import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askAll, sendRows } from "./support/allTime.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

const rowCount = 600;
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ leaves: 1 });
  const rows = Array.from({ length: rowCount }, (_, i) => ({ time: i * 1_000, n: i % 40 }));
  await sendRows(cluster, "t", rows);
}, 60_000);

afterAll(() => cluster?.stop());

/** `var` has no code: these run in the sandbox. */
function asked(count: number) {
  const derive = Array.from({ length: count }, (_, i) => ({
    as: `d${i}`,
    js: `(row) => { var sum = row.n + ${i}; return sum; }`,
  }));
  return askAll(cluster, "t", { derive, groupBy: derive.map(({ as }) => as) });
}

describe("queries of several functions in the sandbox", () => {
  it("wait for each other, and never for ever", async () => {
    const results = await Promise.all([3, 4, 2, 3, 1, 4].map(asked));
    for (const { rows } of results) {
      expect(rows).toHaveLength(40);
      expect(rows.reduce((sum, row) => sum + Number(row.at(-1)), 0)).toBe(rowCount);
    }
  }, 30_000);

  it("are refused beyond what can run at once", async () => {
    await expect(asked(5)).rejects.toMatchObject({
      code: "function-limit",
      message: expect.stringContaining("one of 5 that a query runs in the sandbox; at most 4"),
    });
  });
});
