import { expect, test } from "vitest";
import { backoffMs } from "./backoff.js";

test.each([
  [0, 0, 100],
  [0, 0.5, 150],
  [1, 0, 200],
  [3, 0, 800],
  [4, 0, 1_000],
  [500, 0.999, 1_999],
])("attempt %s with chance %s waits %s ms", (attempt, random, expected) => {
  expect(backoffMs({ firstMs: 200, lastMs: 2_000 }, attempt, random)).toBeCloseTo(expected, 0);
});
