import { expect, test } from "vitest";
import { visibleStep } from "./visibleStep.js";

const step = { afterMs: 60_000, keepOneIn: 2 };

test.each([
  [{ ...step }, step],
  [
    { ...step, key: "user" },
    { ...step, key: "user" },
  ],
  [{ ...step, key: "secret" }, step],
  [
    { ...step, groups: ["a", "secret"], keepAtLeast: 5 },
    { ...step, groups: ["a"], keepAtLeast: 5 },
  ],
  [{ ...step, groups: ["secret"], keepAtLeast: 5 }, step],
])("%j without hidden columns", (whole, seen) => {
  expect(visibleStep(whole, ["secret"])).toEqual(seen);
});
