import type { ResultRow } from "@hadal/sdk";
import { expect, test } from "vitest";
import { inputOf, minute, resultOf, t0 } from "../../testing/overTime.js";
import { numberText } from "../groups/numberText.js";
import { buildSeries, type ChartInput, type ChartMeasure, countMeasure } from "./series.js";
import { type Bound, type GroupTotal, totalsOfResult, totalsOfSeries } from "./totals.js";

test("totals of an answer that was cut are bounds; a sum of what came says nothing", () => {
  const truncated = { groups: 5 };
  const cutRows: ResultRow[] = [
    [t0, "cart", 10, 900],
    [t0 + minute, "cart", 30, 1100],
    [t0 + 2 * minute, "cart", 7, 1],
  ];
  const input = inputOf({ ...resultOf(cutRows), truncated });
  const as = (total: ChartMeasure["total"]) => ({
    ...input,
    measures: [{ ...countMeasure, total }],
  });
  const totalOf = (one: ChartInput, asked: GroupTotal[] = []) => {
    const [total] = totalsOfSeries(buildSeries(one), one, asked);
    return [total?.values[0], total?.bounds?.[0]];
  };
  expect(totalOf(as("count"))).toEqual([40, "least"]);
  expect(totalOf(as("max"))).toEqual([30, "least"]);
  expect(totalOf(as("min"))).toEqual([10, "most"]);
  expect(totalOf(as("sum"))).toEqual([null, null]);
  expect(totalOf(as(null))).toEqual([null, null]);
  // What was asked for without buckets was not cut.
  const whole = totalsOfResult(resultOf([[t0, "cart", 99, 1]]), input);
  expect(totalOf(as("count"), whole)).toEqual([99, null]);
  expect(totalOf(as("sum"), whole)).toEqual([99, null]);
  const uncut = inputOf(resultOf(cutRows));
  expect(totalOf(uncut)).toEqual([47, undefined]);
});

test("a bound is marked as one, and two bounds have no change", () => {
  const compared = resultOf([[t0, "cart", 1_200, 1_000, 1, 1]], { compared: true });
  const [total] = totalsOfResult(compared, inputOf(compared, true));
  if (total === undefined) throw new Error("no total");
  const textOf = (bound: Bound | null) =>
    (["value", "compare", "delta", "delta_pct"] as const).map((part) =>
      numberText(
        { ...total, bounds: [bound] },
        { m: 0, part },
        { measures: [countMeasure], form: "exact" },
      ),
    );
  expect(textOf(null)).toEqual(["1\u202f200", "1\u202f000", "+200", "+20 %"]);
  expect(textOf("least")).toEqual(["≥ 1\u202f200", "≥ 1\u202f000", "–", "–"]);
  expect(textOf("most")).toEqual(["≤ 1\u202f200", "≤ 1\u202f000", "–", "–"]);
});
