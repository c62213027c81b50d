import { expect, test } from "vitest";
import { exactNumber } from "./exactNumber.js";

test.each<[number | string, number | string]>([
  [12.5, 12.5],
  ["-3", -3],
  [2 ** 53, "9007199254740992"],
  [-9.2e18, "-9200000000000000000"],
  ["9007199254740993", "9007199254740993"],
  ["1e18", "1000000000000000000"],
])("%s goes into a query as %s", (written, wanted) => {
  expect(exactNumber(written)).toBe(wanted);
});
