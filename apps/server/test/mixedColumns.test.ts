import type { Query, Result } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allTime, askAll, sendLines } from "./support/allTime.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

const count = { fn: "count" } as const;
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 2, environment: { HADAL_SEAL_AFTER: "1" } });
}, 60_000);
afterAll(() => cluster?.stop());

/** The cells of a result, without raw counts. */
function cellsOf({ rows, columns }: Result): readonly (readonly unknown[])[] {
  return rows.map((row) => row.filter((_, i) => columns[i]?.name !== "count.raw"));
}

describe("an integer and a fraction that no number of decimals suits", () => {
  const large = "1763632800123456789";
  beforeAll(async () => {
    await sendLines(cluster, "mix", [`{"time":1000,"ts":${large},"service":"a"}`]);
    await sendLines(cluster, "mix", ['{"time":2000,"ts":0.5,"service":"b"}']);
  });
  const ask = (query: Partial<Query>): Promise<Result> => askAll(cluster, "mix", query);

  test("are read as texts, digit by digit", async () => {
    expect((await ask({ sampleView: { columns: ["ts"] } })).rows.flat()).toEqual(
      expect.arrayContaining([large, "0.5"]),
    );
    const groups = await ask({ groupBy: ["ts"], aggregates: [count], orderBy: [{ by: "ts" }] });
    expect(cellsOf(groups)).toEqual([
      ["0.5", 1],
      [large, 1],
    ]);
    expect(cellsOf(await ask({ aggregates: [{ fn: "distinct", column: "ts" }] }))).toEqual([[2]]);
  });

  test.each([
    [">", 0, 2],
    [">", 1, 1],
    ["<", 1, 1],
    ["=", 0.5, 1],
    ["=", large, 1],
    ["!=", large, 1],
    ["<=", large, 2],
    ["in", ["0.50", large], 2],
    ["not in", [large], 1],
    ["~", "^0", 1],
    ["contains", "1234", 1],
  ] as const)(
    "are compared as numbers, and matched as texts: ts %s %j",
    async (op, value, found) => {
      const filter = [{ column: "ts", op, value }] as never;
      expect(cellsOf(await ask({ filter, aggregates: [count] }))).toEqual([[found]]);
      const negated = [{ not: { column: "ts", op, value } }] as never;
      expect(cellsOf(await ask({ filter: negated, aggregates: [count] }))).toEqual([[2 - found]]);
    },
  );

  test("have facets, values and what changed, and so have all other columns", async () => {
    const facets = await cluster.client.facets({ table: "mix", ...allTime });
    expect(facets.columns.map(({ name, rows }) => [name, rows])).toEqual(
      expect.arrayContaining([
        ["ts", 2],
        ["service", 2],
      ]),
    );
    expect(await cluster.client.values("mix", "ts")).toEqual(
      expect.arrayContaining([
        { value: large, count: 1 },
        { value: "0.5", count: 1 },
      ]),
    );
    const changed = await cluster.client.whatChanged({
      ...{ table: "mix", ...allTime },
      selection: { filter: [{ column: "service", op: "=", value: "a" }] },
      against: "rest",
    } as never);
    expect(changed.a.rows + changed.b.rows).toBe(2);
  });

  test("are added up where either is alone, and refused in words where they are not", async () => {
    const first = await ask({ from: 0, to: 1_500, aggregates: [{ fn: "max", column: "ts" }] });
    expect(cellsOf(first)).toEqual([[BigInt(large)]]);
    const second = await ask({ from: 1_500, to: 3_000, aggregates: [{ fn: "sum", column: "ts" }] });
    expect(cellsOf(second)).toEqual([[0.5]]);
    await expect(ask({ aggregates: [{ fn: "sum", column: "ts" }] })).rejects.toMatchObject({
      code: "type-mismatch",
      errors: [{ path: "aggregates[0].column", detail: expect.stringContaining("too large") }],
    });
  });
});

describe("one text among a hundred numbers", () => {
  beforeAll(async () => {
    const numbers = Array.from({ length: 100 }, (_, i) => `{"time":${1_000 + i},"ms":${i}}`);
    // In one body, so in one segment of one leaf.
    await sendLines(cluster, "odd", [...numbers, '{"time":900000,"ms":"NaN"}']);
  });
  const ask = (query: Partial<Query>): Promise<Result> => askAll(cluster, "odd", query);
  const before = { from: 0, to: 900_000 };

  test("ends no average of times that it is not in", async () => {
    const average = { aggregates: [{ fn: "avg", column: "ms" } as const] };
    expect(cellsOf(await ask({ ...before, ...average }))).toEqual([[49.5]]);
    await expect(ask(average)).rejects.toMatchObject({
      code: "type-mismatch",
      errors: [{ detail: expect.stringContaining("numbers and texts in this time range") }],
    });
    expect((await ask({ from: 950_000, to: 960_000, ...average })).rows).toEqual([[null]]);
  });

  test("is neither above nor below a number", async () => {
    const above = { filter: [{ column: "ms", op: ">", value: 89 }] as never };
    expect(cellsOf(await ask({ ...above, aggregates: [count] }))).toEqual([[10]]);
    expect(cellsOf(await ask({ ...above, ...before, aggregates: [count] }))).toEqual([[10]]);
    const not = { filter: [{ not: { column: "ms", op: ">", value: 89 } }] as never };
    expect(cellsOf(await ask({ ...not, aggregates: [count] }))).toEqual([[90]]);
  });

  test("is found as text, also where no row of the time range has one", async () => {
    const text = { filter: [{ column: "ms", op: "=", value: "NaN" }] as never };
    expect(cellsOf(await ask({ ...text, aggregates: [count] }))).toEqual([[1]]);
    expect(cellsOf(await ask({ ...text, ...before, aggregates: [count] }))).toEqual([[0]]);
  });

  test("makes texts of the numbers in its time range alone", async () => {
    const groups = { groupBy: ["ms"], aggregates: [count], limit: 200 };
    const all = await ask(groups);
    expect(all.rows).toHaveLength(101);
    expect(all.rows.every(([ms]) => typeof ms === "string")).toBe(true);
    const numbers = await ask({ ...groups, ...before });
    expect(numbers.rows).toHaveLength(100);
    expect(numbers.rows.every(([ms]) => typeof ms === "number")).toBe(true);
    const facets = await cluster.client.facets({ table: "odd", ...before });
    expect(facets.columns.find(({ name }) => name === "ms")).toMatchObject({
      ...{ type: "int", rows: 100, distinct: 100 },
    });
  });

  test("is in no number that functions and expressions see of other times", async () => {
    const doubled = {
      derive: [{ as: "twice", js: "(row) => row.ms * 2" }],
      aggregates: [{ fn: "sum", column: "twice" } as const],
    };
    expect(cellsOf(await ask({ ...doubled, ...before }))).toEqual([[9_900]]);
  });

  test("a comparison counts the times of both of its sides", async () => {
    const later = { from: 950_000, to: 960_000 };
    const average = { aggregates: [{ fn: "avg", column: "ms" } as const] };
    const offset = (ms: number) => ({ compare: { offset: `${ms}ms` } });
    await expect(ask({ ...later, ...average, ...offset(50_000) })).rejects.toMatchObject({
      code: "type-mismatch",
    });
    const answer = await ask({ ...later, ...average, ...offset(949_500) });
    expect(answer.rows[0]).toContain(49.5);
  });
});
