import type { AggregateSpec, Query } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSeededRandom } from "../oracle/seed/seededRandom.js";
import { askAll, sendRows } from "../support/allTime.js";
import type { Cluster } from "../support/startCluster.js";
import { startCluster } from "../support/startCluster.js";

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 2 });
});
afterAll(() => cluster?.stop());

const send = (table: string, rows: readonly object[]) => sendRows(cluster, table, rows);
const ask = (table: string, query: Partial<Query> = {}) => askAll(cluster, table, query);

describe("segments and time", () => {
  const batchRows = 70_000;
  const batches = 6;
  /** Windows of 1,000,000 ms, each half over the next one. */
  const timeOf = (batch: number, i: number) => batch * 500_000 + ((i * 7919) % 1_000_000);

  beforeAll(async () => {
    for (let batch = 0; batch < batches; batch++) {
      for (let from = 0; from < batchRows; from += 10_000) {
        await send(
          "windows",
          Array.from({ length: 10_000 }, (_, i) => ({ time: timeOf(batch, from + i), batch })),
        );
      }
    }
  });

  const ranges: readonly (readonly [number, number])[] = [
    [0, 1],
    [0, 250_000],
    [700_000, 1_300_000],
    [3_499_999, 3_500_000],
    [0, 4_000_000],
  ];

  test.each(ranges)(
    "S36 S77: windows overlap, what lies outside %i to %i is skipped, and every row inside is found",
    async (from, to) => {
      let expected = 0;
      for (let batch = 0; batch < batches; batch++) {
        for (let i = 0; i < batchRows; i++) {
          const time = timeOf(batch, i);
          if (time >= from && time < to) expected++;
        }
      }
      const filter = [{ column: "batch", op: ">=", value: 0 }] as const;
      const { rows, stats } = await ask("windows", { from, to, filter });
      expect(rows[0]?.[0]).toBe(expected);
      expect(stats.segments).toBeGreaterThan(batches - 1);
      if (to - from < 300_000) expect(stats.segmentsSkipped).toBeGreaterThan(0);
    },
  );

  test("S77: a leaf without rows of the table, and a range without rows, answer with nothing", async () => {
    await send("lonely", [{ time: 5, n: 1 }]);
    const present = await ask("lonely", { groupBy: ["n"] });
    expect(present.rows.map(([key, count]) => [key, count])).toEqual([[1, 1]]);
    expect(present.completeness).toMatchObject({ fraction: 1, leaves: { answered: 2, total: 2 } });
    const empty = await ask("windows", { from: 9_000_000, to: 9_000_001 });
    expect(empty.rows[0]?.[0]).toBe(0);
    expect(empty.stats.segmentsSkipped).toBe(empty.stats.segments);
  });
});

describe("sample rates", () => {
  /** A row that stands for `rate` events, and beside it a table in which each of them is there. */
  const rates = [1, 1, 2, 5, 30];
  beforeAll(async () => {
    const random = createSeededRandom(7);
    const sampled = Array.from({ length: 2_000 }, (_, time) => ({
      ...{ time, n: random.int(-2_000, 8_000), sample_rate: rates[time % 5]! },
    }));
    await send("sampled", sampled);
    const whole = sampled.flatMap(({ time, n, sample_rate: rate }) =>
      Array.from({ length: rate }, () => ({ time, n })),
    );
    for (let from = 0; from < whole.length; from += 10_000) {
      await send("whole", whole.slice(from, from + 10_000));
    }
  });

  const scaled: readonly AggregateSpec[] = [
    { fn: "count" },
    { fn: "sum", column: "n" },
    { fn: "sum", column: "n", per: "minute" },
    { fn: "avg", column: "n" },
    { fn: "percentile", column: "n", p: 50 },
    { fn: "percentile", column: "n", p: 99 },
    { fn: "histogram", column: "n" },
    { fn: "min", column: "n" },
    { fn: "max", column: "n" },
    { fn: "distinct", column: "n" },
  ];

  test.each(scaled)(
    "S40: $fn of sampled rows is that of all the events they stand for; least, largest and distinct values ignore the rate",
    async (spec) => {
      const cell = async (table: string) => (await ask(table, { aggregates: [spec] })).rows[0]?.[0];
      expect(await cell("sampled")).toEqual(await cell("whole"));
    },
  );

  test("S37 S39: rates differ from row to row; counts come adjusted and raw", async () => {
    await send("mixed", [
      { time: 1, user: "a", sample_rate: 100 },
      { time: 2, user: "a", sample_rate: 100 },
      { time: 3, user: "b", sample_rate: 7 },
      { time: 4, user: "c" },
    ]);
    const result = await ask("mixed", { groupBy: ["user"], orderBy: [{ by: "user" }] });
    const names = result.columns.map(({ name }) => name);
    const [count, raw] = [names.indexOf("count"), names.indexOf("count.raw")];
    expect(result.rows.map((row) => [row[0], row[count], row[raw]])).toEqual([
      ["a", 200, 2],
      ["b", 7, 1],
      ["c", 1, 1],
    ]);
  });

  test("S38: a million events a row, sums far beyond 2^53, exact to the last digit", async () => {
    const n = 2 ** 40 + 1;
    const rows = Array.from({ length: 5 }, (_, time) => ({ time, n, sample_rate: 1_000_000 }));
    await send("rare", rows);
    const { rows: answer } = await ask("rare", {
      aggregates: [{ fn: "count" }, { fn: "sum", column: "n" }],
    });
    expect(answer).toEqual([[5_000_000, 5, BigInt(n) * 5_000_000n]]);
  });
});

test("S78: a pattern is looked up once for each distinct string, and two patterns on one column do not mix", async () => {
  const words = ["alpha", "beta", "gamma", "alphabet"];
  const rows = Array.from({ length: 4_000 }, (_, time) => ({ time, word: words[time % 4] }));
  await send("words", rows);
  const countOf = async (filter: Query["filter"]) =>
    (await ask("words", { filter: filter ?? [] })).rows[0]?.[0];
  const [starts, ends] = [
    { column: "word", op: "~", value: "^alpha" },
    { column: "word", op: "~", value: "a$" },
  ] as const;
  expect(await countOf([starts])).toBe(2_000);
  expect(await countOf([ends])).toBe(3_000);
  expect(await countOf([starts, ends])).toBe(1_000);
  expect(await countOf([{ any: [starts, ends] }])).toBe(4_000);
  expect(await countOf([starts, { not: ends }])).toBe(1_000);
});
