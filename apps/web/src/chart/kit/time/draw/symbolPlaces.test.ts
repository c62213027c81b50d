import { expect, test } from "vitest";
import { symbolPlaces } from "./symbolPlaces.js";

test("symbols are on known points, far enough apart to be distinguished", () => {
  const xs = Array.from({ length: 40 }, (_, i) => i * 10);
  const points = xs.map((_, i) => (i < 3 || (i > 8 && i < 16) ? null : i));
  expect(symbolPlaces(xs, points)).toEqual([3, 16, 22, 28, 34]);
  // On a screen of twice as many pixels all are twice as far.
  expect(
    symbolPlaces(
      xs.map((x) => 2 * x),
      points,
      2,
    ),
  ).toEqual([3, 16, 22, 28, 34]);
  expect(symbolPlaces(xs, [null, null])).toEqual([]);
});
