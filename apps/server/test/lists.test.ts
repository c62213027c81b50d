import type { Filter, GroupBy, Query } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { randomFilters } from "./oracle/random/randomFilter.js";
import { createSeededRandom } from "./oracle/seed/seededRandom.js";
import { randomTable } from "./oracle/table/randomTable.js";
import { askAll, sendRows } from "./support/allTime.js";
import { loadTable } from "./support/loadTable.js";
import type { Cluster } from "./support/startCluster.js";
import { startCluster } from "./support/startCluster.js";

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 2 });
});
afterAll(() => cluster?.stop());

const send = (table: string, rows: readonly object[]) => sendRows(cluster, table, rows);
const ask = (table: string, query: Partial<Query>) =>
  askAll(cluster, table, { aggregates: [{ fn: "count" }], ...query });

async function counts(table: string, by: GroupBy, filter: readonly Filter[] = []) {
  const { rows } = await ask(table, { groupBy: [by], filter });
  return new Map(rows.map(([key, count]) => [JSON.stringify(key), count]));
}

async function countOf(table: string, filter: readonly Filter[]): Promise<number> {
  const { rows } = await ask(table, { filter });
  return Number(rows[0]?.[0]);
}

test("S4 S5: empty, missing and repeated elements, grouped by element and by whole list", async () => {
  await send("lists_edges", [
    { time: 1, tags: { $set: ["b", "a", "b"] }, stack: ["f", "g", "f"] },
    { time: 2, tags: { $set: [] }, stack: [] },
    { time: 3 },
    { time: 4, tags: { $set: ["a"] }, stack: ["g"] },
  ]);
  const byTag = await counts("lists_edges", { element: "tags" });
  expect(byTag).toEqual(
    new Map([
      ['"a"', 2],
      ['"b"', 1],
      ["null", 1],
    ]),
  );
  const byFrame = await counts("lists_edges", { element: "stack" });
  expect(byFrame.get('"f"')).toBe(1);
  expect(byFrame.get('"g"')).toBe(2);
  const bySet = await counts("lists_edges", "tags");
  expect([...bySet.keys()].sort()).toEqual(['["a","b"]', '["a"]', "[]", "null"]);
  expect(await countOf("lists_edges", [{ column: "tags", op: "is empty" }])).toBe(1);
  const none: Filter = { column: "tags", op: "includes none", value: ["b"] };
  expect(await countOf("lists_edges", [none])).toBe(2);
  expect(await countOf("lists_edges", [{ not: none }])).toBe(1);
});

test("values of a set or vector are its elements, the rare ones found by their prefix", async () => {
  const rows = Array.from({ length: 2_000 }, (_, i) => ({
    time: i,
    sample_rate: i === 7 ? 3 : 1,
    tags: { $set: [`t${i % 50}`, "all", "all"] },
    stack: i === 7 ? ["rare", "main", "rare"] : ["main", `f${i}`, "main"],
  }));
  await send("lists_values", [...rows, { time: 5, tags: { $set: [] }, stack: [] }, { time: 6 }]);
  const { client } = cluster;
  const tags = await client.values("lists_values", "tags", { limit: 3 });
  expect(tags[0]).toEqual({ value: "all", count: 2_002 });
  expect(tags.completeness).toMatchObject({ fraction: 1, rowsAnswered: rows.length + 2 });
  expect(tags[1]).toEqual({ value: "t7", count: 42 });
  expect(await client.values("lists_values", "tags", { prefix: "t4", limit: 100 })).toHaveLength(
    11,
  );
  const rare = await client.values("lists_values", "stack", { prefix: "ra", limit: 1 });
  expect(rare).toEqual([{ value: "rare", count: 3 }]);
  const frames = await client.values("lists_values", "stack", { limit: 10_000 });
  expect(frames).toHaveLength(1_999 + 3);
  expect(frames[0]).toEqual({ value: "main", count: 2_002 });
  expect(frames).toContainEqual({ value: null, count: 1 });
});

test("S11: strings from before a column held lists are lists of themselves", async () => {
  await send("lists_changed", [{ time: 1, tags: "a" }]);
  await send("lists_changed", [{ time: 2, tags: 7 }]);
  await send("lists_changed", [
    { time: 3, tags: ["a", "b"] },
    { time: 4, tags: ["a"] },
  ]);
  const byElement = await counts("lists_changed", { element: "tags" });
  expect(byElement).toEqual(
    new Map([
      ['"a"', 3],
      ['"7"', 1],
      ['"b"', 1],
    ]),
  );
  const byList = await counts("lists_changed", "tags");
  expect(byList.get('["a"]')).toBe(2);
  expect(await countOf("lists_changed", [{ column: "tags", op: "ends with", value: ["7"] }])).toBe(
    1,
  );
});

test.each([0, 65_535, 65_536])("S24: a vector of %i elements is kept and found", async (length) => {
  const table = `lists_long_${length}`;
  const stack = Array.from({ length }, (_, i) => `f${i}`);
  await send(table, [{ time: 1, stack }]);
  const { rows } = await ask(table, { sampleView: { columns: ["stack"] }, aggregates: [] });
  expect(rows[0]?.[1]).toEqual(stack);
  const last = stack.slice(-2);
  const found = await countOf(table, [{ column: "stack", op: "ends with", value: last }]);
  expect(found).toBe(1);
  const groups = await ask(table, { groupBy: [{ element: "stack" }], limit: 100_000 });
  expect(groups.rows).toHaveLength(length);
});

test("even buckets reach over all of int64; the lowest starts at the smallest one", async () => {
  const values = ["-9223372036854775808", "-1", "0", "9223372036854775807"];
  const body = values.map((value, i) => `{"time":${i},"n":${value}}\n`).join("");
  await cluster.client.ingestBody("buckets_wide", body, {
    contentType: "application/x-ndjson",
    timeUnit: "ms",
  });
  const width = Number.MAX_SAFE_INTEGER;
  const { rows } = await ask("buckets_wide", { groupBy: [{ bucket: "n", width }] });
  const step = BigInt(width);
  const bounds = rows.map(([key]) => BigInt(key as string)).sort((a, b) => (a < b ? -1 : 1));
  expect(bounds).toEqual([-(2n ** 63n), -step, 0n, ((2n ** 63n - 1n) / step) * step]);
});

describe("metamorphic", () => {
  const table = randomTable({
    name: "lists_metamorphic",
    rowCount: 600,
    seed: 11,
    times: "out of order",
    sampleRates: "small",
    missing: 0.2,
  });
  beforeAll(() => loadTable(cluster, table, 50));

  test("q = q[p] + q[not p] + q[p unknown], in any order of filters", async () => {
    for (let seed = 0; seed < 40; seed++) {
      const filters = randomFilters(table, createSeededRandom(seed));
      const all = await countOf(table.name, []);
      const p: Filter = { all: filters };
      const yes = await countOf(table.name, [p]);
      const no = await countOf(table.name, [{ not: p }]);
      const known = await countOf(table.name, [{ any: [p, { not: p }] }]);
      expect(yes + no, JSON.stringify(p)).toBe(known);
      expect(known).toBeLessThanOrEqual(all);
      expect(await countOf(table.name, filters.toReversed()), JSON.stringify(p)).toBe(yes);
      const [first] = filters;
      if (first === undefined || !("column" in first) || first.op.startsWith("is ")) continue;
      const missing = await countOf(table.name, [{ column: first.column, op: "is missing" }]);
      const parts = await Promise.all(
        [[first], [{ not: first }]].map((f) => countOf(table.name, f)),
      );
      expect(missing + parts[0]! + parts[1]!, JSON.stringify(first)).toBe(all);
    }
  });
});
