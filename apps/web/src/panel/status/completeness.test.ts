import type { Result, ResultColumn, Truncated } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { isIncomplete, truncationWords, typicalError } from "./completeness.js";

describe("completeness", () => {
  const completeness = (fraction: number, missing: readonly string[] = []) => ({
    fraction,
    rowsExpected: 1000,
    rowsAnswered: 1000 * fraction,
    leaves: { answered: 2 - missing.length, total: 2, missing },
  });
  test("S81: amber from 99.5 % down, and whenever a leaf is missing", () => {
    expect([1, 0.996, 0.995, 0.5].map((f) => isIncomplete(completeness(f)))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(isIncomplete(completeness(1, ["leaf-2"]))).toBe(true);
  });
  test("the words count what was cut off", () => {
    const service: ResultColumn = { name: "service", type: "string", role: "group" };
    const time: ResultColumn = { name: "time", type: "time", role: "group" };
    const words = (truncated: Truncated | null, ...columns: ResultColumn[]) =>
      truncationWords({ truncated, columns });
    expect(words({ series: 31 }, time)).toBe("31 more series not shown");
    expect(words({ groups: 5 }, service)).toBe("5 more groups not shown");
    expect(words({ groups: 5, series: 2 }, time, service)).toBe(
      "5 more points, 2 more series not shown",
    );
    expect(words({ groups: 0 })).toBeNull();
    expect(words(null)).toBeNull();
  });
});

test("the typical error is the median error of the first estimated aggregate, weighted by its values", () => {
  const result = {
    columns: [
      { name: "service", type: "string", role: "group" },
      { name: "max_x", type: "int", role: "aggregate" },
      { name: "count", type: "int", role: "aggregate" },
      { name: "count.raw", type: "int", role: "aggregate" },
    ],
    rows: [
      ["a", 1, 100],
      ["b", 1, 1000],
      ["c", 1, 0],
      ["d", 1, 10],
    ],
    intervals: {
      "count.raw": [[1, 1_000_000]],
      count: [
        [90, 120],
        [999, 1001],
        [0, 5],
        [5, 15],
      ],
    },
  } as unknown as Result;
  expect(typicalError(result)).toBe(0.001);
  expect(typicalError({ ...result, intervals: {} })).toBeNull();
});
