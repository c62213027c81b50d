import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StateColumn } from "../partial/partialResult.js";
import { limbsPerSquare } from "../state/squareState.js";
import { standardDeviation } from "./standardDeviation.js";

interface Weighted {
  readonly value: bigint;
  readonly weight: bigint;
}

function statesOf(rows: readonly Weighted[]): { squares: StateColumn; sums: StateColumn } {
  const total = (of: (row: Weighted) => bigint) => rows.reduce((sum, row) => sum + of(row), 0n);
  const square = total(({ value, weight }) => value * value * weight);
  const sum = total(({ value, weight }) => value * weight);
  return {
    squares: {
      kind: "squares",
      limbs: Uint32Array.from({ length: limbsPerSquare }, (_, j) =>
        Number((square >> BigInt(32 * j)) & 0xffff_ffffn),
      ),
    },
    sums: {
      kind: "sum",
      hi: Float64Array.of(Number(sum >> 32n)),
      lo: Float64Array.of(Number(sum & 0xffff_ffffn)),
      weights: Float64Array.of(Number(total(({ weight }) => weight))),
    },
  };
}

function deviation(...rows: readonly (readonly [bigint, bigint])[]): unknown {
  const { squares, sums } = statesOf(rows.map(([value, weight]) => ({ value, weight })));
  const value = { kind: "own", fn: "stddev", stateIndex: 0, stateIndexes: [0, 1] } as const;
  return standardDeviation.own.finish(value, [squares, sums], 0);
}

describe("S40: the standard deviation of a sample", () => {
  test.each([
    ["none for no value", [], null],
    ["none for one value", [[5n, 1n]], null],
    ["0 for one value that stands for many", [[5n, 100n]], 0],
    [
      "1 for neighbours",
      [
        [1n, 1n],
        [2n, 1n],
        [3n, 1n],
      ],
      1,
    ],
    [
      "of weights as of repeats",
      [
        [2n, 1n],
        [4n, 3n],
        [5n, 2n],
        [7n, 1n],
        [9n, 1n],
      ],
      Math.sqrt(32 / 7),
    ],
  ] as const)("%s", (_, rows, expected) => {
    expect(deviation(...rows)).toBe(expected);
  });

  test("loses nothing where large values lie close together", () => {
    const far = 2n ** 62n;
    expect(deviation([far, 1n], [far + 1n, 1n], [far + 2n, 1n])).toBe(1);
    expect(deviation([-(2n ** 63n), 1n], [-(2n ** 63n) + 2n, 1n])).toBe(Math.SQRT2);
  });

  test("does not change when all values move", () => {
    const rows = fc.array(fc.tuple(fc.bigInt(-(2n ** 40n), 2n ** 40n), fc.bigInt(1n, 1000n)), {
      minLength: 2,
      maxLength: 20,
    });
    fc.assert(
      fc.property(rows, fc.bigInt(-(2n ** 62n), 2n ** 62n), (all, shift) => {
        const moved = all.map(([value, weight]) => [value + shift, weight] as const);
        expect(deviation(...moved)).toBe(deviation(...all));
      }),
    );
  });
});
