import type { StateColumn } from "../partial/partialResult.js";
import { columnOf, expectCount, type StateKind } from "./stateKind.js";

type SquareColumn = Extract<StateColumn, { readonly kind: "squares" }>;

/** Squares of int64 times weights take 158 bits; 2^34 of them fit 192. */
export const limbsPerSquare = 6;

const two32 = 2 ** 32;

/** Exact weighted sums of squares. With the sums of the same values they give the standard deviation. */
export const squareState: StateKind = {
  create: (groupCount): SquareColumn => ({
    kind: "squares",
    limbs: new Uint32Array(groupCount * limbsPerSquare),
  }),

  merge(inputs, groupCount): SquareColumn {
    const limbs = new Uint32Array(groupCount * limbsPerSquare);
    for (const { column, groups } of inputs) {
      const from = columnOf(column, "squares").limbs;
      for (let i = 0; i < groups.length; i++) {
        const into = groups[i]! * limbsPerSquare;
        let carry = 0;
        for (let j = 0; j < limbsPerSquare; j++) {
          const sum = limbs[into + j]! + from[i * limbsPerSquare + j]! + carry;
          carry = sum >= two32 ? 1 : 0;
          limbs[into + j] = sum - carry * two32;
        }
      }
    }
    return { kind: "squares", limbs };
  },

  take(column, groups): SquareColumn {
    const from = columnOf(column, "squares").limbs;
    const limbs = new Uint32Array(groups.length * limbsPerSquare);
    for (let i = 0; i < groups.length; i++) {
      const start = groups[i]! * limbsPerSquare;
      limbs.set(from.subarray(start, start + limbsPerSquare), i * limbsPerSquare);
    }
    return { kind: "squares", limbs };
  },

  encode: (column) => ({
    head: { kind: "squares" },
    sections: [columnOf(column, "squares").limbs],
  }),

  decode: (_, reader): SquareColumn => ({ kind: "squares", limbs: reader.u32() }),

  check(column, groupCount) {
    const { limbs } = columnOf(column, "squares");
    expectCount("limbs", limbs.length, groupCount * limbsPerSquare);
  },
};

/** The sum of the squares of a group's values, each times its weight. */
export function squareSumOf(column: StateColumn, group: number): bigint {
  const { limbs } = columnOf(column, "squares");
  let sum = 0n;
  for (let j = limbsPerSquare - 1; j >= 0; j--) {
    sum = (sum << 32n) + BigInt(limbs[group * limbsPerSquare + j]!);
  }
  return sum;
}
