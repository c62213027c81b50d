import type { Completeness } from "@hadal/sdk";
import { expect, test } from "vitest";
import { isOfSameLeaves } from "./sameLeaves.js";

const completeness = (fraction: number, missing: string[] = []): Completeness => ({
  fraction,
  rowsExpected: 1000,
  rowsAnswered: 1000 * fraction,
  leaves: { answered: 2 - missing.length, total: 2, missing },
});

test("one result is a share of another if the same leaves answered both", () => {
  const whole = completeness(1);
  const [first, second] = ["leaf-1", "leaf-2"].map((leaf) => completeness(0.5, [leaf]));
  expect(isOfSameLeaves(whole, completeness(0.9))).toBe(true);
  expect(isOfSameLeaves(first!, completeness(0.5002, ["leaf-1"]))).toBe(true);
  // Before it was silent it had answered more of one question than of the other.
  expect(isOfSameLeaves(first!, completeness(0.6, ["leaf-1"]))).toBe(false);
  const [little, less] = [0.003, 0.0025].map((fraction) => completeness(fraction, ["leaf-1"]));
  expect(isOfSameLeaves(little!, less!)).toBe(false);
  expect(isOfSameLeaves(whole, first!)).toBe(false);
  expect(isOfSameLeaves(first!, whole)).toBe(false);
  expect(isOfSameLeaves(first!, second!)).toBe(false);
});
