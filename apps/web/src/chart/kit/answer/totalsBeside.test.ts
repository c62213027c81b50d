import { expect, test } from "vitest";
import { inputOf, resultOf } from "../../testing/answers.js";
import { totalsBeside } from "./totalsBeside.js";

const input = inputOf(resultOf(["group service", "count"], [["web", 60]]), {
  groupColumns: ["service"],
});

test("what all rows come to stands beside groups that the same leaves counted", () => {
  const [whole] = totalsBeside(resultOf(["count"], [[100]]), input, []) ?? [];
  expect([whole?.label, whole?.values]).toEqual(["all rows", [100]]);
});

test("there is none before it has come, nor of other leaves: shares of it would be wrong", () => {
  expect(totalsBeside(undefined, input, [])).toBeNull();
  const leaves = { answered: 0, total: 1, missing: ["leaf-1"] };
  const completeness = { ...input.result.completeness, leaves };
  expect(totalsBeside(resultOf(["count"], [[50]], { completeness }), input, [])).toBeNull();
});
