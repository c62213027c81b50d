import type { Query, Result } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, startCluster } from "./support/startCluster.js";

/** More strings than a dictionary is made for: columns change to text on the way. */
const onceCount = 240_000;
const tops = Array.from({ length: 12 }, (_, i) => ({ s: `top-${i}`, count: 90 - i }));
const fromMs = Date.now() - 3_600_000;

/** Strings that come once, among them those that come more often; `n` is as distinct as `s`. */
function linesOf(): string[] {
  const lines = Array.from({ length: onceCount }, (_, i) => lineOf(`user-${i}`, i));
  for (const { s, count } of tops) {
    // Far apart from each other, so that no leaf and no segment has all of them.
    for (let k = 0; k < count; k++)
      lines[Math.floor((onceCount / count) * k)] += `\n${lineOf(s, -1)}`;
  }
  return lines;
}

const lineOf = (s: string, n: number): string =>
  JSON.stringify({ time: fromMs + (Math.abs(n) % 600_000), s, n: n * 1_000_003, ms: s.length });

async function load(cluster: Cluster): Promise<void> {
  const lines = linesOf();
  for (let first = 0; first < lines.length; first += 40_000) {
    const body = lines.slice(first, first + 40_000).join("\n");
    await cluster.client.ingestBody("many", body, { contentType: "application/x-ndjson" });
  }
  await cluster.client.ingestBody("tiny", JSON.stringify({ time: fromMs, a: 1 }), {
    contentType: "application/x-ndjson",
  });
}

describe.each([1, 3])("on %i leaves", (leaves) => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ leaves });
    await load(cluster);
  }, 120_000);
  afterAll(() => cluster?.stop());

  const ask = (query: Partial<Query>): Promise<Result> =>
    cluster.client.query({
      ...{ table: "many", from: fromMs, to: fromMs + 3_600_000, timeoutMs: 30_000 },
      ...{ groupBy: ["s"], aggregates: [{ fn: "count" }], orderBy: [{ by: "count", desc: true }] },
      ...query,
    });
  const firstTops = (count: number) =>
    tops.slice(0, count).map(({ s, count }) => [s, count, count]);

  test.each([false, true])("the strings that come most are found (exact: %s)", async (exact) => {
    const found = await ask({ limit: 10, exact });
    expect(found.completeness.fraction).toBe(1);
    expect(found.rows).toEqual(firstTops(10));
    expect(found.truncated?.groups).toBeGreaterThan(0);
  });

  test("ordered by another number, and kept by having", async () => {
    const sums = await ask({
      aggregates: [{ fn: "sum", column: "ms" }],
      orderBy: [{ by: "sum_ms", desc: true }],
      limit: 3,
    });
    const expected = tops
      .map(({ s, count }): [string, number] => [s, s.length * count])
      .sort((a, b) => b[1] - a[1]);
    expect(sums.rows).toEqual(expected.slice(0, 3));
    const kept = await ask({ having: [{ column: "count", op: ">", value: 80 }], limit: 100 });
    expect(kept.rows).toEqual(firstTops(10));
  });

  test("where all tie, the first by their name are shown, with what they have", async () => {
    const filter = [{ column: "s", op: "~", value: "^user-" }] as const;
    const tied = await ask({ filter, limit: 4 });
    expect(tied.completeness.fraction).toBe(1);
    expect(tied.rows).toEqual(["user-0", "user-1", "user-10", "user-100"].map((s) => [s, 1, 1]));
    expect(tied.truncated?.groups).toBeGreaterThan(0);
  });

  test("distinct integers, and strings by minute, are found as well", async () => {
    const numbers = await ask({ groupBy: ["n"], limit: 2 });
    const all = tops.reduce((sum, { count }) => sum + count, 0);
    expect(numbers.rows[0]).toEqual([-1_000_003, all, all]);
    const minutes = await ask({ groupBy: [{ time: "10m" }, "s"], limit: 10 });
    expect(minutes.rows.map((row) => row.slice(1))).toEqual(firstTops(10));
  });

  test("others are answered meanwhile", async () => {
    let isOver = false;
    const heavy = ask({ limit: 10, exact: true }).finally(() => {
      isOver = true;
    });
    let answered = 0;
    while (!isOver) {
      const light = await ask({ table: "tiny", groupBy: [], orderBy: [] });
      expect(light.rows).toEqual([[1, 1]]);
      answered++;
    }
    expect((await heavy).rows).toEqual(firstTops(10));
    expect(answered).toBeGreaterThan(0);
  });
});
