import { expect, test } from "vitest";
import { keptText, lagText, rateText } from "./tableText.js";

test("the retention of a table in words", () => {
  expect(keptText({ maxAgeMs: 604_800_000, maxBytes: 2 ** 31 })).toBe("7 days, 2 GiB");
  expect(keptText({ maxAgeMs: null, maxBytes: null })).toBe("while there is room");
});

test.each([
  [-120_000, "in 2 min"],
  [-300, "now"],
  [3_400, "3 s ago"],
  [90_000_000, "1 d ago"],
  [null, "–"],
])("lag of %s ms is %s", (lagMs, text) => expect(lagText(lagMs)).toBe(text));

test.each([
  [null, "…"],
  [0, "–"],
  [0.26, "0.3 /s"],
  [9.96, "10 /s"],
  [1_234, "1.23 k /s"],
])("a rate of %s rows is %s", (rate, text) => expect(rateText(rate)).toBe(text));
