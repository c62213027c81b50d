import { expect, test } from "vitest";
import type { StateColumn } from "../partial/partialResult.js";
import { limbsPerSquare } from "../state/squareState.js";
import type { OwnAggregate } from "./ownAggregate.js";
import { populationVariance, variance } from "./variance.js";

/** States of one group with these values, each of weight 1. */
function finish({ own }: OwnAggregate, ...values: readonly number[]): unknown {
  const sum = values.reduce((all, value) => all + value, 0);
  const squares = values.reduce((all, value) => all + value * value, 0);
  const limbs = new Uint32Array(limbsPerSquare);
  limbs[0] = squares;
  const states: StateColumn[] = [
    { kind: "squares", limbs },
    {
      kind: "sum",
      hi: Float64Array.of(Math.floor(sum / 2 ** 32)),
      lo: Float64Array.of(sum - Math.floor(sum / 2 ** 32) * 2 ** 32),
      weights: Float64Array.of(values.length),
    },
  ];
  const value = { kind: "own", fn: "var_samp", stateIndex: 0, stateIndexes: [0, 1] } as const;
  return own.finish(value, states, 0);
}

test("a sample's variance is over one value less than there are", () => {
  expect(finish(variance, 2, 4, 4, 4, 5, 5, 7, 9)).toBe(32 / 7);
  expect(finish(variance, -3, 3)).toBe(18);
  expect(finish(variance, 5)).toBeNull();
});

test("the variance of all there is is over all values", () => {
  expect(finish(populationVariance, 2, 4, 4, 4, 5, 5, 7, 9)).toBe(4);
  expect(finish(populationVariance, 5)).toBe(0);
  expect(finish(populationVariance)).toBeNull();
});
