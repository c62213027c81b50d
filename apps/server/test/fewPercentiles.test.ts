import type { Query, Result } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSeededRandom } from "./oracle/seed/seededRandom.js";
import { sendRows } from "./support/allTime.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

const startMs = Date.UTC(2026, 0, 1);
const ps = [0.1, 1, 25, 50, 90, 95, 99, 99.9];
const groupsOf: Readonly<Record<string, readonly number[]>> = {
  one: [1_234_567],
  two: [10_000, 20_000],
  three: [10_001, 20_001, 30_001],
  negative: [-1_000, -10, 0, 5],
  below: [-98_765_432, -1_234_567],
  equal: [1_003, 1_003, 1_003, 1_003],
  zero: [0],
  fraction: [0.123457, 2.5],
  large: [9_007_199_254_741],
};

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 3 });
  const rows = Object.entries(groupsOf).flatMap(([g, values]) =>
    values.map((v, i) => ({ time: startMs + i, g, v })),
  );
  // One row at a time, so that the groups lie on several leaves.
  for (const row of rows) await sendRows(cluster, "few", [row]);
  const weighted = rows.map((row, i) => ({ ...row, sample_rate: 1 + (i % 3) * 50 }));
  await sendRows(cluster, "sampled", weighted);
}, 60_000);
afterAll(() => cluster?.stop());

const ask = (query: Partial<Query>): Promise<Result> =>
  cluster.client.query({
    ...{ table: "few", from: startMs, to: startMs + 60_000, exact: true, timeoutMs: 10_000 },
    groupBy: ["g"],
    aggregates: [
      ...ps.map((p) => ({ fn: "percentile", column: "v", p, as: `p${p}` }) as const),
      { fn: "min", column: "v", as: "least" },
      { fn: "max", column: "v", as: "most" },
      { fn: "count" },
    ],
    ...query,
  });

const cellsOf = ({ columns, rows }: Result): ReadonlyMap<string, number>[] =>
  rows.map((row) => new Map(columns.map(({ name }, i) => [name, Number(row[i])])));

/** Nearest rank, from its definition. */
function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil((p * sorted.length) / 100 - 1e-9)) - 1]!;
}

describe("percentiles of a few values", () => {
  test.each(Object.keys(groupsOf))(
    "of %s: within a hundredth, and never outside of them",
    async (g) => {
      const values = groupsOf[g]!;
      const answer = await ask({ filter: [{ column: "g", op: "=", value: g }] });
      const [cells] = cellsOf(answer);
      for (const p of ps) {
        const [found, right] = [cells?.get(`p${p}`) ?? Number.NaN, percentile(values, p)];
        expect(Math.abs(found - right), `p${p}: ${found} for ${right}`).toBeLessThanOrEqual(
          0.01 * Math.abs(right),
        );
        expect(found).toBeGreaterThanOrEqual(Math.min(...values));
        expect(found).toBeLessThanOrEqual(Math.max(...values));
      }
      // The last of the values is the largest, the first the smallest, to the last digit.
      expect(cells?.get("p99.9")).toBe(Math.max(...values));
      expect(cells?.get("p0.1")).toBe(Math.min(...values));
      for (const p of ps) {
        const [low, high] = answer.intervals[`p${p}`]?.[0] ?? [Number.NaN, Number.NaN];
        expect(low).toBeGreaterThanOrEqual(Math.min(...values));
        expect(high).toBeLessThanOrEqual(Math.max(...values));
        expect(low).toBeLessThanOrEqual(cells?.get(`p${p}`) ?? Number.NaN);
        expect(high).toBeGreaterThanOrEqual(cells?.get(`p${p}`) ?? Number.NaN);
      }
    },
  );

  test("99 of 100 of three values is the largest of them, one value is itself, weighted or not", async () => {
    for (const table of ["few", "sampled"]) {
      const answer = await ask({
        table,
        filter: [{ column: "g", op: "in", value: ["one", "equal"] }],
      });
      for (const cells of cellsOf(answer)) {
        for (const p of ps) expect(cells.get(`p${p}`), table).toBe(cells.get("most"));
      }
    }
    const three = await ask({ filter: [{ column: "g", op: "=", value: "three" }] });
    expect(cellsOf(three)[0]?.get("p99")).toBe(30_001);
  });

  test("the order is that of the numbers that are shown", async () => {
    const rows = Array.from({ length: 8 }, (_, i) => ({
      time: startMs,
      g: `g${i}`,
      v: 100_000 + i,
    }));
    await sendRows(cluster, "near", rows);
    const answer = await ask({ table: "near", orderBy: [{ by: "p50", desc: true }], limit: 3 });
    expect(cellsOf(answer).map((cells) => cells.get("p50"))).toEqual([100_007, 100_006, 100_005]);
  });
});

test("of thousands of groups, over every size of numbers: within the smallest and the largest", async () => {
  const random = createSeededRandom(7);
  const groupCount = 3_000;
  const rows = Array.from({ length: 9_000 }, (_, i) => ({
    time: startMs + i,
    g: `g${random.int(0, groupCount - 1)}`,
    v: Math.round((random.chance(0.3) ? -1 : 1) * 10 ** (12 * random.next())),
  }));
  await sendRows(cluster, "many", rows);
  for (const groupBy of [["g"], [], [{ time: "1s" }, "g"]] as Query["groupBy"][]) {
    const answer = await ask({ table: "many", ...(groupBy && { groupBy }), limit: 100_000 });
    for (const cells of cellsOf(answer)) {
      for (const p of ps) {
        expect(cells.get(`p${p}`)).toBeGreaterThanOrEqual(cells.get("least")!);
        expect(cells.get(`p${p}`)).toBeLessThanOrEqual(cells.get("most")!);
      }
      if (cells.get("count") === 1) expect(cells.get("p50")).toBe(cells.get("most"));
    }
  }
});
