import type { Query } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import type { OracleRow } from "../../../test/oracle/table/oracleTable.js";
import { createTableSchema } from "../../plan/schema/tableSchema.js";
import { resolveQuery } from "../function/resolveQuery.js";
import { mergePartials } from "../merge/mergePartials.js";
import type { PartialResult } from "../partial/partialResult.js";
import { partialOfRows } from "../testing/partialOfRows.js";
import { finalizeResult } from "./finalizeResult.js";

type Bar = readonly [number, number];

const columns = ["g", "x", "y", "sample_rate"].map((name) => ({
  ...{ name, type: name === "g" ? ("string" as const) : ("int" as const), decimals: 0 },
}));

/** On the main side, or a minute before. */
function row(g: string, rate: number, x: number, more: { isBase?: true; y?: number } = {}) {
  const values: [string, string | bigint][] = [
    ["g", g],
    ["x", BigInt(x)],
    ["sample_rate", BigInt(rate)],
  ];
  if (more.y !== undefined) values.push(["y", BigInt(more.y)]);
  return { timeMs: more.isBase ? -1_000 : 1_000, values: new Map(values) };
}

const rowsOf = (count: number, rate: number, xOf: (i: number) => number, g = "a"): OracleRow[] =>
  Array.from({ length: count }, (_, i) => row(g, rate, xOf(i)));

function ask(
  query: Partial<Query>,
  rows: readonly OracleRow[],
  alter: (partial: PartialResult) => PartialResult = (partial) => partial,
) {
  const asked: Query = { table: "t", from: 0, to: 60_000, ...query };
  const split = resolveQuery(asked, createTableSchema("t", columns), 0);
  const partial = alter(partialOfRows(rows, split.resolved));
  const result = finalizeResult(mergePartials([partial], split.resolved), split);
  const rowOf = (group: string): number => result.rows.findIndex(([key]) => key === group);
  const barOf = (name: string, group: string): Bar | null =>
    result.intervals[name]![rowOf(group)] ?? null;
  const cellOf = (name: string, group: string) =>
    result.rows[rowOf(group)]![result.columns.findIndex((column) => column.name === name)];
  return { ...result, barOf, cellOf };
}

const percentile = (p: number) => ({ fn: "percentile", column: "x", p, as: `p${p}` }) as const;

describe("percentiles of sampled rows", () => {
  test("ten rows do not bound p95, five bound p50, and a note says so", () => {
    const asked = { aggregates: [percentile(50), percentile(95)] };
    const { intervals, barNotes, rows } = ask(
      asked,
      rowsOf(10, 100, (i) => 10_000 + i * 5),
    );
    expect(rows[0]?.[1]).toBe(10_045);
    expect(intervals.p95).toEqual([null]);
    expect(barNotes).toEqual([
      {
        column: "p95",
        text: "No error bar is given: too few rows were kept beyond it.",
      },
    ]);
    const few = ask(
      { aggregates: [percentile(50)] },
      rowsOf(5, 100, (i) => 1_000 * (i + 1)),
    );
    const [low, high] = few.intervals.p50![0]!;
    // The smallest and the largest of the five: the median is beyond them once in 16 times.
    expect(low).toBeLessThanOrEqual(1_000);
    expect(low).toBeGreaterThan(980);
    expect(high).toBeGreaterThanOrEqual(5_000);
    expect(high).toBeLessThan(5_080);
    expect(
      ask(
        { aggregates: [percentile(50)] },
        rowsOf(4, 100, (i) => i),
      ).intervals.p50,
    ).toEqual([null]);
  });

  test("bars do not depend on how well some rows tell the spread of weights", () => {
    const rows = Array.from({ length: 3_000 }, (_, i) =>
      row("a", 1 + (i % 9), (i * 7919) % 10_007),
    );
    const altered = (factor: number) => (partial: PartialResult) => ({
      ...partial,
      sides: partial.sides.map((side) => ({
        ...side,
        states: side.states.map((state) =>
          state.kind === "spread"
            ? { ...state, sums: state.sums.map((sum) => sum * factor) }
            : state,
        ),
      })),
    });
    const asked = { aggregates: [percentile(50), percentile(90)] };
    const { intervals } = ask(asked, rows);
    const [low, high] = intervals.p50![0]!;
    // 0.5 ± 1.96 · √(Σw(w−1)/4) ÷ Σw: some 2.1 % of 10,007 to either side.
    expect(low).toBeGreaterThan(4_700);
    expect(low).toBeLessThan(4_850);
    expect(high).toBeGreaterThan(5_150);
    expect(high).toBeLessThan(5_300);
    for (const factor of [0.9, 1.1])
      expect(ask(asked, rows, altered(factor)).intervals).toEqual(intervals);
  });

  test("weights whose squares do not fit 32 bits have bars", () => {
    const rows = rowsOf(400, 1_000_000, (i) => (i * 7919) % 10_007);
    const saturated = (partial: PartialResult): PartialResult => ({
      ...partial,
      sides: partial.sides.map((side) => ({
        ...side,
        states: side.states.map((state, i) =>
          state.kind === "histogram" && state.form !== "packed" && state.subBits === 3
            ? {
                ...state,
                weights: Float64Array.from(state.weights, (sum) => (sum / 1e12) * (2 ** 32 - 1)),
              }
            : (side.states[i] ?? state),
        ),
      })),
    });
    const asked = { aggregates: [percentile(50)] };
    expect(ask(asked, rows, saturated).intervals).toEqual(ask(asked, rows).intervals);
  });

  test("values that many rows share have none, and what is shown lies in every bar", () => {
    const asked = { aggregates: [percentile(50), percentile(90)] };
    const alike = ask(
      asked,
      rowsOf(100, 10, (i) => (i % 10 < 3 ? 1 : 0)),
    );
    expect(alike.intervals).toEqual({ p50: [null], p90: [null] });
    expect(alike.barNotes[0]?.text).toContain("too few different values");
    // Most in one bucket of the histogram, 9,984 to 10,111: their places within it are unknown.
    const same = ask(
      asked,
      rowsOf(1_000, 10, (i) => (i % 100 < 2 ? 20_000 * (i % 2) : 10_000)),
    );
    expect(same.intervals.p50).toEqual([[9_984, 10_111]]);
  });
});

describe("sums and averages of sampled rows", () => {
  const sums = {
    aggregates: [
      { fn: "sum", column: "x" },
      { fn: "avg", column: "x" },
    ],
  } as const;

  test("have none of few rows, with a note, and reach farther to the side of large values", () => {
    const skewed = (i: number): number => Math.round(1_000 * Math.exp(2 * ((i + 0.5) / 40) ** 3));
    const few = ask(sums, rowsOf(20, 10, skewed));
    expect(few.intervals).toEqual({ sum_x: [null], avg_x: [null] });
    expect(few.barNotes.map(({ column }) => column)).toEqual(["sum_x", "avg_x"]);
    const { intervals, rows } = ask(sums, rowsOf(40, 10, skewed));
    for (const [i, name] of ["sum_x", "avg_x"].entries()) {
      const [low, high] = intervals[name]![0]!;
      const shown = Number(rows[0]![i]);
      expect((high - shown) / (shown - low), name).toBeGreaterThan(1.3);
      expect((high - shown) / (shown - low), name).toBeLessThan(3);
    }
  });

  test("of equal values a sum errs as the count does, and an average has none", () => {
    const { intervals } = ask(
      { aggregates: [{ fn: "count" }, ...sums.aggregates] },
      rowsOf(100, 10, () => 7),
    );
    const [low, high] = intervals.count![0]!;
    const [sumLow, sumHigh] = intervals.sum_x![0]!;
    expect(Math.abs(sumLow - 7 * low)).toBeLessThan(8);
    expect(Math.abs(sumHigh - 7 * high)).toBeLessThan(8);
    expect(intervals.avg_x).toEqual([null]);
  });
});

test("what is exact among estimates has a bar without width; where all is, there are none", () => {
  const asked = { groupBy: ["g"], aggregates: [{ fn: "count" }, percentile(50)] } as const;
  const exact = rowsOf(20, 1, (i) => i, "b");
  const { barOf } = ask(asked, [...rowsOf(100, 10, (i) => i * 1_000), ...exact]);
  expect(barOf("count", "b")).toEqual([20, 20]);
  expect(barOf("p50", "b")).toEqual([9, 9]);
  expect(barOf("count", "a")![1]).toBeGreaterThan(1_100);
  expect(ask(asked, exact).intervals).not.toHaveProperty("count");
});

describe("shares of sampled rows", () => {
  const over = (above: string, below: string) =>
    ({ fn: "/", args: [{ column: above }, { column: below }] }) as const;
  const query: Partial<Query> = {
    aggregates: [
      { fn: "count" },
      { fn: "count", column: "y", as: "ys" },
      { fn: "sum", column: "y" },
    ],
    calculate: [
      { as: "share", expression: over("ys", "count") },
      { as: "percent", expression: { fn: "*", args: [{ value: 100 }, over("ys", "count")] } },
      {
        as: "percent of",
        expression: {
          fn: "/",
          args: [{ fn: "*", args: [{ value: 100 }, { column: "ys" }] }, { column: "count" }],
        },
      },
      { as: "one", expression: { value: 1 } },
      { as: "mean", expression: over("sum_y", "ys") },
      { as: "each", expression: over("count", "ys") },
    ],
  };
  const rows = (count: number, withY: number): OracleRow[] =>
    Array.from({ length: count }, (_, i) =>
      row("a", 1_000, 1, i < withY ? { y: 5 + (i % 7) } : {}),
    );

  test("are score intervals, also in percent and of no row", () => {
    const { intervals } = ask(query, rows(100, 30));
    // Wilson's, of 30 of 100.
    expect(intervals.share![0]![0]).toBeCloseTo(0.2189, 3);
    expect(intervals.share![0]![1]).toBeCloseTo(0.3958, 3);
    expect(intervals.percent![0]![1]).toBeCloseTo(100 * intervals.share![0]![1], 9);
    expect(intervals["percent of"]).toEqual(intervals.percent);
    expect(intervals).not.toHaveProperty("one");
    const nothing = ask(query, rows(10, 0));
    expect(nothing.intervals.share![0]![0]).toBeCloseTo(0, 9);
    expect(nothing.intervals.share![0]![1]).toBeCloseTo(0.2775, 3);
  });

  test("a sum over its count errs as the average; other pairs have a note", () => {
    const { intervals } = ask(
      { ...query, aggregates: [...query.aggregates!, { fn: "avg", column: "y" }] },
      rows(200, 120),
    );
    expect(intervals.mean![0]![0]).toBeCloseTo(intervals.avg_y![0]![0], 9);
    expect(intervals.mean![0]![1]).toBeCloseTo(intervals.avg_y![0]![1], 9);
    expect(intervals.each).toEqual([null]);
  });
});

describe("a comparison with few rows on one side", () => {
  const around = ["b", "c", "d"].flatMap((g) => [
    ...rowsOf(20, 190, (i) => i, g),
    ...Array.from({ length: 20 }, (_, i) => row(g, 190, i, { isBase: true })),
  ]);
  const compared = {
    groupBy: ["g"],
    aggregates: [{ fn: "count" }, { fn: "sum", column: "x" }],
    compare: { offset: "1m" },
  } as const;

  test("one row of small weight is bounded by the weights around it", () => {
    const { barOf, cellOf } = ask(compared, [
      ...around,
      row("a", 10, 1),
      row("a", 10, 1, { isBase: true }),
    ]);
    expect(cellOf("count.compare", "a")).toBe(10);
    const [low, high] = barOf("count.compare", "a")!;
    expect(low).toBeGreaterThanOrEqual(1);
    expect(low).toBeLessThanOrEqual(10);
    // By itself it would end at 53; of 3 · 190 events none may have been kept.
    expect(high).toBeGreaterThan(3 * 190);
    expect(high).toBeLessThan(5 * 190);
    const [deltaLow, deltaHigh] = barOf("count.delta", "a")!;
    expect(deltaLow).toBeLessThan(-500);
    expect(deltaHigh).toBeGreaterThan(500);
    expect(barOf("count.delta_pct", "a")).toBeNull();
  });

  test("no row is no sure 0, and the difference says so", () => {
    const { barOf, cellOf, barNotes } = ask(compared, [...around, row("a", 190, 1)]);
    expect([cellOf("count.compare", "a"), cellOf("count.delta", "a")]).toEqual([0, 190]);
    // 1.96² · 189: with that many events none is kept once in 40 times, or so.
    expect(barOf("count.compare", "a")).toEqual([0, 727]);
    const [low, high] = barOf("count.delta", "a")!;
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(800);
    expect(barNotes.map(({ column }) => column)).toContain("sum_x");
    const gone = ask(compared, [...around, row("a", 190, 1, { isBase: true })]);
    expect(gone.cellOf("count.delta_pct", "a")).toBe(-100);
    expect(gone.barOf("count", "a")).toEqual([0, 727]);
    expect(gone.barOf("count.delta", "a")![1]).toBeGreaterThan(0);
    // Its base may be off by more than half of itself.
    expect(gone.barOf("count.delta_pct", "a")).toBeNull();
    const many = Array.from({ length: 400 }, (_, i) => row("a", 190, i, { isBase: true }));
    const [pctLow, pctHigh] = ask(compared, [...around, ...many]).barOf("count.delta_pct", "a")!;
    expect(pctLow).toBeCloseTo(-100, 6);
    expect(pctHigh).toBeCloseTo(-100 + (100 * 727) / (400 * 190), 1);
  });

  test("a side without any rows is bounded by the other one", () => {
    const { barOf } = ask(
      compared,
      rowsOf(50, 190, (i) => i, "a"),
    );
    expect(barOf("count.compare", "a")).toEqual([0, 727]);
  });

  test("where every row stands for itself, 0 is exact", () => {
    const plain = ["a", "b"].flatMap((g) => rowsOf(20, 1, (i) => i, g));
    expect(ask(compared, [...plain, row("b", 1, 1, { isBase: true })]).intervals).toEqual({});
  });

  test("groups of one rate each are not doubted for others' rates", () => {
    const own = rowsOf(40, 2, (i) => i, "a");
    const alone = ask(compared, own).barOf("count", "a");
    expect(ask(compared, [...around, ...own]).barOf("count", "a")).toEqual(alone);
  });
});
