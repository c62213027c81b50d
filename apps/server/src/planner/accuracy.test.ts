import { expect, test } from "vitest";
import { Accuracy } from "./accuracy.js";

test("the median and the quartiles of measured ÷ predicted, over the last queries", () => {
  const accuracy = new Accuracy();
  expect(accuracy.report).toBeNull();
  accuracy.note(0, 5);
  expect(accuracy.report).toBeNull();
  for (const measured of [8, 12, 10, 50, 9]) accuracy.note(10, measured);
  expect(accuracy.report).toEqual({ queries: 5, median: 1, low: 0.9, high: 1.2 });
  for (let i = 0; i < 64; i++) accuracy.note(10, 20);
  expect(accuracy.report).toEqual({ queries: 64, median: 2, low: 2, high: 2 });
});
