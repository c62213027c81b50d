import { expect, test } from "vitest";
import { spanOf, sparkPath } from "./sparkPath.js";

test("gaps stay gaps, and a lone point is a short dash", () => {
  expect(sparkPath([0, 10, null, 5], { low: 0, high: 10, width: 30, height: 10 })).toBe(
    "M0.0 10.0L10.0 0.0M30.0 5.0h1",
  );
  expect(sparkPath([7], { low: 7, high: 7, width: 30, height: 10 })).toBe("M0.0 10.0h1");
});

test("lines reach from 0 or below to their highest point, however many points they have", () => {
  const long = Array.from({ length: 200_000 }, (_, i) => i);
  expect(spanOf([long, [null, -5]])).toEqual({ low: -5, high: 199_999 });
  expect(spanOf([[3, null], []])).toEqual({ low: 0, high: 3 });
  expect(spanOf([[null], []])).toBeNull();
});
