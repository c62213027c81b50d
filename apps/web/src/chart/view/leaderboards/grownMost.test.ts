import { expect, test } from "vitest";
import type { GroupTotal } from "../../kit/answer/totals.js";
import { grownMost, isByShare } from "./grownMost.js";

const total = (label: string, now: number | null, was: number | null): GroupTotal => ({
  ...{ key: label, group: [], label, values: [now], compare: [was] },
  ...{ intervals: [], unsure: [] },
});
const order = (...input: Parameters<typeof grownMost>): string[] =>
  grownMost(...input).map(({ label }) => label);

test("the largest growth comes first, by difference", () => {
  const totals = [total("a", 100, 90), total("new", 50, null), total("gone", null, 20)];
  expect(order(totals, { now: 150, was: 110 })).toEqual(["new", "a", "gone"]);
  expect(order(totals, null)).toEqual(["new", "a", "gone"]);
});

test("where all fell, it is what lost least of its share, not what is small", () => {
  const whole = { now: 500, was: 1_000 };
  // Of the whole: large 50 → 60 %, tiny 0.1 → 0.02 %, half 49.9 → 40 %.
  const totals = [total("half", 200, 499), total("tiny", 0.1, 1), total("large", 300, 500)];
  expect(isByShare(whole)).toBe(true);
  expect(order(totals, whole)).toEqual(["large", "tiny", "half"]);
});

test("a board has eight lines", () => {
  const totals = Array.from({ length: 30 }, (_, i) => total(`v${i}`, i, 0));
  expect(order(totals, null)).toEqual(["v29", "v28", "v27", "v26", "v25", "v24", "v23", "v22"]);
});
