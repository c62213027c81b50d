import type { Query, Result } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import type { OracleRow } from "../../../test/oracle/table/oracleTable.js";
import { createTableSchema, type SchemaColumn } from "../../plan/schema/tableSchema.js";
import type { Evidence } from "../estimate/leafEvidence.js";
import { resolveQuery } from "../function/resolveQuery.js";
import { mergePartials } from "../merge/mergePartials.js";
import { partialOfRows } from "../testing/partialOfRows.js";
import { sizesOfRows } from "../testing/sizesOfRows.js";
import { finalizeResult } from "./finalizeResult.js";
import { barredRowsMax } from "./resultIntervals.js";

const plain: readonly SchemaColumn[] = [
  { name: "g", type: "string", decimals: 0 },
  { name: "x", type: "int", decimals: 2 },
];
const sampled: readonly SchemaColumn[] = [
  ...plain,
  { name: "sample_rate", type: "int", decimals: 0 },
];

function row(g: string, x: number, rate = 1): OracleRow {
  return {
    timeMs: 1_000,
    values: new Map<string, string | bigint>([
      ["g", g],
      ["x", BigInt(x)],
      ["sample_rate", BigInt(rate)],
    ]),
  };
}

/**
 * `leaves`: rows of each that answered; `missingRows` of those that did not, by side; they are the main one's where one number is given;
 * `unfinished`: rows that a leaf which is not done has reported.
 */
function answer(
  query: Partial<Query>,
  columns: readonly SchemaColumn[],
  leaves: readonly (readonly OracleRow[])[],
  missingRows: number | readonly number[],
  unfinished: readonly OracleRow[] = [],
): Pick<Result, "rows" | "intervals"> {
  const asked: Query = { table: "t", from: 0, to: 60_000, groupBy: ["g"], ...query };
  const split = resolveQuery(asked, createTableSchema("t", columns), 0);
  const { sides } = split.resolved;
  const shares = leaves.map((rows) => ({ parts: [partialOfRows(rows, split.resolved)] }));
  const missingOf = (side: number): number => {
    if (typeof missingRows !== "number") return missingRows[side]!;
    return side === 0 ? missingRows : 0;
  };
  const missing = sides.flatMap(({ fromMs }, side) =>
    Array.from({ length: missingOf(side) }, () => ({ timeMs: fromMs })),
  );
  const evidence: Evidence =
    missingRows === 0
      ? { kind: "whole" }
      : {
          ...{ kind: "leaves", leaves: shares, mergesUnfinished: unfinished.length > 0 },
          sizes: sizesOfRows(split.resolved, leaves, [missing]),
        };
  const open = unfinished.length === 0 ? [] : [partialOfRows(unfinished, split.resolved)];
  const merged = mergePartials([...shares.flatMap(({ parts }) => parts), ...open], split.resolved);
  return finalizeResult(merged, split, { evidence });
}

/** The first row's bar. */
function barOf(intervals: Result["intervals"], name: string): readonly [number, number] {
  return intervals[name]?.[0] ?? expect.fail(`${name} has no error bar`);
}

const many = (count: number, g = "a", rate = 1): OracleRow[] =>
  Array.from({ length: count }, (_, i) => row(g, (i * 37) % 100, rate));
const numbers: Partial<Query> = {
  aggregates: [
    { fn: "count" },
    { fn: "sum", column: "x" },
    { fn: "avg", column: "x" },
    { fn: "min", column: "x" },
    { fn: "stddev", column: "x" },
    { fn: "distinct", column: "x" },
  ],
};

describe("no error bars", () => {
  test("where every row stands for itself and none is missing", () => {
    expect(answer(numbers, plain, [many(50)], 0).intervals).toEqual({});
    // The table has sample rates, these rows have none.
    expect(answer(numbers, sampled, [many(50)], 0).intervals).toEqual({});
  });

  test("for extremes, deviations and distinct values of a part", () => {
    const leaves = [many(50), many(52), many(47)];
    const { intervals } = answer(numbers, plain, leaves, 50);
    expect(Object.keys(intervals)).toEqual(["count", "count.raw", "sum_x", "avg_x"]);
  });

  test("for sums and averages where one leaf alone answered: how leaves differ is unknown", () => {
    const { intervals } = answer(numbers, plain, [many(50)], 50);
    // Of a count the ledger knows how far it can go.
    expect(intervals).toEqual({ count: [[50, 100]], "count.raw": [[50, 100]] });
  });

  test("for a sampled count where one leaf alone answered", () => {
    const { intervals } = answer(numbers, sampled, [many(50, "a", 4)], 50);
    expect(intervals).toEqual({ "count.raw": [[50, 100]] });
  });

  test("where it is not known what is missing", () => {
    const split = resolveQuery(
      { table: "t", from: 0, to: 60_000, ...numbers },
      createTableSchema("t", sampled),
      0,
    );
    const partial = partialOfRows(many(50, "a", 4), split.resolved);
    expect(finalizeResult(partial, split, { evidence: { kind: "unknown" } }).intervals).toEqual({});
  });
});

describe("error bars of sampled rows", () => {
  test("a count's is a score interval, never below the rows that were seen", () => {
    const { intervals, rows } = answer({}, sampled, [many(100, "a", 10)], 0);
    expect(rows).toEqual([["a", 1000, 100]]);
    const [[low, high]] = intervals.count as [[number, number]];
    // 100 rows of 1 in 10: the binomial's own 95 % are 823 to 1207.
    expect(low).toBeGreaterThan(815);
    expect(low).toBeLessThan(835);
    expect(high).toBeGreaterThan(1195);
    expect(high).toBeLessThan(1220);
    const few = answer({}, sampled, [[row("a", 1, 1000)]], 0).intervals.count?.[0];
    expect(few?.[0]).toBeGreaterThanOrEqual(1);
    expect(few?.[1]).toBeGreaterThan(4000);
  });

  test("of an average they do not depend on how large the weights are, if all are", () => {
    const query: Partial<Query> = { aggregates: [{ fn: "avg", column: "x" }] };
    const [[low, high]] = answer(query, sampled, [many(400, "a", 1000)], 0).intervals.avg_x as [
      [number, number],
    ];
    const mean = 0.495;
    expect((low + high) / 2).toBeCloseTo(mean, 10);
    // 1.966 · 0.2887 ÷ √400
    expect((high - low) / 2).toBeCloseTo(0.0284, 3);
  });

  test("of a rate they are those of its count, by the time", () => {
    const asked: Partial<Query> = {
      aggregates: [{ fn: "count" }, { fn: "count", per: "second", as: "rate" }],
    };
    const { intervals } = answer(asked, sampled, [many(100, "a", 10)], 0);
    const [[low, high]] = intervals.count as [[number, number]];
    const [[slow, fast]] = intervals.rate as [[number, number]];
    expect(slow * 60).toBeGreaterThanOrEqual(low);
    expect(slow * 60).toBeLessThan(low + 1);
    expect(fast * 60).toBeLessThanOrEqual(high);
    expect(fast * 60).toBeGreaterThan(high - 1);
  });
});

describe("error bars where leaves are missing", () => {
  test("hold what all would say: above the count of those that answered", () => {
    const leaves = [50, 52, 47, 51].map((count) => [...many(count), ...many(100 - count, "b")]);
    const { rows, intervals } = answer({}, plain, leaves, 200);
    expect(rows[0]).toEqual(["a", 200, 200]);
    const [low, high] = barOf(intervals, "count");
    expect(low).toBeGreaterThan(280);
    expect(low).toBeLessThan(300);
    expect(high).toBeGreaterThan(300);
    expect(high).toBeLessThan(320);
  });

  test("two leaves that differ are enough for a bar of each sum and average", () => {
    for (let more = 1; more < 40; more++) {
      const { intervals } = answer(numbers, plain, [many(100), many(100 + more, "a")], 90);
      expect(intervals.sum_x?.[0], `${more}`).not.toBeNull();
      expect(intervals.avg_x?.[0], `${more}`).not.toBeNull();
    }
  });

  test("of all rows the ledger knows the number", () => {
    const leaves = [many(100), many(120), many(90)];
    const { intervals } = answer({ groupBy: [] }, plain, leaves, 110);
    expect(intervals.count).toEqual([[420, 420]]);
  });

  test("of one leaf no one can tell how far others differ: counts have a least and a most, others no bar", () => {
    const aggregates = [...numbers.aggregates!, { fn: "percentile", column: "x", p: 50 }] as const;
    const one = answer({ aggregates }, plain, [many(100)], 40);
    expect(one.intervals).toEqual({ count: [[100, 140]], "count.raw": [[100, 140]] });
    const two = answer({ aggregates }, plain, [many(100), many(100)], 40);
    // Two that agree to the last digit tell nothing of averages either: a third may differ.
    expect(Object.keys(two.intervals)).toEqual(["count", "count.raw", "sum_x", "p50_x"]);
    const unlike = answer({ aggregates }, plain, [many(100), many(96)], 40);
    expect(Object.keys(unlike.intervals)).toContain("avg_x");
  });

  test("no bar of an average or a count has no width because leaves agree", () => {
    const even = () => [...many(50), ...many(50, "b")];
    const { intervals } = answer(numbers, plain, [even(), even(), even()], 100);
    const [low, high] = barOf(intervals, "count");
    // One deviation of a draw of 100 rows more, of which half are a: √(100 · 4/3) ÷ 2 = 5.8.
    expect([low, high]).toEqual([194, 206]);
    expect(intervals).not.toHaveProperty("avg_x");
    const filtered = answer(
      { filter: [{ column: "x", op: ">=", value: 0 }] },
      plain,
      [many(50), many(50)],
      50,
    );
    expect(barOf(filtered.intervals, "count")).toEqual([149, 150]);
  });

  test("a leaf without rows of a group says nothing about its average", () => {
    const aggregates = [{ fn: "count" }, { fn: "avg", column: "x" }] as const;
    const leaves = [[...many(40), ...many(60, "b")], many(100, "b"), many(100, "b")];
    const { intervals, rows } = answer({ aggregates }, plain, leaves, 100);
    const place = rows.findIndex(([group]) => group === "a");
    expect(intervals.count?.[place]).not.toBeNull();
    expect(intervals.avg_x?.[place]).toBeNull();
    expect(intervals.avg_x?.[1 - place]).not.toBeNull();
  });

  test("of a percentile: from leaves that are done, whatever one that is not has sent", () => {
    const aggregates = [{ fn: "percentile", column: "x", p: 50 }] as const;
    const leaves = [many(100), many(120), many(90)];
    const far = Array.from({ length: 1_000 }, () => row("a", 1_000_000));
    const [low] = barOf(answer({ aggregates }, plain, leaves, 1_040).intervals, "p50_x");
    const { rows, intervals } = answer({ aggregates }, plain, leaves, 1_040, far);
    expect(rows[0]?.[1]).toBeGreaterThan(9_000);
    expect(barOf(intervals, "p50_x")[0]).toBe(low);
    expect(barOf(intervals, "p50_x")[1]).toBeGreaterThan(9_000);
  });

  test("a difference is more certain than its sides: leaves miss of both", () => {
    // As many of a on either side on each leaf, but leaves differ much.
    const base = (rows: readonly OracleRow[]): OracleRow[] =>
      rows.map((one) => ({ ...one, timeMs: one.timeMs - 60_000 }));
    const leaves = [30, 80, 55, 65].map((count) => {
      const rows = [...many(count), ...many(100 - count, "b")];
      return [...rows, ...base(rows)];
    });
    const { intervals } = answer({ compare: { offset: "1m" } }, plain, leaves, [200, 200]);
    const width = (name: string): number => {
      const [low, high] = barOf(intervals, name);
      return high - low;
    };
    expect(width("count")).toBeGreaterThan(50);
    // As it would be if each row were placed by itself: that leaves agree is chance.
    expect(width("count.delta")).toBeGreaterThan(0);
    expect(width("count.delta")).toBeLessThan(width("count") / 2);
  });

  test("a side of which nothing is missing has none: a leaf that is new lacks rows of today alone", () => {
    const base = Array.from({ length: 60 }, () => ({ ...row("a", 1), timeMs: -1_000 }));
    const leaves = [30, 34, 28].map((count) => [...many(count), ...base]);
    const { intervals } = answer({ compare: { offset: "1m" } }, plain, leaves, [90, 0]);
    const alone = answer({}, plain, [many(30), many(34), many(28)], 90);
    expect(intervals.count).toEqual(alone.intervals.count);
    expect(Object.keys(intervals)).not.toContain("count.compare");
    const [low, high] = barOf(intervals, "count");
    // The difference errs with today's count alone; of that it is known besides what it is at the most.
    const [deltaLow, deltaHigh] = barOf(intervals, "count.delta");
    expect(deltaLow).toBeLessThanOrEqual(low - 180);
    expect(deltaHigh).toBeGreaterThanOrEqual(high - 180);
    expect(deltaHigh - deltaLow).toBeLessThan(2 * (high - low) + 2);
  });
});

test("the bar of a change in percent lies around it on either side of 0", () => {
  const rowsOf = (sign: number): OracleRow[] =>
    Array.from({ length: 400 }, (_, i) => sign * (100 + (i % 7))).flatMap((x) => [
      row("a", x, 2),
      { ...row("a", 2 * x, 2), timeMs: -59_000 },
    ]);
  const barOfRows = (sign: number) => {
    const asked = { aggregates: [{ fn: "sum", column: "x" }], compare: { offset: "1m" } } as const;
    const { intervals, rows } = answer(asked, sampled, [rowsOf(sign)], 0);
    return { bar: barOf(intervals, "sum_x.delta_pct"), percent: rows[0]?.at(-1) };
  };
  const [above, below] = [barOfRows(1), barOfRows(-1)];
  expect([above.percent, below.percent]).toEqual([-50, 50]);
  expect(above.bar[0]).toBeLessThan(-50);
  expect(above.bar[1]).toBeGreaterThan(-50);
  expect(below.bar).toEqual([-above.bar[1], -above.bar[0]]);
});

test("what a leaf that is not done has sent is shown, and counts for nothing in the bar", () => {
  const split = resolveQuery(
    { table: "t", from: 0, to: 60_000, groupBy: ["g"] },
    createTableSchema("t", plain),
    0,
  );
  const rowsOf = (count: number) => [...many(count), ...many(100 - count, "b")];
  const rows = [50, 52, 47].map(rowsOf);
  const leaves = rows.map((own) => ({ parts: [partialOfRows(own, split.resolved)] }));
  const unfinished = partialOfRows(many(30), split.resolved);
  const finish = (parts: readonly (typeof unfinished)[], mergesUnfinished: boolean) =>
    finalizeResult(mergePartials(parts, split.resolved), split, {
      evidence: {
        ...{ kind: "leaves", leaves, sizes: sizesOfRows(split.resolved, rows, [many(100)]) },
        mergesUnfinished,
      },
    });
  const done = leaves.flatMap(({ parts }) => parts);
  const without = finish(done, false);
  const withIt = finish([...done, unfinished], true);
  expect(without.rows[0]).toEqual(["b", 151, 151]);
  expect(withIt.rows[0]).toEqual(["a", 179, 179]);
  expect(withIt.intervals.count?.[0]).toEqual([
    // What was counted is a lower bound.
    Math.max(179, without.intervals.count![1]![0]),
    without.intervals.count![1]![1],
  ]);
});

test("bars are given for the first rows of a long answer", () => {
  const rows = Array.from({ length: barredRowsMax + 5 }, (_, i) => row(`g${i}`, 1, 9));
  const { intervals } = answer({ limit: 20_000 }, sampled, [rows], 0);
  expect(intervals.count).toHaveLength(barredRowsMax + 5);
  expect(intervals.count!.filter((bar) => bar !== null)).toHaveLength(barredRowsMax);
});
