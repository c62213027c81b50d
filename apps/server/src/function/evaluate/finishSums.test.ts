import { expect, it } from "vitest";
import type { TypedExpression } from "../term/typedExpression.js";
import { finishSums, numberTag } from "./finishSums.js";

const parts = [
  { name: "sum", factors: [0] },
  { name: "count", factors: [] },
];
const input = (index: number): TypedExpression => ({
  ...{ kind: "input", index, type: "number", decimals: 0 },
});
const average: TypedExpression = {
  ...{ kind: "call", fn: "js /", type: "number", decimals: 0 },
  args: [input(0), input(1)],
};
const state = (sum: unknown, count: unknown) => JSON.stringify({ count, sum });

it("adds the states of a group part by part, and finishes each group by itself", () => {
  const groups = [[state(1, 2), state(5, 1)], [state(7, 7)]];
  expect(finishSums(groups, parts, average)).toEqual([2, 1]);
});

it("begins with zeros where a group has no state", () => {
  const sum: TypedExpression = input(0);
  expect(finishSums([[]], parts, sum)).toEqual([0]);
});

it("gives no value for what is no finite number", () => {
  expect(finishSums([[state(1, 0)], [state(0, 0)], []], parts, average)).toEqual([
    null,
    null,
    null,
  ]);
});

it("gives one zero, whatever its sign was", () => {
  expect(Object.is(finishSums([[state(-0, 1)]], parts, input(0))[0], 0)).toBe(true);
});

it("reads numbers that JSON cannot say", () => {
  const infinite = { [numberTag]: "-Infinity" };
  expect(finishSums([[state(1, infinite)]], parts, average)).toEqual([0]);
});

it("refuses a state whose part is no number", () => {
  expect(() => finishSums([[state("1", 1)]], parts, average)).toThrow(/no number/);
});
