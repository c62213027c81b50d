import type { SpreadFn } from "../../plan/query/finishPlan.js";
import type { StateColumn } from "../partial/partialResult.js";
import { columnOf, type StateKind } from "./stateKind.js";
import { exactSumOf } from "./sumState.js";

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
};

/**
 * The standard deviation or variance of a sample, as PostgreSQL's `stddev` and `var_samp`, or of all there is: a row of
 * weight w counts for w equal values. Exact until the last step, so that large values close to one another lose nothing.
 * Null for fewer than two values of a sample, or none.
 */
export function spreadOfValues(
  squares: StateColumn,
  sums: StateColumn,
  group: number,
  which: SpreadFn,
): number | null | "overflow" {
  const weight = columnOf(sums, "sum").weights[group]!;
  const isSample = which === "stddev" || which === "var_samp";
  if (weight < (isSample ? 2 : 1)) return null;
  const sum = exactSumOf(sums, group);
  if (sum === "overflow") return "overflow";
  const { limbs } = columnOf(squares, "squares");
  let square = 0n;
  for (let j = limbsPerSquare - 1; j >= 0; j--) {
    square = (square << 32n) + BigInt(limbs[group * limbsPerSquare + j]!);
  }
  const count = BigInt(weight);
  const variance = Number(count * square - sum * sum) / (weight * (isSample ? weight - 1 : weight));
  return which === "stddev" || which === "stddev_pop" ? Math.sqrt(variance) : variance;
}
