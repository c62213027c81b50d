import type { Query } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askAll, sendLines } from "./support/allTime.js";
import type { Cluster } from "./support/startCluster.js";
import { startCluster } from "./support/startCluster.js";

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 2, environment: { HADAL_FUTURE_MAX: "0" } });
});
afterAll(() => cluster?.stop());

const send = (table: string, lines: readonly string[]) => sendLines(cluster, table, lines);
const ask = (table: string, query: Partial<Query> = {}) => askAll(cluster, table, query);

/** One column's values as stored, oldest first. */
async function stored(table: string, column: string, query: Partial<Query> = {}) {
  const sampleView = { columns: [column] };
  const orderBy = [{ by: "time", desc: false }];
  const result = await ask(table, { sampleView, orderBy, limit: 1000, ...query });
  const index = result.columns.findIndex(({ name }) => name === column);
  return result.rows.map((row) => row[index] ?? null);
}

/** Whatever its size, a whole number as one of BigInt. */
const exact = (cell: unknown): bigint => BigInt(cell as string | number | bigint);

describe("integers are exact over all of int64 (S2, S20)", () => {
  const edges = [
    ...[0n, 1n, -1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n],
    ...[int64Max, int64Max - 1n, int64Min, int64Min + 1n],
    ...[1n, 2n, 3n, 4n, 8n].flatMap((bytes) => [
      2n ** (8n * bytes - 1n) - 1n,
      2n ** (8n * bytes - 1n),
    ]),
  ].filter((value) => value <= int64Max);
  beforeAll(() =>
    send(
      "edge_ints",
      edges.map((value, at) => `{"time":${at},"n":${value},"at":${at}}`),
    ),
  );

  test("stored and returned", async () => {
    expect((await stored("edge_ints", "n")).map(exact)).toEqual(edges);
  });

  test("found by = and by neighbouring bounds", async () => {
    for (const value of new Set(edges)) {
      const found = await ask("edge_ints", {
        filter: [{ column: "n", op: "=", value: value.toString() }],
      });
      const below = await ask("edge_ints", {
        filter: [{ column: "n", op: "<", value: value.toString() }],
      });
      expect(exact(found.rows[0]![0]), `= ${value}`).toBe(
        BigInt(edges.filter((edge) => edge === value).length),
      );
      expect(exact(below.rows[0]![0]), `< ${value}`).toBe(
        BigInt(edges.filter((edge) => edge < value).length),
      );
    }
  });

  test("smallest, largest, and groups", async () => {
    const aggregates = [
      { fn: "min", column: "n" },
      { fn: "max", column: "n" },
    ] as const;
    const [row] = (await ask("edge_ints", { aggregates })).rows;
    expect(row!.map(exact)).toEqual([int64Min, int64Max]);
    const groups = await ask("edge_ints", { groupBy: ["n"] });
    expect(new Set(groups.rows.map((group) => exact(group[0])))).toEqual(new Set(edges));
  });

  test("a sum that fits is exact though parts of it overflow; one that does not fit is refused", async () => {
    await send("edge_sums", [
      `{"time":1,"n":${int64Max},"of":"fits"}`,
      `{"time":2,"n":${int64Max},"of":"over"}`,
      `{"time":3,"n":${int64Min},"of":"fits"}`,
      '{"time":4,"n":7,"of":"over"}',
    ]);
    const aggregates = [{ fn: "sum", column: "n" }] as const;
    const fits = await ask("edge_sums", {
      aggregates,
      filter: [{ column: "of", op: "=", value: "fits" }],
    });
    expect(exact(fits.rows[0]![0])).toBe(-1n);
    const over = ask("edge_sums", {
      aggregates,
      filter: [{ column: "of", op: "=", value: "over" }],
    });
    await expect(over).rejects.toMatchObject({ code: "sum-overflow" });
  });
});

describe("times", () => {
  test("are averaged right where their sum is beyond 64 bits, which is refused", async () => {
    const times = [1_790_000_000_000, 1_790_000_000_500, 1_790_000_002_500];
    await send(
      "summed_times",
      times.map((time) => `{"time":${time},"sample_rate":4000000}`),
    );
    const average = await ask("summed_times", { aggregates: [{ fn: "avg", column: "time" }] });
    expect(average.rows[0]![0]).toBeCloseTo(1_790_000_001_000, 2);
    const sum = ask("summed_times", { aggregates: [{ fn: "sum", column: "time" }] });
    await expect(sum).rejects.toMatchObject({ code: "sum-overflow" });
    const grouped = await ask("summed_times", {
      aggregates: [{ fn: "avg", column: "time" }],
      groupBy: ["sample_rate"],
    });
    expect(grouped.rows).toHaveLength(1);
    expect(grouped.rows[0]!.at(-1)).toBeCloseTo(1_790_000_001_000, 2);
  });

  test("before 1970 and up to the end of 9999 (S7)", async () => {
    const times = [-62_135_596_800_000, -86_400_001, -1, 0, 253_402_300_799_999];
    await send(
      "edge_times",
      times.map((time) => `{"time":${time},"n":1}`),
    );
    expect((await stored("edge_times", "time")).map(Number)).toEqual(times);
    const days = await ask("edge_times", {
      from: -86_400_001,
      to: 1,
      groupBy: [{ time: "1d" }],
      orderBy: [{ by: "time", desc: false }],
    });
    expect(days.rows.map((row) => [Number(row[0]), Number(row[1])])).toEqual(
      expect.arrayContaining([
        [-172_800_000, 1],
        [-86_400_000, 1],
        [0, 1],
      ]),
    );
  });

  test("all rows at one millisecond", async () => {
    const lines = Array.from({ length: 70_000 }, (_, at) => `{"time":1000,"n":${at}}`);
    await send("edge_instant", lines);
    const aggregates = [
      { fn: "count" },
      { fn: "sum", column: "n" },
      { fn: "max", column: "n" },
    ] as const;
    const [row] = (await ask("edge_instant", { from: 1000, to: 1001, aggregates })).rows;
    expect(row!.map(Number)).toEqual([70_000, 70_000, (70_000 * 69_999) / 2, 69_999]);
    expect((await ask("edge_instant", { from: 1001, to: 2000 })).rows).toEqual([[0, 0]]);
    expect((await ask("edge_instant", { from: 0, to: 1000 })).rows).toEqual([[0, 0]]);
  });
});

describe("strings", () => {
  const texts = ["", " ", "naïve", "日本語", "🦑🌊", "\u0000", "a".repeat(70_000), "é", "e\u0301"];

  test("empty is not missing; four-byte UTF-8, control and long ones come back as they were", async () => {
    await send("edge_strings", [
      ...texts.map((text, at) => JSON.stringify({ time: at, text })),
      JSON.stringify({ time: texts.length, other: "no text" }),
      JSON.stringify({ time: texts.length + 1, text: null }),
    ]);
    expect(await stored("edge_strings", "text")).toEqual([...texts, null, null]);
    const missing = await ask("edge_strings", { filter: [{ column: "text", op: "is missing" }] });
    expect(Number(missing.rows[0]![0])).toBe(2);
    for (const text of texts) {
      const found = await ask("edge_strings", {
        filter: [{ column: "text", op: "=", value: text }],
      });
      expect(Number(found.rows[0]![0]), JSON.stringify(text.slice(0, 20))).toBe(1);
    }
  });

  test("a megabyte in one value", async () => {
    const long = `${"x".repeat(1_000_000)}needle🦑`;
    await send("edge_megabyte", [JSON.stringify({ time: 1, long }), '{"time":2,"long":"short"}']);
    expect(await stored("edge_megabyte", "long")).toEqual([long, "short"]);
    const filter = [{ column: "long", op: "contains", value: "needle🦑" }] as const;
    expect(Number((await ask("edge_megabyte", { filter })).rows[0]![0])).toBe(1);
  });
});

describe("sets and vectors (S4, S5, S23, S24)", () => {
  const vector = (length: number) => Array.from({ length }, (_, at) => `frame ${at % 7}`);

  test.each([0, 1, 65_535, 65_536])("a vector of %i elements", async (length) => {
    const table = `edge_vector_${length}`;
    await send(table, [JSON.stringify({ time: 1, stack: vector(length) }), '{"time":2,"n":1}']);
    expect(await stored(table, "stack")).toEqual([vector(length), null]);
  });

  test("an empty set is there, a missing one is not", async () => {
    await send("edge_sets", [
      '{"time":1,"tags":{"$set":[]}}',
      '{"time":2,"tags":{"$set":["b","a","b"]}}',
      '{"time":3,"tags":null}',
    ]);
    expect(await stored("edge_sets", "tags")).toEqual([[], ["a", "b"], null]);
    const present = await ask("edge_sets", { filter: [{ column: "tags", op: "is present" }] });
    expect(Number(present.rows[0]![0])).toBe(2);
  });
});

describe("columns", () => {
  test("all values missing: the column is not there, the rows are (S8)", async () => {
    await send("edge_missing", ['{"time":1,"n":null,"s":"a"}', '{"time":2,"n":null,"s":"b"}']);
    expect(Number((await ask("edge_missing")).rows[0]![0])).toBe(2);
    const { columns } = await cluster.client.table("edge_missing");
    expect(columns.map(({ name }) => name)).toEqual(["time", "s"]);
  });

  test("10,000 columns, and what one more gets", async () => {
    const row = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`c${from + i}`, from + i]));
    const lines = Array.from({ length: 20 }, (_, i) =>
      JSON.stringify({ time: i, ...row(i * 499, (i + 1) * 499) }),
    );
    await send("edge_wide", lines);
    const sum = await ask("edge_wide", { aggregates: [{ fn: "sum", column: "c7777" }] });
    expect(sum.rows).toEqual([[7777]]);
    const contentType = "application/x-ndjson";
    const more = JSON.stringify({ time: 99, ...row(20_000, 30_001) });
    const reply = cluster.client.ingestBody("edge_wide", `${more}\n`, {
      contentType,
      timeUnit: "ms",
    });
    await expect(reply).rejects.toMatchObject({ status: 400 });
    expect(Number((await ask("edge_wide")).rows[0]![0])).toBe(20);
  });

  test("what a batch changes about them holds for the very next query (S11)", async () => {
    const count = async (filter: Query["filter"]) =>
      Number((await ask("edge_changing", filter === undefined ? {} : { filter })).rows[0]![0]);
    const sum = { aggregates: [{ fn: "sum", column: "v" }] } as const;
    await send("edge_changing", ['{"time":1,"v":7}']);
    expect(await count([{ column: "v", op: ">", value: 6 }])).toBe(1);
    await send("edge_changing", ['{"time":2,"v":0.5,"new":"x"}']);
    expect((await ask("edge_changing", sum)).rows).toEqual([[7.5]]);
    expect(await count([{ column: "new", op: "=", value: "x" }])).toBe(1);
    await send("edge_changing", ['{"time":3,"v":"seven"}']);
    const groups = await ask("edge_changing", { groupBy: ["v"] });
    expect(groups.rows.map((row) => row[0]).sort()).toEqual(["0.5", "7", "seven"]);
    await send("edge_changing", ['{"time":4,"new":7}']);
    expect(await count([{ column: "v", op: "in", value: ["seven", "7"] }])).toBe(2);
  });

  test("one that changes its type again and again keeps every value (S11)", async () => {
    const forms = ["7", "7.25", '"seven"', '{"$set":["b","a"]}', '["x","y","x"]'];
    for (const [at, form] of forms.entries())
      await send("edge_types", [`{"time":${at},"v":${form}}`]);
    expect(await stored("edge_types", "v")).toEqual([
      ["7"],
      ["7.25"],
      ["seven"],
      ["a", "b"],
      ["x", "y", "x"],
    ]);
    expect(Number((await ask("edge_types")).rows[0]![0])).toBe(forms.length);
  });
});
