import { expect, test } from "vitest";
import { keptText, lagText, rateText, samplesText, visibleText } from "./tableText.js";

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

test("how soon rows are visible, and how that is known", () => {
  const visible = { p50Ms: 420, p99Ms: 1_300, samples: 40, unseen: 0 };
  expect([visibleText(visible), visibleText(undefined)]).toEqual(["420 ms · 1.3 s", "–"]);
  const none = { p50Ms: null, p99Ms: null, samples: 0, unseen: 2 };
  expect(visibleText(none)).toBe("not found");
  expect(samplesText({ ...visible, samples: 1 })).toBe("the latest 1 sampled row");
  expect(samplesText(none)).toContain("2 were not found within a minute");
});
