import { expect, test } from "vitest";
import { buildSeries, countMeasure } from "../../kit/answer/series.js";
import { inputOf, resultOf } from "../../testing/answers.js";
import { shareMeasure, sharesOfWhole } from "./shareOfWhole.js";

test("shares are of all rows of a step, also those of groups without a line; what has no whole has no share", () => {
  const rows = [
    [0, "web", 30, 10],
    [0, "cart", 10, 30],
    [60_000, "web", 5, 0],
  ] as const;
  const all = [
    [0, 50, 80],
    [60_000, 5, 0],
  ] as const;
  const input = inputOf(resultOf(["time", "group service", "count", "count.compare"], rows), {
    toMs: 120_000,
  });
  const whole = resultOf(["time", "count", "count.compare"], all);
  const { series } = sharesOfWhole(buildSeries(input), input, whole);
  expect(series.map(({ label, values, compare }) => [label, values[0], compare?.[0]])).toEqual([
    ["web", [60, 100], [12.5, 0]],
    ["cart", [20, 0], [37.5, 0]],
  ]);
  const estimated = { ...input.result, intervals: { count: [[25, 35], null, null] } } as const;
  const estimates = { ...input, result: estimated };
  const shares = sharesOfWhole(buildSeries(estimates), estimates, whole).series;
  expect(shares[0]?.differences?.[0]?.[0]?.error).toBe("unknown");
  expect(series[0]?.differences?.[0]?.[0]?.error).toBe("exact");
  const { completeness } = whole;
  const leaves = { ...completeness.leaves, missing: ["leaf-1"] };
  const part = { ...whole, completeness: { ...completeness, fraction: 0.5, leaves } };
  expect(sharesOfWhole(buildSeries(input), input, part).series).toEqual([]);
  expect(shareMeasure(countMeasure)).toMatchObject({
    label: "count, % of all",
    measure: { unit: "percent" },
  });
});
