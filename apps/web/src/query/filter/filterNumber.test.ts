import type { ColumnInfo } from "@hadal/sdk";
import { expect, test } from "vitest";
import { readNumber } from "./filterNumber.js";
import { makeFilter } from "./operators.js";

const column = (unit?: string, decimals = 0): ColumnInfo => ({
  ...{ name: "n", type: "int", decimals, rows: 1, bytes: 1, compressionRatio: null },
  ...(unit !== undefined && { unit }),
});

test.each<[string | undefined, number, string, number | string | null]>([
  ["us", 0, "250ms", 250_000],
  ["us", 0, "1.5 ms", 1_500],
  ["us", 0, "2h", 7_200_000_000],
  ["ms", 0, "1.5us", null],
  ["ms", 3, "1.5us", null],
  ["ms", 4, "1.5us", 0.0015],
  ["s", 0, "90m", 5_400],
  ["bytes", 0, "10MB", 10_000_000],
  ["bytes", 0, "10 MiB", 10_485_760],
  ["bytes", 0, "1.5kb", 1_500],
  ["bytes", 0, "5ms", null],
  ["percent", 0, "50%", 50],
  ["percent", 0, "50ms", null],
  [undefined, 0, "5k", 5_000],
  [undefined, 0, "1.5M", 1_500_000],
  [undefined, 0, "5ms", null],
  [undefined, 0, "5m", null],
  [undefined, 0, "-7", -7],
  [undefined, 0, "-0", 0],
  [undefined, 2, "1.50", 1.5],
  [undefined, 0, "1.5", null],
  [undefined, 0, "9007199254740993", "9007199254740993"],
  [undefined, 0, "constructor", null],
  ["us", 0, "5constructor", null],
])("of a column in %s with %d decimals, %s is %s", (unit, decimals, text, value) => {
  expect(readNumber(column(unit, decimals), text)).toBe(value);
});

test("a comparison that is typed for a value counts", () => {
  const value = { ok: true, filter: { column: "n", op: ">=", value: 500_000 } };
  expect(makeFilter(column("us"), "=", [">= 500ms"])).toEqual(value);
  expect(makeFilter({ ...column(), type: "string" }, "=", [">=5"])).toMatchObject({
    filter: { op: "=", value: ">=5" },
  });
});
