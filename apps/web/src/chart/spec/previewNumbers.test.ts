import type { Result } from "@hadal/sdk";
import { expect, test } from "vitest";
import { previewNumbers } from "./previewNumbers.js";

const answer = (
  names: readonly [name: string, role: string][],
  rows: readonly unknown[][],
): Result =>
  ({
    columns: names.map(([name, role]) => ({ name, role, type: "int" })),
    rows,
  }) as unknown as Result;

test("the first group over time, and what its groups have together", () => {
  const result = answer(
    [
      ["time", "group"],
      ["service", "group"],
      ["count", "aggregate"],
    ],
    [
      [2, "web", 5],
      [1, "api", 9n],
      [1, "web", 3],
      [2, "api", null],
      [2, "cart", "NaN"],
    ],
  );
  expect(previewNumbers(result)).toEqual({ line: [3, 5], groups: [9, 8] });
});

test("an answer without times has no line, one without numbers nothing", () => {
  const groups: [string, string][] = [
    ["service", "group"],
    ["count", "aggregate"],
  ];
  const rows = Array.from({ length: 9 }, (_, i) => [`s${i}`, i]);
  expect(previewNumbers(answer(groups, rows))).toEqual({ line: [], groups: [8, 7, 6, 5, 4, 3] });
  expect(previewNumbers(answer([["message", "sample"]], [["hi"]]))).toEqual({
    line: [],
    groups: [],
  });
});
