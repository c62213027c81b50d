import { expect, test } from "vitest";
import { normal95, studentT95 } from "./studentT.js";

test.each([
  [1, 12.7062],
  [2, 4.30265],
  [3, 3.18245],
  [4, 2.77645],
  [5, 2.57058],
  [10, 2.22814],
  [30, 2.04227],
  [120, 1.97993],
  [Number.POSITIVE_INFINITY, 1.95996],
])("of %d degrees of freedom 95 %% lie within %d", (df, t) => {
  expect(studentT95(df)).toBeCloseTo(t, 3);
});

test("the more degrees the narrower, fractions of them included; never narrower than normal", () => {
  let before = Number.POSITIVE_INFINITY;
  for (let df = 1; df < 200; df *= 1.01) {
    const t = studentT95(df);
    expect(t).toBeLessThan(before * 1.0001);
    expect(t).toBeGreaterThan(normal95 - 1e-6);
    before = t;
  }
});
