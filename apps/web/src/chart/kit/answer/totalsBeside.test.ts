import { expect, test } from "vitest";
import { inputOf, resultOf } from "../../testing/answers.js";
import { totalsBeside } from "./totalsBeside.js";

const input = inputOf(resultOf(["group service", "count"], [["web", 60]]), {
  groupColumns: ["service"],
});

test("totals of all rows are shown with groups that the same leaves counted", () => {
  const [whole] = totalsBeside(resultOf(["count"], [[100]]), input, []) ?? [];
  expect([whole?.label, whole?.values]).toEqual(["all rows", [100]]);
});

test("there is none before it arrives, nor from other leaves: shares of it would be wrong", () => {
  expect(totalsBeside(undefined, input, [])).toBeNull();
  const leaves = { answered: 0, total: 1, missing: ["leaf-1"] };
  const completeness = { ...input.result.completeness, leaves };
  expect(totalsBeside(resultOf(["count"], [[50]], { completeness }), input, [])).toBeNull();
});
