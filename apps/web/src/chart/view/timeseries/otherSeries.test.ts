import type { Result } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { buildSeries, countMeasure } from "../../kit/answer/series.js";
import { inputOf, resultOf } from "../../testing/answers.js";
import { p95 } from "../../testing/overTime.js";
import { otherSeries } from "./otherSeries.js";
import { sharesOfWhole } from "./shareOfWhole.js";

const columns = ["time", "group service", "count", "count.compare", "p95_latency_us"];
const rows = [
  [0, "web", 30, 10, 5],
  [0, "cart", 10, 30, 6],
  [60_000, "web", 5, 0, 7],
] as const;
const all = resultOf(
  ["time", "count", "count.compare", "p95_latency_us"],
  [
    [0, 50, 80, 5],
    [60_000, 5, 2, 7],
  ],
);
const inputWith = (truncated: Result["truncated"]) => ({
  ...inputOf(
    { ...resultOf(columns, rows), truncated },
    { toMs: 120_000, measures: [countMeasure, p95], compared: true },
  ),
});
const input = inputWith({ series: 2 });
const query = { groupBy: ["service"] };

describe("groups without a line of their own", () => {
  const set = buildSeries(input);
  const other = otherSeries(set, input, query, all);

  test("are what the lines leave of the whole, on both sides; what does not add up has none", () => {
    expect(other?.values).toEqual([
      [10, 0],
      [null, null],
    ]);
    expect(other?.compare?.[0]).toEqual([40, 2]);
    expect([other?.label, other?.group]).toEqual(["2 others", []]);
    expect(other?.noFilter).toContain("more series");
  });

  test("make shares end at 100", () => {
    if (other === null) throw new Error("there is no other");
    const shares = sharesOfWhole({ ...set, series: [...set.series, other] }, input, all);
    const sum = shares.series.reduce((total, { values }) => total + Number(values[0]?.[0]), 0);
    expect(sum).toBe(100);
  });

  test('are written as "at least" where their number is unknown', () => {
    const cut = inputWith({ series: 1, atLeast: true });
    expect(otherSeries(set, cut, query, all)?.label).toBe("≥ 1 others");
    expect(otherSeries(set, inputWith({ series: 1 }), query, all)?.label).toBe("1 other");
    const having = { ...query, having: [{ column: "count", op: ">", value: 3 }] } as const;
    expect(otherSeries(set, inputWith(null), having, all)?.label).toBe("others");
  });

  test("are none where the lines are all, overlap, or are of other leaves than the whole", () => {
    expect(otherSeries(set, inputWith(null), query, all)).toBeNull();
    expect(otherSeries(set, input, query, undefined)).toBeNull();
    expect(otherSeries(set, input, { groupBy: [{ element: "service" }] }, all)).toBeNull();
    const { completeness } = all;
    const leaves = { ...completeness.leaves, missing: ["leaf-1"] };
    const part = { ...all, completeness: { ...completeness, leaves } };
    expect(otherSeries(set, input, query, part)).toBeNull();
  });

  test("rows that arrived after the lines were counted are not part of the rest", () => {
    const later = resultOf(["time", "count", "count.compare", "p95_latency_us"], [[0, 39, 40, 5]]);
    expect(otherSeries(set, input, query, later)?.values[0]).toEqual([0, 0]);
  });
});
