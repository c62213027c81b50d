import type { DerivedColumn, Facet, Facets } from "@hadal/sdk";
import { facetLimitMax } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadTable } from "../support/loadTable.js";
import type { Cluster } from "../support/startCluster.js";
import { startCluster } from "../support/startCluster.js";
import { deriveTable } from "./naive/deriveTable.js";
import { matchedRows } from "./naive/naiveEngine.js";
import { countRows, naiveValues } from "./naive/naiveValues.js";
import { sidesOf } from "./query/scope.js";
import { randomDerivedQuery } from "./random/randomDerive.js";
import { randomFilters } from "./random/randomFilter.js";
import { randomQuery } from "./random/randomQuery.js";
import { oracleSeed, queriesPerTable, testMsFor } from "./seed/seed.js";
import { createSeededRandom } from "./seed/seededRandom.js";
import type { OracleRow, OracleTable } from "./table/oracleTable.js";
import { columnOf, compareCodePoints, parseScaled } from "./table/oracleTable.js";
import { oracleTables } from "./table/oracleTables.js";
import { seenTable } from "./table/seenTable.js";

const seed = oracleSeed();
/** More distinct values than leaves send unasked: some columns take a second question. */
const tables = oracleTables(seed, 2_400);
const requestCount = queriesPerTable(4);
const testMsMax = testMsFor(120_000, 4, requestCount);

describe("facets are what the rows say, on 1 leaf and on 4", () => {
  let one: Cluster;
  let four: Cluster;
  beforeAll(async () => {
    [one, four] = await Promise.all([
      startCluster({ leaves: 1, environment: { HADAL_SEAL_AFTER: "86400" } }),
      startCluster({ leaves: 4, environment: { HADAL_SEAL_AFTER: "1" } }),
    ]);
    for (const table of tables) {
      await loadTable(one, table, table.rows.length);
      await loadTable(four, table, 100);
    }
  }, testMsMax);
  afterAll(async () => {
    await Promise.all([one?.stop(), four?.stop()]);
  });

  test.each(tables)(
    "C13: $name",
    async (table) => {
      for (let index = 0; index < requestCount; index++) {
        const random = createSeededRandom(seed * 3_000 + index);
        // The ranges of random queries meet the rows in every way there is.
        const { from, to } = randomQuery(table, seed * 3_000 + index);
        const filter = index === 0 ? [] : randomFilters(table, random);
        const limit = random.pick([1, 10, facetLimitMax]);
        const request = { table: table.name, from, to, filter, limit, timeoutMs: 30_000 };
        const [side] = sidesOf(request);
        if (side === undefined) throw new Error("there is a main side");
        const seen = await seenTable(table, request, "all");
        const rows = matchedRows(seen, side);
        for (const { client } of [one, four]) {
          const facets = await client.facets(request);
          expect(facets.completeness.fraction).toBe(1);
          expect(facets.columns.map(({ name }) => name).sort()).toEqual(
            table.columns.map(({ name }) => name).sort(),
          );
          expectFacets(facets, seen, rows, limit);
        }
      }
    },
    testMsMax,
  );

  test.each(tables)(
    "C13: of derived columns beside stored ones: $name",
    async (table) => {
      for (let index = 0; index < requestCount; index++) {
        const { query } = randomDerivedQuery(table, seed * 5_000 + index);
        const { from, to, timeZone, derive = [], filter = [] } = query;
        const names = [...derive.map(({ as }) => as), "few", "latency_us"];
        const asked = { table: table.name, from, to, ...(timeZone && { timeZone }), filter };
        const request = { ...asked, derive, columns: names, limit: 10, timeoutMs: 30_000 };
        const [side] = sidesOf(request);
        if (side === undefined) throw new Error("there is a main side");
        const seen = deriveTable(await seenTable(table, request, "all"), query);
        if (seen === null) continue;
        const rows = matchedRows(seen, side);
        for (const { client } of [one, four]) {
          const facets = await client.facets(request);
          expect(facets.columns.map(({ name }) => name)).toEqual(names);
          expectFacets(facets, seen, rows, 10);
        }
      }
    },
    testMsMax,
  );

  test("the missing, however many, take no value's place", async () => {
    // More values than a leaf sends unasked: the best of all are asked for once more.
    const rows = Array.from({ length: 2_000 }, (_, i) =>
      JSON.stringify({ time: i, n: i < 1_000 ? (i % 7 === 0 ? null : i) : i % 1_500 }),
    );
    const wanted = [1, 2].map((value) => ({ value, count: 2 }));
    const request = { table: "many_missing", from: 0, to: 2_000, columns: ["n"] };
    for (const { client } of [one, four]) {
      const contentType = "application/x-ndjson";
      await client.ingestBody("many_missing", rows.join("\n"), { contentType, timeUnit: "ms" });
      for (const limit of [1, 2]) {
        const { columns } = await client.facets({ ...request, limit });
        expect(columns[0]!.values).toMatchObject(wanted.slice(0, limit));
      }
    }
  });

  test("what needs the sandbox is left out, with a note, and refused where nothing is left or filters need it", async () => {
    const derive: DerivedColumn[] = [
      { as: "unread", expression: { column: "latency_us" } },
      { as: "slow", js: "(row) => JSON.stringify(row.few)" },
      { as: "long", expression: { fn: "length", args: [{ column: "slow" }] } },
      { as: "twice", expression: { fn: "*", args: [{ column: "small" }, { value: 2 }] } },
    ];
    const request = { table: tables[0]!.name, from: 0, to: "now", derive, timeoutMs: 30_000 };
    for (const { client } of [one, four]) {
      const columns = ["few", "slow", "long", "twice"];
      const facets = await client.facets({ ...request, columns });
      expect(facets.columns.map(({ name }) => name)).toEqual(["few", "twice"]);
      expect(facets.notes?.map(({ text }) => text)).toEqual(
        ["slow", "long"].map((name) => `${name} needs the sandbox: its values are not counted.`),
      );
      const { derive: _derive, ...stored } = request;
      const alone = await client.facets({ ...stored, columns: ["few"] });
      expect(facets.columns[0]).toEqual(alone.columns[0]);
      const refused = { code: "unsupported", errors: [{ path: "derive[1]" }] };
      await expect(client.facets({ ...request, columns: ["long"] })).rejects.toMatchObject(refused);
      const filter = [{ column: "long", op: ">", value: 3 }] as const;
      await expect(client.facets({ ...request, columns: ["few"], filter })).rejects.toMatchObject(
        refused,
      );
      const changed = await client.whatChanged({
        ...request,
        selection: { filter: [{ column: "twice", op: ">", value: 0 }] },
        columns: ["few"],
      });
      expect(changed.completeness.fraction).toBe(1);
      await expect(
        client.whatChanged({ ...request, selection: { filter }, columns: ["few"] }),
      ).rejects.toMatchObject(refused);
    }
  });

  test("of the columns that are asked for, in that order; unknown ones are refused with the nearest", async () => {
    const [table] = tables;
    const request = { table: table!.name, from: 0, to: "now" };
    const { columns } = await one.client.facets({ ...request, columns: ["stack", "few"] });
    expect(columns.map(({ name }) => name)).toEqual(["stack", "few"]);
    await expect(one.client.facets({ ...request, columns: ["fwe"] })).rejects.toMatchObject({
      code: "unknown-column",
      errors: [{ path: "columns[0]", detail: expect.stringContaining("few") }],
    });
  });
});

function expectFacets(
  facets: Facets,
  table: OracleTable,
  rows: readonly OracleRow[],
  limit: number,
): void {
  const all = countRows(rows);
  expect(facets).toMatchObject(all);
  for (const facet of facets.columns) expectFacet(facet, table, rows, limit);
}

function expectFacet(
  facet: Facet,
  table: OracleTable,
  rows: readonly OracleRow[],
  limit: number,
): void {
  const { name, decimals, type } = facet;
  expect({ name, decimals, type }).toEqual({
    name,
    decimals: columnOf(table, name).decimals,
    type: columnOf(table, name).type,
  });
  const all = countRows(rows);
  const present = countRows(rows.filter(({ values }) => values.get(name) !== undefined));
  expect({ name, rows: facet.rows, count: facet.count }).toEqual({ name, ...present });
  expect(facet.fill).toBe(all.count === 0 ? 0 : present.count / all.count);
  const byValue = naiveValues(table, rows, name);
  byValue.delete(null);
  if (facet.distinctIsExact)
    expect({ name, distinct: facet.distinct }).toEqual({ name, distinct: byValue.size });
  else {
    expect(byValue.size).toBeGreaterThan(1_000);
    // An estimate of about as many, or what one leaf has at least.
    expect(facet.distinct).toBeGreaterThan(950);
    if (type !== "int") expect(facet.distinct).toBeLessThanOrEqual(byValue.size);
  }
  const expected = [...byValue]
    .map(([value, members]) => ({ value, ...countRows(members) }))
    .sort((a, b) => b.count - a.count || compareValues(a.value, b.value, type))
    .slice(0, limit);
  const found = facet.values?.map(({ value, rows, count }) => ({
    value: type === "int" ? String(parseScaled(String(value), decimals)) : String(value),
    ...{ rows, count },
  }));
  expect({ name, found }).toEqual({ name, found: expected });
  if (facet.ranges === null) return;
  const inRanges = facet.ranges.map(({ from, to }) => {
    const scaled = (bound: number): bigint => parseScaled(String(bound), decimals);
    const within = rows.filter(({ values }) => {
      const value = values.get(name);
      if (typeof value !== "bigint") return false;
      return (from === null || value >= scaled(from)) && (to === null || value < scaled(to));
    });
    return { from, to, ...countRows(within), share: countRows(within).count / all.count };
  });
  expect({ name, ranges: facet.ranges }).toEqual({ name, ranges: inRanges });
  expect(facet.ranges.reduce((sum, range) => sum + range.rows, 0)).toBe(present.rows);
}

function compareValues(a: string | null, b: string | null, type: Facet["type"]): number {
  if (a === null || b === null) throw new Error("missing values are not listed");
  if (type === "int") return BigInt(a) < BigInt(b) ? -1 : 1;
  return compareCodePoints(a, b);
}
