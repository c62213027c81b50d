import { expect, test } from "vitest";
import type { Result } from "../model/result.js";
import { decodeResult } from "./decodeResult.js";

const plain: Result = {
  columns: [{ name: "count", type: "int", role: "aggregate" }],
  rows: [[5]],
  completeness: {
    fraction: 1,
    rowsExpected: 1,
    rowsAnswered: 1,
    leaves: { answered: 1, total: 1, missing: [] },
  },
  intervals: {},
  asOf: 0,
  final: true,
  truncated: null,
  stats: {
    rowsScanned: 1,
    rowsMatched: 1,
    bytesScanned: 8,
    segments: 1,
    segmentsSkipped: 0,
    cache: "miss",
    elapsedMs: 1,
    scanMs: 1,
    mergeMs: 0,
  },
};

test("only text in columns of integers becomes BigInt; the rest stays as it came", () => {
  const result = {
    ...plain,
    columns: [
      { name: "id", type: "int", role: "group" },
      { name: "name", type: "string", role: "group" },
      { name: "price", type: "decimal", role: "aggregate", decimals: 2 },
    ] as const,
    rows: [
      ["9223372036854775807", "12", "90071992547409.93"],
      [5, "x", 1.5],
      [null, null, null],
      ["-9223372036854775808", "", null],
    ],
  };
  expect(decodeResult(result).rows).toEqual([
    [9_223_372_036_854_775_807n, "12", "90071992547409.93"],
    [5, "x", 1.5],
    [null, null, null],
    [-9_223_372_036_854_775_808n, "", null],
  ]);
  expect(result.rows[0]?.[0]).toBe("9223372036854775807");
});

test("a result without large integers is handed on as it is", () => {
  expect(decodeResult(plain)).toBe(plain);
});

test("bounds of a histogram's buckets become BigInts where a number would lose digits; fractions stay text", () => {
  const buckets = [
    [0, "9223372036854775808", 3],
    ["12345678901234567.5", "12345678901234568", 1],
  ];
  const columns = [{ name: "h", type: "histogram", role: "aggregate" }];
  const { rows } = decodeResult({ columns, rows: [[buckets], [null]] } as unknown as Result);
  expect(rows).toEqual([
    [
      [
        [0, 9_223_372_036_854_775_808n, 3],
        ["12345678901234567.5", 12_345_678_901_234_568n, 1],
      ],
    ],
    [null],
  ]);
});
