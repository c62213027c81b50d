import { HadalError, type Query, type Result } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { mayOverflow, mayRankBySketch } from "../../../test/oracle/compare/clusterDifference.js";
import {
  answerDifference,
  someRowsDifference,
} from "../../../test/oracle/compare/compareAnswers.js";
import { resultRows } from "../../../test/oracle/compare/resultRows.js";
import { answerNaively } from "../../../test/oracle/naive/naiveEngine.js";
import type { Answer } from "../../../test/oracle/query/answer.js";
import { randomQuery } from "../../../test/oracle/random/randomQuery.js";
import { shrinkQuery } from "../../../test/oracle/random/shrinkQuery.js";
import { createSeededRandom } from "../../../test/oracle/seed/seededRandom.js";
import type { OracleTable } from "../../../test/oracle/table/oracleTable.js";
import { oracleTables } from "../../../test/oracle/table/oracleTables.js";
import { createTableSchema } from "../../plan/schema/tableSchema.js";
import { resolveQuery } from "../function/resolveQuery.js";
import { mergePartials } from "../merge/mergePartials.js";
import { decodePartialResult, encodePartialResult } from "../merge/partialCodec.js";
import { partialOfRows } from "../testing/partialOfRows.js";
import { finalizeResult } from "./finalizeResult.js";

/** Middles of log-linear buckets. */
const sketchError = 0.01;
const seed = 7;

function answer(table: OracleTable, query: Query, leafCount: number) {
  const split = resolveQuery(query, createTableSchema(table.name, table.columns), 0);
  const random = createSeededRandom(leafCount);
  const leaves = Array.from({ length: leafCount }, (): OracleTable["rows"][number][] => []);
  for (const row of table.rows) leaves[random.int(0, leafCount - 1)]?.push(row);
  const partials = leaves.map((rows) => {
    const partial = partialOfRows(rows, split.resolved);
    return decodePartialResult(encodePartialResult(partial, split.resolved), split.resolved);
  });
  return finalizeResult(mergePartials(partials, split.resolved), split);
}

function difference(table: OracleTable, query: Query, leafCount: number): string | null {
  const expected: Answer = answerNaively(table, query, sketchError);
  try {
    const finalized = answer(table, query, leafCount);
    if (expected.overflows) return "a sum overflows, and no one says so";
    const result = { ...finalized, final: true } as unknown as Result;
    const rows = resultRows(result, expected.columns);
    if (!mayRankBySketch(query)) return answerDifference(expected, rows);
    const { series: _, ...uncut } = query;
    return someRowsDifference(answerNaively(table, uncut, sketchError), rows);
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return error.code === "sum-overflow" && mayOverflow(table, expected, query)
      ? null
      : error.message;
  }
}

describe.each(oracleTables(seed, 300))("$name", (table) => {
  test.each([1, 3])("split over %d leaves, merged and finished = naive", async (leafCount) => {
    let compared = 0;
    for (let index = 0; index < 200; index++) {
      const query = randomQuery(table, seed * 1000 + index);
      if (query.sampleView !== undefined) continue;
      compared += 1;
      if (difference(table, query, leafCount) === null) continue;
      const small = await shrinkQuery(query, async (q) => difference(table, q, leafCount) !== null);
      expect.fail(
        `query ${index}: ${difference(table, small, leafCount)}\n${JSON.stringify(small)}`,
      );
    }
    expect(compared).toBeGreaterThan(100);
  });
});

test("the difference of averages is a double, however large they are", () => {
  const row = (timeMs: number, n: bigint) => ({ timeMs, values: new Map([["n", n]]) });
  const table: OracleTable = {
    name: "large",
    columns: [{ name: "n", type: "int", decimals: 0 }],
    rows: [row(3_600_000, 10n ** 17n), row(0, 3n)],
  };
  const query: Query = {
    ...{ table: "large", from: 3_600_000, to: 3_600_001, compare: { offset: "1h" } },
    aggregates: [{ fn: "avg", column: "n" }],
  };
  const { columns, rows } = answer(table, query, 1);
  const delta = columns.findIndex(({ name }) => name.endsWith(".delta"));
  expect(columns[delta]?.type).toBe("float");
  expect(rows[0]?.[delta]).toBe(10 ** 17 - 3);
});

describe("offset", () => {
  const rows = Array.from({ length: 10 }, (_, i) => ({
    timeMs: i,
    values: new Map<string, bigint>([["n", BigInt(i)]]),
  }));
  const table: OracleTable = {
    name: "ten",
    columns: [{ name: "n", type: "int", decimals: 0 }],
    rows,
  };
  const query: Query = {
    ...{ table: "ten", from: 0, to: 10, groupBy: [{ column: "n", as: "number" }] },
    ...{ aggregates: [{ fn: "count" }], orderBy: [{ by: "number", desc: true }] },
  };

  test.each([
    [0, 3, [9, 8, 7], 7],
    [4, 3, [5, 4, 3], 3],
    [8, 3, [1, 0], null],
    [10, 3, [], null],
    [1_000_000, 1_000_000, [], null],
  ])("%d left out, then at most %d", (offset, limit, shown, groups) => {
    const { columns, rows: found, truncated } = answer(table, { ...query, offset, limit }, 3);
    expect(columns[0]?.name).toBe("number");
    expect(found.map((row) => row[0])).toEqual(shown);
    expect(truncated).toEqual(groups === null ? null : { groups });
  });
});

test("error bars belong to the rows that are shown after an offset", () => {
  const rows = Array.from({ length: 40 }, (_, i) => ({
    timeMs: i,
    values: new Map<string, bigint | string>([
      ["k", `k${i % 4}`],
      ["n", BigInt((i % 4) * 1_000 + 1)],
    ]),
  }));
  const table: OracleTable = {
    name: "bars",
    columns: [
      { name: "k", type: "string", decimals: 0 },
      { name: "n", type: "int", decimals: 0 },
    ],
    rows,
  };
  const asked: Query = {
    ...{ table: "bars", from: 0, to: 100, groupBy: ["k"], orderBy: [{ by: "k", desc: false }] },
    aggregates: [{ fn: "percentile", column: "n", p: 50 }],
  };
  const all = answer(table, asked, 2);
  const rest = answer(table, { ...asked, offset: 2, limit: 2 }, 2);
  expect(Object.keys(all.intervals)).toHaveLength(1);
  for (const [name, bars] of Object.entries(all.intervals)) {
    expect(rest.intervals[name]).toEqual(bars.slice(2));
  }
});

describe("having", () => {
  const row = (timeMs: number, k: string) => ({ timeMs, values: new Map([["k", k]]) });
  const keys = "aaaabbbccd".split("");
  const table: OracleTable = {
    name: "letters",
    columns: [{ name: "k", type: "string", decimals: 0 }],
    rows: keys.map((k, i) => row(i, k)),
  };
  const query: Query = {
    ...{ table: "letters", from: 0, to: 100, groupBy: ["k"], limit: 1 },
    having: [{ column: "count", op: ">=", value: 2 }],
  };

  test("the limit counts what passes, and so does what is said to be cut off", () => {
    const { rows, truncated } = answer(table, query, 2);
    expect(rows).toEqual([["a", 4, 4]]);
    expect(truncated).toEqual({ groups: 2 });
  });

  test("groups that leaves left out may pass or not: they are not counted", () => {
    const split = resolveQuery(query, createTableSchema(table.name, table.columns), 0);
    const [side] = partialOfRows(table.rows, split.resolved).sides;
    const cut = { sides: [{ ...side!, groupsCut: 7 }], sample: null };
    expect(finalizeResult(cut, split).truncated).toEqual({ groups: 2 });
  });

  test("a group that is new has 0 to compare with, however many others were cut off", () => {
    const compared: Query = {
      ...{ table: "letters", from: 0, to: 100, groupBy: ["k"], limit: 1 },
      compare: { filter: [{ column: "k", op: "!=", value: "a" }] },
    };
    const split = resolveQuery(compared, createTableSchema(table.name, table.columns), 0);
    const { sides } = partialOfRows(table.rows, split.resolved);
    const cut = sides.map((side) => ({ ...side, groupsCut: 7 }));
    const { rows } = finalizeResult({ sides: cut, sample: null }, split);
    expect(rows).toEqual([["a", 4, 4, 0, 4, null]]);
  });

  test("of series those stay of which a point passes, with these points alone", () => {
    const points = { ...query, groupBy: [{ time: "5ms" }, "k"], series: 1, limit: 100 };
    const { rows, truncated } = answer(
      table,
      { ...points, having: [{ column: "count", op: "=", value: 2 }] },
      1,
    );
    // Of a there are four in one bucket, of b one and two, of c two, of d one.
    expect(rows).toEqual([[5, "b", 2, 2]]);
    expect(truncated).toEqual({ series: 1 });
  });
});

test("S40: a series whose sum over all times overflows has its points, unless it is ranked by that sum", () => {
  const rows = [0, 60_000].map((timeMs) => ({
    timeMs,
    values: new Map<string, string | bigint>([
      ["g", "a"],
      ["x", 2n ** 62n],
    ]),
  }));
  const columns = [
    { name: "g", type: "string", decimals: 0 },
    { name: "x", type: "int", decimals: 0 },
  ] as const;
  const shown = (orderBy: Query["orderBy"]) => {
    const groupBy = [{ time: "1m" }, "g"];
    const aggregates = [{ fn: "count" }, { fn: "sum", column: "x" }] as const;
    const query: Query = { table: "t", from: 0, to: 120_000, groupBy, aggregates, series: 1 };
    const asked = orderBy === undefined ? query : { ...query, orderBy };
    const split = resolveQuery(asked, createTableSchema("t", columns), 0);
    return finalizeResult(partialOfRows(rows, split.resolved), split).rows;
  };
  expect(shown(undefined).map((cells) => cells.at(-1))).toEqual([2n ** 62n, 2n ** 62n]);
  expect(() => shown([{ by: "sum_x", desc: true }])).toThrow("does not fit 64 bits");
});
