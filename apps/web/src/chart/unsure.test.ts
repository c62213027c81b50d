import { expect, test } from "vitest";
import { resultOf } from "./testing/answers.js";
import { isUnsure } from "./unsure.js";

const columns = ["p95", "p95.compare", "p95.delta"];
const answer = (now: number | null, was: number | null, intervals = {}) =>
  resultOf(columns, [[now, was, null]], { intervals });

test("a difference is unsure when its own error bar holds none", () => {
  expect(isUnsure(answer(110, 100, { "p95.delta": [[-5, 25]] }), "p95", 0)).toBe(true);
  expect(isUnsure(answer(110, 100, { "p95.delta": [[5, 15]] }), "p95", 0)).toBe(false);
});

test("without one of its own the error bars of its sides that face each other say it", () => {
  const sides = { p95: [[104, 200]], "p95.compare": [[10, 108]] };
  // 6 below and 8 above: together 10.
  expect(isUnsure(answer(110, 100, sides), "p95", 0)).toBe(true);
  expect(isUnsure(answer(111, 100, { ...sides, p95: [[105, 200]] }), "p95", 0)).toBe(false);
  const falls = { p95: [[10, 108]], "p95.compare": [[104, 200]] };
  expect(isUnsure(answer(100, 110, falls), "p95", 0)).toBe(true);
});

test("exact numbers and missing ones are not unsure", () => {
  expect(isUnsure(answer(100, 100, {}), "p95", 0)).toBe(false);
  expect(isUnsure(answer(100, null, { p95: [[0, 200]] }), "p95", 0)).toBe(false);
  expect(isUnsure(answer(120, 100, { p95: [[90, 150]] }), "p95", 0)).toBe(true);
});
