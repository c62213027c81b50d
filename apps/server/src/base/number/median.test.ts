import { expect, test } from "vitest";
import { median } from "./median.js";

test.each([
  [[3], 3],
  [[1, 9], 5],
  [[9, 1, 2], 2],
])("median of %j is %d", (values, expected) => {
  expect(median(values)).toBe(expected);
});
