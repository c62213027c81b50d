import type { HistogramBucket, Query, Result } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSeededRandom } from "./oracle/seed/seededRandom.js";
import { sendLines } from "./support/allTime.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

const startMs = Date.UTC(2026, 0, 1);
const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

/** Around every power of two, where a double is the next one's first; and neighbours that doubles do not tell apart. */
const random = createSeededRandom(17);
const values: readonly bigint[] = [
  ...Array.from({ length: 63 }, (_, bit) => 2n ** BigInt(bit)).flatMap((power) =>
    [-1n, 0n, 1n].flatMap((step) => [power + step, -power + step]),
  ),
  ...Array.from({ length: 300 }, () => 2n ** 60n + BigInt(random.int(0, 20))),
  ...Array.from({ length: 300 }, () => -(2n ** 61n) - BigInt(random.int(0, 20))),
  ...[int64Min, int64Min + 1n, int64Max, int64Max - 1n, 0n],
];

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 3, environment: { HADAL_SEAL_AFTER: "1" } });
  for (let first = 0; first < values.length; first += 50) {
    const lines = values
      .slice(first, first + 50)
      .map((value, i) => `{"time":${startMs + first + i},"id":${value}}`);
    await sendLines(cluster, "large", lines);
  }
}, 60_000);
afterAll(() => cluster?.stop());

const ask = (query: Partial<Query>): Promise<Result> =>
  cluster.client.query({
    ...{ table: "large", from: startMs, to: startMs + 60_000, exact: true, timeoutMs: 10_000 },
    ...query,
  });

const within = (low: bigint, high: bigint): number =>
  values.filter((value) => value >= low && value < high).length;

describe("numbers of 64 bits", () => {
  test("histogram(): whole numbers bound its buckets, and each holds the values between them", async () => {
    const asked = { aggregates: [{ fn: "histogram", column: "id", as: "shape" }] } as const;
    const sql =
      "SELECT histogram(id) AS shape FROM large WHERE time >= '2026-01-01' AND time < '2026-01-02' WITH (exact)";
    for (const answer of [await ask(asked), await cluster.client.query(sql)]) {
      const buckets = answer.rows[0]?.[0] as readonly HistogramBucket[];
      let [total, end] = [0, int64Min];
      for (const [low, high, count] of buckets) {
        // What a number cannot hold is a BigInt, and no text.
        for (const bound of [low, high]) {
          expect(typeof bound === "bigint" || Number.isSafeInteger(bound)).toBe(true);
        }
        expect(BigInt(low)).toBeGreaterThanOrEqual(end);
        end = BigInt(high);
        expect([low, high, count]).toEqual([low, high, within(BigInt(low), end)]);
        total += count;
      }
      expect(total).toBe(values.length);
    }
  });

  test("in JSON they travel as their digits", async () => {
    const reply = await fetch(`${cluster.url}/api/v1/query`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        query: {
          ...{ table: "large", from: startMs, to: startMs + 60_000 },
          filter: [{ column: "id", op: ">=", value: String(2n ** 62n) }],
          aggregates: [{ fn: "histogram", column: "id" }],
        },
      }),
    });
    expect(await reply.text()).toContain('["4611686018427387904","5188146770730811392",');
    const csv = await fetch(`${cluster.url}/api/v1/query`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/csv" },
      body: JSON.stringify({
        sql: "SELECT histogram(id) FROM large WHERE time >= '2026-01-01' AND time < '2026-01-02' AND id > 4611686018427387900",
      }),
    });
    expect(await csv.text()).toContain('""4611686018427387904""');
  });

  test("the bins of a chart: neighbours that doubles do not tell apart are counted apart, with and without time", async () => {
    const first = 2n ** 60n;
    const edges = Array.from({ length: 22 }, (_, i) => String(first + BigInt(i)));
    const bins = { bucket: "id", edges, as: "bin" };
    const filter = [
      { column: "id", op: ">=", value: String(first) },
      { column: "id", op: "<", value: String(first + 21n) },
    ] as const;
    const expected = edges.slice(0, 21).flatMap((edge): [bigint, number][] => {
      const count = within(BigInt(edge), BigInt(edge) + 1n);
      return count === 0 ? [] : [[BigInt(edge), count]];
    });
    const distribution = await ask({ filter, groupBy: [bins], orderBy: [{ by: "bin" }] });
    expect(distribution.rows.map(([key, count]) => [key, count])).toEqual(expected);
    const heatmap = await ask({
      filter,
      groupBy: [{ time: "1m" }, bins],
      orderBy: [{ by: "bin" }],
    });
    expect(heatmap.rows.map(([, key, count]) => [key, count])).toEqual(expected);
    // What a click on a bin asks for.
    for (const [edge, count] of expected.slice(0, 5)) {
      const clicked = await ask({
        filter: [
          { column: "id", op: ">=", value: String(edge) },
          { column: "id", op: "<", value: String(edge + 1n) },
        ],
      });
      expect(clicked.rows[0]?.[0]).toBe(count);
    }
  });

  test("even buckets are as wide as their digits say, down to the smallest number", async () => {
    const width = 2n ** 60n + 1n;
    const floor = (value: bigint) => value - (((value % width) + width) % width);
    const wanted = new Map<bigint, number>();
    for (const value of values) {
      const key = floor(value) < int64Min ? int64Min : floor(value);
      wanted.set(key, (wanted.get(key) ?? 0) + 1);
    }
    const answer = await ask({ groupBy: [{ bucket: "id", width: String(width), as: "bin" }] });
    expect(new Map(answer.rows.map(([key, count]) => [BigInt(key as bigint), count]))).toEqual(
      wanted,
    );
  });

  test("percentiles are between the smallest and the largest", async () => {
    const answer = await ask({
      aggregates: [1, 25, 50, 75, 99, 99.99].map((p) => ({
        ...{ fn: "percentile", column: "id", p, as: `p${p}` },
      })) as NonNullable<Query["aggregates"]>,
    });
    const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    answer.columns.forEach(({ name }, i) => {
      const found = BigInt(answer.rows[0]?.[i] as bigint);
      const p = Number(name.slice(1));
      const right = sorted[Math.ceil((p * sorted.length) / 100) - 1]!;
      const off = found > right ? found - right : right - found;
      expect(off * 100n <= (right < 0n ? -right : right), `${name}: ${found}, ${right}`).toBe(true);
      expect(found >= int64Min && found <= int64Max).toBe(true);
    });
  });
});
