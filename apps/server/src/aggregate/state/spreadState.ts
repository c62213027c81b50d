import type { StateColumn } from "../partial/partialResult.js";
import { columnOf, expectCount, type StateKind } from "./stateKind.js";

type SpreadColumn = Extract<StateColumn, { readonly kind: "spread" }>;

/** Σ w(w−1)xⁿ for n = 0 to 3; where a state is of no column x is the weight, where it is of no values x is 1. */
export const sumsPerSpread = 4;
export const bytesPerSpread: number = 8 * sumsPerSpread;

export type Spread = readonly [ones: number, linear: number, square: number, cube: number];

/**
 * What the error of an estimate from sample rates is made of: a row with the sample rate w was kept with
 * probability 1/w, so that w·x stands for its value x with the variance w(w−1)x² (Horvitz and Thompson). The
 * cubes give the skew of that error.
 */
export const spreadState: StateKind = {
  create: (groupCount): SpreadColumn => ({
    kind: "spread",
    sums: new Float64Array(groupCount * sumsPerSpread),
  }),

  merge(inputs, groupCount): SpreadColumn {
    const merged = new Float64Array(groupCount * sumsPerSpread);
    for (const { column, groups } of inputs) {
      const { sums } = columnOf(column, "spread");
      for (let i = 0; i < groups.length; i++) {
        const into = groups[i]! * sumsPerSpread;
        for (let j = 0; j < sumsPerSpread; j++) merged[into + j]! += sums[i * sumsPerSpread + j]!;
      }
    }
    return { kind: "spread", sums: merged };
  },

  take(column, groups): SpreadColumn {
    const from = columnOf(column, "spread").sums;
    const sums = new Float64Array(groups.length * sumsPerSpread);
    for (let i = 0; i < groups.length; i++) {
      const start = groups[i]! * sumsPerSpread;
      sums.set(from.subarray(start, start + sumsPerSpread), i * sumsPerSpread);
    }
    return { kind: "spread", sums };
  },

  encode: (column) => ({ head: { kind: "spread" }, sections: [columnOf(column, "spread").sums] }),

  decode: (_, reader): SpreadColumn => ({ kind: "spread", sums: reader.f64() }),

  check(column, groupCount) {
    const { sums } = columnOf(column, "spread");
    expectCount("spreads", sums.length, groupCount * sumsPerSpread);
  },
};

/** The sums of a group; of no group, nothing. */
export function spreadOf(column: StateColumn, group: number): Spread {
  if (group < 0) return [0, 0, 0, 0];
  const { sums } = columnOf(column, "spread");
  const at = group * sumsPerSpread;
  return [sums[at]!, sums[at + 1]!, sums[at + 2]!, sums[at + 3]!];
}
