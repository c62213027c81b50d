import type { Query, ResultValue } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSeededRandom } from "./oracle/seed/seededRandom.js";
import { askAll, sendRows } from "./support/allTime.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

interface TestRow {
  readonly time: number;
  readonly endpoint?: string;
  readonly latency?: number;
  readonly big?: number;
  readonly price?: number;
  readonly tags?: readonly string[];
  readonly message?: string;
  readonly sample_rate?: number;
  readonly late?: number;
  readonly region?: string;
  readonly note?: string;
}

const table = "calls";
const hourMs = 3_600_000;
/** Enough for sealed segments, one still open, and rows out of order. */
const rowCount = 150_000;

let cluster: Cluster;
let rows: readonly TestRow[];

function makeRows(): TestRow[] {
  const { next: random } = createSeededRandom(7);
  const pick = (count: number): number => Math.floor(random() * count);
  return Array.from({ length: rowCount }, (_, i) => ({
    time: i * 20 + pick(5_000),
    ...(pick(10) > 0 ? { endpoint: `/api/v${pick(3)}/item${pick(200)}` } : {}),
    ...(pick(8) > 0 ? { latency: pick(2_000_000) - 1_000 } : {}),
    big: pick(2) === 0 ? pick(1_000) : -(2 ** 52) + pick(1_000),
    ...(pick(4) > 0 ? { price: (pick(2_000_000) - 1_000_000) / 1_000 } : {}),
    ...(pick(5) > 0 ? { tags: Array.from({ length: pick(4) }, () => `t${pick(6)}`) } : {}),
    message: `request ${i} took ${pick(1_000_000)} of ${random()} \u{1F600}`,
    ...(i >= 100_000 ? { sample_rate: 1 + pick(5) } : {}),
    // A column that early segments lack.
    ...(i >= 120_000 ? { late: pick(50) } : {}),
    // Codes of some bits, and codes that hardly a row has.
    region: `region-${i % 11}`,
    ...(i % 17 === 0 ? { note: `note ${i % 300}` } : {}),
  }));
}

beforeAll(async () => {
  cluster = await startCluster({ leaves: 2, environment: { HADAL_SCAN_THREADS: "2" } });
  rows = makeRows();
  for (let from = 0; from < rowCount; from += 10_000) {
    await sendRows(cluster, table, rows.slice(from, from + 10_000));
  }
}, 120_000);

afterAll(() => cluster?.stop());

const ask = (query: Partial<Query>) => askAll(cluster, table, { timeoutMs: 60_000, ...query });

type RowFunction = (row: Readonly<Record<string, never>>) => unknown;

/** The function run by this process: what the sandbox should give. */
function returnedBy(fn: RowFunction, row: TestRow): ResultValue {
  const value = fn(row as never);
  if (value === undefined || value === null) return null;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return String(value);
}

function countBy(fn: RowFunction, kept: readonly TestRow[]): Map<ResultValue, number> {
  const counts = new Map<ResultValue, number>();
  for (const row of kept) {
    const value = returnedBy(fn, row);
    counts.set(value, (counts.get(value) ?? 0) + (row.sample_rate ?? 1));
  }
  return counts;
}

describe("functions of a row", () => {
  const functions: readonly [string, string, RowFunction][] = [
    [
      "a string of one dictionary column",
      `(row) => row.endpoint?.split("/")[2]`,
      ((row: TestRow) => row.endpoint?.split("/")[2]) as never,
    ],
    [
      "strings from two columns",
      `(row) => (row.endpoint ?? "none").slice(-2) + "/" + Math.floor((row.latency ?? 0) / 1e5)`,
      ((row: TestRow) =>
        `${(row.endpoint ?? "none").slice(-2)}/${Math.floor((row.latency ?? 0) / 1e5)}`) as never,
    ],
    [
      "numbers of numbers, made with what is not compiled",
      `(row) => { let n = 0; for (const digit of String(row.latency ?? "")) n += digit.charCodeAt(0); return n % 7; }`,
      ((row: TestRow) => {
        let n = 0;
        for (const digit of String(row.latency ?? "")) n += digit.charCodeAt(0);
        return n % 7;
      }) as never,
    ],
    [
      "lists",
      `({ tags }) => tags === undefined ? undefined : [...tags].sort().join("+")`,
      (({ tags }: TestRow) =>
        tags === undefined ? undefined : [...tags].sort().join("+")) as never,
    ],
    [
      "codes that do not lie plainly",
      `(row) => row.region + ":" + (row.note ?? "none").slice(-1)`,
      ((row: TestRow) => `${row.region}:${(row.note ?? "none").slice(-1)}`) as never,
    ],
    [
      "texts without a dictionary",
      `(row) => row.message.match(/took (\\d)/)[1]`,
      ((row: TestRow) => row.message?.match(/took (\d)/)?.[1]) as never,
    ],
    [
      "a column that some segments lack",
      `(row) => typeof row.late`,
      ((row: TestRow) => typeof row.late) as never,
    ],
    ["no column at all", `() => 7`, () => 7],
    [
      "few values of two columns",
      `(row) => (row.late ?? "-") + "|" + (row.endpoint ?? "-").length`,
      ((row: TestRow) => `${row.late ?? "-"}|${(row.endpoint ?? "-").length}`) as never,
    ],
    [
      "booleans",
      `(row) => row.latency > 1e6`,
      ((row: TestRow) => (row.latency as number) > 1e6) as never,
    ],
  ];
  it.each(functions)("%s group rows", async (_, js, fn) => {
    const result = await ask({ derive: [{ as: "d", js }], groupBy: ["d"] });
    expect(new Map(result.rows.map(([key, count]) => [key ?? null, Number(count)]))).toEqual(
      countBy(fn, rows),
    );
  });

  it("sums, extremes and percentiles take their numbers", async () => {
    const js = `(row) => row.price === undefined ? null : Math.round(row.price * 10) / 4`;
    const values = rows.flatMap(({ price, sample_rate = 1 }) =>
      price === undefined ? [] : [{ value: Math.round(price * 10) / 4, weight: sample_rate }],
    );
    const result = await ask({
      derive: [{ as: "d", js }],
      aggregates: [
        { fn: "sum", column: "d" },
        { fn: "min", column: "d" },
        { fn: "max", column: "d" },
        { fn: "count", column: "d" },
        { fn: "distinct", column: "d" },
      ],
    });
    const wanted = [
      values.reduce((sum, { value, weight }) => sum + value * weight, 0),
      Math.min(...values.map(({ value }) => value)),
      Math.max(...values.map(({ value }) => value)),
      values.reduce((sum, { weight }) => sum + weight, 0),
      values.length,
      new Set(values.map(({ value }) => value)).size,
    ];
    expect(result.rows[0]).toEqual(wanted);
  });

  it("filters decide before and after it", async () => {
    // Throws on rows without an endpoint: the filter keeps them from it.
    const js = `(row) => row.endpoint.length + (row.late ?? 0)`;
    const result = await ask({
      derive: [{ as: "d", js }],
      filter: [
        { column: "endpoint", op: "is present" },
        {
          any: [
            { column: "d", op: ">", value: 40 },
            { column: "d", op: "=", value: 13 },
          ],
        },
      ],
    });
    const wanted = rows.filter(({ endpoint, late = 0 }) => {
      const d = (endpoint?.length ?? Number.NaN) + late;
      return d > 40 || d === 13;
    });
    expect(result.rows[0]?.[1]).toBe(wanted.length);
    const unread = { as: "unread", expression: { column: "late" } };
    const failing = ask({ derive: [unread, { as: "d", js }], groupBy: ["d"] });
    await expect(failing).rejects.toMatchObject({
      code: "function-failed",
      errors: [{ path: "derive[1]", line: 1, column: expect.any(Number) }],
    });
  });

  it("is run where no row has a value", async () => {
    const js = `(row) => (row.endpoint ?? "none").length + (row.tags ?? []).length + Math.cos(0)`;
    const { rows: found } = await ask({
      derive: [{ as: "length", js }],
      filter: [
        { column: "endpoint", op: "is missing" },
        { column: "tags", op: "is missing" },
      ],
      groupBy: ["length"],
      aggregates: [{ fn: "count" }],
    });
    const kept = rows.filter(({ endpoint, tags }) => endpoint === undefined && tags === undefined);
    const count = kept.reduce((sum, { sample_rate = 1 }) => sum + sample_rate, 0);
    expect(found).toEqual([[5, count, kept.length]]);
  });

  it("sees the rows of the range, and no others", async () => {
    const from = 1_000_000;
    const to = 1_000_000 + hourMs / 10;
    const js = `(row) => { if (row.time < ${from} || row.time >= ${to}) throw new Error("outside"); return row.time % 3; }`;
    const result = await ask({ from, to, derive: [{ as: "d", js }], groupBy: ["d"] });
    const inside = rows.filter(({ time }) => time >= from && time < to);
    const wanted = countBy(((row: TestRow) => row.time % 3) as never, inside);
    expect(new Map(result.rows.map(([key, count]) => [key ?? null, Number(count)]))).toEqual(
      wanted,
    );
  });

  it("one reads another, and unused ones are not run into trouble", async () => {
    const result = await ask({
      derive: [
        { as: "a", js: `(row) => (row.endpoint ?? "").length` },
        { as: "b", js: `(row) => row.a * 2 + 0.5` },
      ],
      groupBy: ["b"],
      filter: [{ column: "a", op: "!=", value: 0 }],
    });
    const present = rows.filter(({ endpoint }) => endpoint !== undefined);
    const wanted = countBy(
      ((row: TestRow) => (row.endpoint ?? "").length * 2 + 0.5) as never,
      present,
    );
    expect(new Map(result.rows.map(([key, count]) => [key ?? null, Number(count)]))).toEqual(
      wanted,
    );
  });

  it("raw rows show it", async () => {
    const result = await ask({
      derive: [{ as: "d", js: `(row) => (row.endpoint ?? "?").toUpperCase()` }],
      filter: [{ column: "d", op: "!=", value: "?" }],
      sampleView: { columns: ["d", "endpoint"] },
      limit: 50,
    });
    expect(result.rows).toHaveLength(50);
    for (const [, d, endpoint] of result.rows) expect(d).toBe(String(endpoint).toUpperCase());
    const newest = rows
      .filter(({ endpoint }) => endpoint !== undefined)
      .map(({ time }) => time)
      .sort((a, b) => b - a)
      .slice(0, 50);
    expect(result.rows.map(([time]) => time)).toEqual(newest);
  });

  it("compares two ranges", async () => {
    const js = `(row) => (row.endpoint ?? "/none/none").split("/")[2]`;
    const result = await ask({
      from: hourMs / 2,
      to: (hourMs / 4) * 3,
      derive: [{ as: "d", js }],
      groupBy: ["d"],
      compare: { offset: "15m" },
    });
    const inRange = (from: number, to: number) =>
      countBy(
        ((row: TestRow) => (row.endpoint ?? "/none/none").split("/")[2]) as never,
        rows.filter(({ time }) => time >= from && time < to),
      );
    const names = result.columns.map(({ name }) => name);
    const base = inRange(hourMs / 4, hourMs / 2);
    const main = inRange(hourMs / 2, (hourMs / 4) * 3);
    for (const row of result.rows) {
      expect(row[names.indexOf("count")]).toBe(main.get(row[0] ?? null));
      expect(row[names.indexOf("count.compare")]).toBe(base.get(row[0] ?? null));
    }
    expect(result.rows).toHaveLength(main.size);
  });
});
