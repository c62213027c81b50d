import { expect, test } from "vitest";
import { filtersOfElement } from "../../kit/rows/elementFilter.js";
import { sparkPath } from "./Spark.js";

test("a sparkline has gaps where numbers are missing and stays within its box", () => {
  expect(sparkPath([0, 10, null, 5], 10)).toBe("M1 18.5L32.3 1.5M95 10");
  expect(sparkPath(["10"], 0)).toBe("M1 18.5");
  expect(sparkPath([], 0)).toBe("");
});

test("rows of an element have it in their list", () => {
  expect(filtersOfElement({ column: "tags", value: "beta" })).toEqual([
    { column: "tags", op: "includes any", value: ["beta"] },
  ]);
  expect(filtersOfElement({ column: "tags", value: null })).toEqual([
    { column: "tags", op: "is missing" },
  ]);
});
