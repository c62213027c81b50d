import { HadalError, type Query } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askAll, sendRows } from "../support/allTime.js";
import type { Cluster } from "../support/startCluster.js";
import { startCluster } from "../support/startCluster.js";
import { waitUntil } from "../support/waitUntil.js";

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 2, environment: { HADAL_SEAL_AFTER: "1" } });
});
afterAll(() => cluster?.stop());

const send = (table: string, rows: readonly object[]) => sendRows(cluster, table, rows);
const ask = (table: string, query: Partial<Query> = {}) => askAll(cluster, table, query);

/** The first cell of the only row. */
async function one(table: string, query: Partial<Query>): Promise<unknown> {
  return (await ask(table, query)).rows[0]?.[0];
}

/** Batches sent before the status is read: it follows a second later. */
const batchesAtOnce = 6;

/** Sends batches until both leaves have rows of the table: each goes where memory is free. Returns how many. */
async function sendToBothLeaves(table: string, rowsOf: (batch: number) => readonly object[]) {
  let rowCount = 0;
  for (let batches = batchesAtOnce; ; batches += batchesAtOnce) {
    for (let batch = batches - batchesAtOnce; batch < batches; batch++) {
      const rows = rowsOf(batch);
      await send(table, rows);
      rowCount += rows.length;
    }
    const holders = await waitUntil("the status to show the rows", async () => {
      const { members } = await cluster.client.status();
      const held = members.flatMap(({ tables }) => tables.filter(({ name }) => name === table));
      const counted = held.reduce((sum, one) => sum + one.rows, 0);
      return counted === rowCount ? held.length : null;
    });
    if (holders === 2) return batches;
  }
}

describe("four types", () => {
  test("S1: a row with an integer, a string, a set and a vector comes back as it was", async () => {
    await send("four", [
      { time: 5, n: -7, s: "ü", tags: { $set: ["b", "a", "b"] }, stack: ["f", "g", "f"] },
    ]);
    const { columns } = await cluster.client.table("four");
    expect(Object.fromEntries(columns.map(({ name, type }) => [name, type]))).toEqual({
      ...{ time: "int", n: "int", s: "string", tags: "set", stack: "vector" },
    });
    const { rows, columns: asked } = await ask("four", {
      sampleView: { columns: ["time", "n", "s", "tags", "stack"] },
    });
    const row = Object.fromEntries(asked.map(({ name }, i) => [name, rows[0]?.[i]]));
    expect(row).toEqual({
      ...{ time: 5, n: -7, s: "ü", tags: ["a", "b"], stack: ["f", "g", "f"] },
    });
  });

  test("S2: integers are aggregated, compared and grouped by; a timestamp is an integer of milliseconds", async () => {
    await send("ints", [
      { time: "1970-01-01T00:00:00.250Z", n: 3 },
      { time: "1970-01-01T01:00:00.500+01:00", n: 3 },
      { time: 1_000, n: 8 },
    ]);
    expect(await one("ints", { aggregates: [{ fn: "sum", column: "n" }] })).toBe(14);
    expect(await one("ints", { filter: [{ column: "n", op: ">", value: 3 }] })).toBe(1);
    const groups = await ask("ints", { groupBy: ["n"], orderBy: [{ by: "n" }] });
    expect(groups.rows.map(([key, count]) => [key, count])).toEqual([
      [3, 2],
      [8, 1],
    ]);
    const raw = await ask("ints", {
      sampleView: { columns: ["time"] },
      orderBy: [{ by: "time", desc: false }],
    });
    expect(raw.rows.map(([time]) => time)).toEqual([250, 500, 1_000]);
  });

  test("S3: strings are compared by code point, and grouped by", async () => {
    const strings = ["a", "Z", "é", "\u{1F600}", "\uFFFD", ""];
    await send(
      "strings",
      strings.map((s, time) => ({ time, s })),
    );
    // UTF-16 would put the emoji, a surrogate pair, before U+FFFD.
    const above = await ask("strings", {
      filter: [{ column: "s", op: ">", value: "\uFFFD" }],
      groupBy: ["s"],
    });
    expect(above.rows.map(([key]) => key)).toEqual(["\u{1F600}"]);
    const all = await ask("strings", { groupBy: ["s"], orderBy: [{ by: "s" }] });
    expect(all.rows.map(([key]) => key)).toEqual(["", "Z", "a", "é", "\uFFFD", "\u{1F600}"]);
  });

  test("S6: fractions are kept digit by digit, truncated toward zero, and add up exactly over all leaves", async () => {
    const each = { time: 1, ratio: 2.71559, down: -1.999_999_9, tenth: 0.1 };
    const rows = Array.from({ length: 100 }, () => each);
    const batches = await sendToBothLeaves("decimals", () => rows);
    const sums = await ask("decimals", {
      aggregates: [
        { fn: "max", column: "ratio" },
        { fn: "min", column: "down" },
        { fn: "sum", column: "tenth" },
      ],
    });
    expect(sums.columns.map(({ decimals }) => decimals)).toEqual([6, 6, 6]);
    // A sum of doubles would be off from the tenth addition on.
    expect(sums.rows[0]).toEqual([2.715_59, -1.999_999, batches * 10]);
    expect(
      await one("decimals", { filter: [{ column: "down", op: "=", value: -1.999_999 }] }),
    ).toBe(batches * 100);
  });

  test("S7: a row without a time is refused with its line and the reason, the others are kept", async () => {
    const body = '{"n":1}\n{"time":7,"n":2}\n{"time":null,"n":3}\n';
    const reply = await cluster.client.ingestBody("timeless", body, {
      contentType: "application/x-ndjson",
      timeUnit: "ms",
    });
    expect(reply).toMatchObject({ accepted: 1, rejected: 2 });
    expect(reply.problems.map(({ line }) => line)).toEqual([1, 3]);
    for (const { detail } of reply.problems) expect(detail).toContain("time");
    expect(await one("timeless", { aggregates: [{ fn: "sum", column: "n" }] })).toBe(2);
  });
});

describe("no schema", () => {
  test("S8 S10: rows of several kinds share a table; what a row lacks is missing, never 0", async () => {
    await send("kinds", [
      { time: 1, kind: "click", x: 4, y: 0 },
      { time: 2, kind: "view", page: "/cart" },
      { time: 3, kind: "error", stack: ["main"] },
    ]);
    const { rows } = await ask("kinds", {
      groupBy: ["kind"],
      aggregates: [{ fn: "sum", column: "y" }],
      orderBy: [{ by: "kind" }],
    });
    expect(rows).toEqual([
      ["click", 0],
      ["error", null],
      ["view", null],
    ]);
    const without = { column: "page", op: "is missing" } as const;
    expect(await one("kinds", { filter: [without] })).toBe(2);
  });

  test("S9: leaves with different columns make one table", async () => {
    const batches = await sendToBothLeaves("image", (batch) => [
      { time: batch, both: 1, [`own_${batch}`]: batch + 1 },
    ]);
    await waitUntil("every column to be described", async () => {
      const { columns } = await cluster.client.table("image");
      return columns.filter(({ name }) => name.startsWith("own_")).length === batches || null;
    });
    for (let batch = 0; batch < batches; batch++) {
      const aggregates = [
        { fn: "sum", column: `own_${batch}` },
        { fn: "count" },
      ] as const satisfies Query["aggregates"];
      const { rows } = await ask("image", { aggregates });
      expect(rows[0]?.slice(0, 2)).toEqual([batch + 1, batches]);
    }
  });

  test("S12: a new column is there with the row that brings it", async () => {
    await send("evolving", [{ time: 1, a: 1 }]);
    await send("evolving", [{ time: 2, a: 1, b: "new" }]);
    const groups = await ask("evolving", { groupBy: ["b"], orderBy: [{ by: "b" }] });
    expect(groups.rows.map(([key, count]) => [key, count])).toEqual([
      ["new", 1],
      [null, 1],
    ]);
  });

  test("S13: joins and nested queries are refused by a problem that says where", async () => {
    const refusal = (query: object) =>
      cluster.client.query(query as Query).then(
        () => null,
        (error: unknown) => error,
      );
    const range = { from: 0, to: 10 };
    for (const [query, path] of [
      [{ table: "kinds", ...range, join: { table: "four" } }, "join"],
      [{ table: { table: "kinds", ...range }, ...range }, "table"],
    ] as const) {
      const error = await refusal(query);
      expect(error).toBeInstanceOf(HadalError);
      expect((error as HadalError).errors.map((part) => part.path)).toEqual([path]);
    }
  });
});

describe("columns", () => {
  test("S21 S25: strings take the bits of their code, and mean the same whatever code a leaf gave them", async () => {
    const count = 40_000;
    const colours = ["red", "green", "blue", "ochre", "violet"];
    const rowsOf = (batch: number) =>
      Array.from({ length: count }, (_, i) => ({
        time: batch * count + i,
        colour: colours[(i * (batch + 1) + batch) % colours.length],
      }));
    const batches = await sendToBothLeaves("colours", rowsOf);
    const expected = new Map<string, number>();
    for (let batch = 0; batch < batches; batch++) {
      for (const { colour } of rowsOf(batch)) {
        expected.set(colour!, (expected.get(colour!) ?? 0) + 1);
      }
    }
    const groups = await ask("colours", { groupBy: ["colour"] });
    expect(new Map(groups.rows.map(([key, n]) => [key, Number(n)]))).toEqual(expected);
    const column = await waitUntil("the rows to be sealed", async () => {
      const { columns } = await cluster.client.table("colours");
      const colour = columns.find(({ name }) => name === "colour");
      return colour !== undefined && colour.bytes! < 0.5 * colour.rows! ? colour : null;
    });
    // Three bits a row for five words and the missing; beside them only what the dictionary takes.
    expect(column.bytes).toBeGreaterThanOrEqual((batches * count * 3) / 8);
  });

  test("S27: a query reads the columns it asks for, however many others there are", async () => {
    const wide = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`c${i}`, i * 1_000_003]));
    const rows = Array.from({ length: 2_000 }, (_, time) => ({ time, n: time * 7 }));
    await send("narrow", rows);
    await send(
      "wide",
      rows.map((row) => ({ ...row, ...wide })),
    );
    const filter = [{ column: "n", op: ">=", value: 7_000 }] as const;
    const bytes = async (table: string) => (await ask(table, { filter })).stats.bytesScanned;
    expect(await bytes("narrow")).toBeGreaterThan(0);
    expect(await bytes("wide")).toBe(await bytes("narrow"));
  });
});
