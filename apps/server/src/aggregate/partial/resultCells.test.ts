import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { floorScaled, parseExactDecimal } from "../../base/number/decimalText.js";
import { createTableSchema } from "../../plan/schema/tableSchema.js";
import { finalizeResult } from "../finish/finalizeResult.js";
import { resolveQuery } from "../function/resolveQuery.js";
import { partialOfRows } from "../testing/partialOfRows.js";
import { decimalCell } from "./decimalCell.js";
import { numberCell } from "./resultCells.js";

describe("decimals", () => {
  test.each([
    [3_500_000, 6, 3.5],
    [2_345_678, 6, 2.345678],
    [-5, 6, -0.000005],
    [0, 2, 0],
    [999_999_999_999_999, 6, 999_999_999.999999],
    [2_000_000_000_000_000n, 6, 2_000_000_000],
    [12_530_670_039_544_200n, 3, 12_530_670_039_544.2],
    [1_234_567_890_123_456n, 6, "1234567890.123456"],
    [-9_223_372_036_854_775_808n, 2, "-92233720368547758.08"],
    [9_007_199_254_740_000_000n, 3, 9_007_199_254_740_000],
    [4_115_724_820_168_770_000n, 0, "4115724820168770000"],
    [9_223_372_036_854_775_807n, 20, "0.09223372036854775807"],
  ] as const)("%s with %d behind the point is %s", (scaled, decimals, shown) => {
    expect(decimalCell(scaled, decimals)).toBe(shown);
  });

  test("say the same digits, as a number or as text", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.nat(9), (scaled, d) => {
        // As JSON and CSV print it: the fewest digits that are this double.
        const exact = parseExactDecimal(String(decimalCell(scaled, d)));
        expect(exact && floorScaled(exact, d)).toEqual({ floor: scaled, exact: true });
      }),
    );
  });
});

test("integers beyond 2^53 stay exact", () => {
  expect(numberCell(2n ** 53n - 1n, "int", 0)).toBe(2 ** 53 - 1);
  expect(numberCell(2n ** 53n + 1n, "int", 0)).toBe(2n ** 53n + 1n);
  expect(numberCell(null, "int", 0)).toBeNull();
});

test("a comparison's columns follow their aggregate; the raw count stays beside its count", () => {
  const table = createTableSchema("t", [{ name: "latency_us", type: "int", decimals: 0 }]);
  const split = resolveQuery(
    {
      table: "t",
      from: 1_000,
      to: 2_000,
      groupBy: [{ time: "1s" }],
      aggregates: [
        { fn: "count" },
        { fn: "max", column: "latency_us" },
        { fn: "min", column: "time" },
      ],
      compare: { offset: "1s" },
    },
    table,
    0,
  );
  const rows = [
    { timeMs: 500, values: new Map([["latency_us", 40n]]) },
    { timeMs: 1_500, values: new Map([["latency_us", 50n]]) },
    { timeMs: 1_600, values: new Map() },
  ];
  const { columns, rows: found } = finalizeResult(partialOfRows(rows, split.resolved), split);
  expect(columns.map(({ name, type, unit }) => [name, type, unit])).toEqual([
    ["time", "time", undefined],
    ["count", "int", undefined],
    ["count.raw", "int", undefined],
    ["count.compare", "int", undefined],
    ["count.delta", "int", undefined],
    ["count.delta_pct", "float", "percent"],
    ["max_latency_us", "int", "us"],
    ["max_latency_us.compare", "int", "us"],
    ["max_latency_us.delta", "int", "us"],
    ["max_latency_us.delta_pct", "float", "percent"],
    ["min_time", "time", undefined],
    ["min_time.compare", "time", undefined],
    ["min_time.delta", "int", "ms"],
    ["min_time.delta_pct", "float", "percent"],
  ]);
  expect(found).toEqual([[1_000, 2, 2, 1, 1, 100, 50, 40, 10, 25, 1_500, 500, 1_000, 200]]);
});

test.each([
  [-5, -10, 50],
  [-20, -10, -100],
  [5, -10, 150],
  [-5, 10, -150],
  [5, 0, null],
])("a sum of %d that was %d has changed by %s percent of its size", (now, was, percent) => {
  const table = createTableSchema("t", [{ name: "x", type: "int", decimals: 0 }]);
  const split = resolveQuery(
    {
      ...{ table: "t", from: 1_000, to: 2_000, compare: { offset: "1s" } },
      aggregates: [{ fn: "sum", column: "x" }],
    },
    table,
    0,
  );
  const rows = [
    { timeMs: 500, values: new Map([["x", BigInt(was)]]) },
    { timeMs: 1_500, values: new Map([["x", BigInt(now)]]) },
  ];
  const { rows: found } = finalizeResult(partialOfRows(rows, split.resolved), split);
  expect(found).toEqual([[now, was, now - was, percent]]);
});
