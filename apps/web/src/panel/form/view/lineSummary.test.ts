import { expect, test } from "vitest";
import { plainAxis, readLineOptions } from "../../../chart/kit/legend/lineOptions.js";
import { isAbove, isBelow, lineSummary } from "./lineSummary.js";

const plain = readLineOptions({});
const count = [{ name: "count" }];

test("the summary names the chosen options, or the control", () => {
  expect(lineSummary(plain, count)).toBe("scale and lines");
  const axes = new Map([["count", { ...plainAxis, isLog: true, max: 5, thresholds: [3] }]]);
  expect(lineSummary({ ...plain, isBars: true, averageOf: 5, axes }, count)).toBe(
    "bars, average of 5, log scale, fixed axis, thresholds",
  );
});

test("options of an axis that is not shown are not in the summary", () => {
  const axes = new Map([["p95", { ...plainAxis, isLog: true }]]);
  expect(lineSummary({ ...plain, axes }, count)).toBe("scale and lines");
});

test("the ends of an axis are numbers in their order", () => {
  expect([isBelow(1, 2), isBelow(2, 2), isBelow(null, 2), isBelow(5, null)]).toEqual([
    ...[true, false, false, true],
  ]);
  expect([isAbove(2, 1), isAbove(1, 1), isAbove(null, 1), isAbove(5, null)]).toEqual([
    ...[true, false, false, true],
  ]);
});
