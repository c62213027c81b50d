import type { Query } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { isUnsure } from "../../kit/answer/difference.js";
import { inputOf, resultOf } from "../../testing/answers.js";
import { percentileMeasure, percentileSeries, percentileTotals } from "./build.js";

const query: Query = {
  table: "requests",
  from: 0,
  to: 240_000,
  aggregates: [50, 75, 95].map((p) => ({ fn: "percentile", column: "latency_us", p })),
};
const names = ["p50_latency_us", "p75_latency_us", "p95_latency_us"];

describe("percentiles over time", () => {
  test("a line each, the highest first, gaps are gaps", () => {
    const result = resultOf(
      ["time", ...names],
      [
        [0, 1, 2, 9],
        [120_000, 3, 4, 8],
      ],
    );
    const { series, timesMs } = percentileSeries(inputOf(result), query);
    expect(timesMs).toEqual([0, 60_000, 120_000, 180_000]);
    expect(series.map(({ label, values }) => [label, values[0]])).toEqual([
      ["p95", [9, null, 8, null]],
      ["p75", [2, null, 4, null]],
      ["p50", [1, null, 3, null]],
    ]);
    expect(percentileMeasure(query, result)).toMatchObject({
      label: "latency_us",
      measure: { unit: "us" },
    });
  });
  test("side B is drawn of the middle and the tail only", () => {
    const compared = names.flatMap((name) => [name, `${name}.compare`]);
    const result = resultOf(["time", ...compared], [[0, 1, 10, 2, 20, 9, 90]]);
    const { series } = percentileSeries(inputOf(result), query);
    expect(series.map(({ compare }) => compare?.[0]?.[0])).toEqual([90, undefined, 10]);
  });
  test("a change within the error bars of a percentile's two sides may be none", () => {
    const compared = names.flatMap((name) => [name, `${name}.compare`]);
    const intervals = {
      p50_latency_us: [[0, 12]],
      "p50_latency_us.compare": [[8, 11]],
      p95_latency_us: [[8, 10]],
      "p95_latency_us.compare": [[80, 95]],
    } as const;
    const result = resultOf(["time", ...compared], [[0, 1, 10, 2, 20, 9, 90]], { intervals });
    const { series } = percentileSeries(inputOf(result), query);
    const unsure = series.map(({ differences }) => {
      const difference = differences?.[0]?.[0] ?? null;
      return difference === null ? null : isUnsure(difference);
    });
    expect(unsure).toEqual([false, null, true]);
  });
  test("the legend has the whole range, with error bars", () => {
    const totals = resultOf([...names, "p50_latency_us.compare"], [[1, 2, 9, 5]], {
      intervals: { p95_latency_us: [[8, 10]], "p50_latency_us.delta": [[-6, 1]] },
    });
    const rows = percentileTotals(query, totals);
    expect(rows.map(({ label, values, compare }) => [label, values[0], compare[0]])).toEqual([
      ["p95", 9, null],
      ["p75", 2, null],
      ["p50", 1, 5],
    ]);
    expect(rows[0]?.intervals).toEqual([[8, 10]]);
    expect(rows[2]?.unsure).toEqual([true]);
    expect(percentileTotals(query, undefined)[0]?.values).toEqual([null]);
  });
});
