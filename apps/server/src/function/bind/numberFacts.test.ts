import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { int64Max, int64Min } from "../term/cell.js";
import type { JsFn } from "../term/typedExpression.js";
import { type Bounds, numberBounds, numberFacts } from "./numberFacts.js";

const operators: readonly [fn: JsFn, of: (a: number, b: number) => number][] = [
  ["js +", (a, b) => a + b],
  ["js -", (a, b) => a - b],
  ["js *", (a, b) => a * b],
  ["js /", (a, b) => a / b],
  ["js %", (a, b) => a % b],
  ["js min", Math.min],
  ["js max", Math.max],
  ["js negate", (a) => -a],
  ["js abs", Math.abs],
  ["js sqrt", Math.sqrt],
  ["js floor", Math.floor],
  ["js ceil", Math.ceil],
  ["js trunc", Math.trunc],
  ["js round", Math.round],
];

const double = fc.double({ min: -1e9, max: 1e9, noNaN: true });
const withDecimals = (bounds: Bounds) => ({ ...bounds, decimals: 0 });

describe("bounds of a number", () => {
  test.each(operators)("%s stays within what is said of its result", (fn, of) => {
    fc.assert(
      fc.property(double, double, double, double, (a, b, c, d) => {
        const left = numberBounds(Math.min(a, b), Math.max(a, b));
        const right = numberBounds(Math.min(c, d), Math.max(c, d));
        const { min, max } = numberFacts(fn, [withDecimals(left), withDecimals(right)], 0);
        // Nothing is said of it then.
        if (min === int64Min && max === int64Max) return;
        for (const x of [a, b]) {
          for (const y of [c, d]) {
            const result = of(x, y);
            if (!Number.isFinite(result)) continue;
            expect(BigInt(Math.floor(result)) >= min).toBe(true);
            expect(BigInt(Math.ceil(result)) <= max).toBe(true);
          }
        }
      }),
    );
  });

  test("are known for small numbers, and unknown where one of them is", () => {
    const small = withDecimals({ min: 0n, max: 10n });
    const unknown = withDecimals(numberBounds(Number.NEGATIVE_INFINITY, 0));
    expect(numberFacts("js +", [small, small], 0)).toEqual({ min: -1n, max: 21n });
    expect(numberFacts("js +", [small, unknown], 0).max).toBe(2n ** 63n - 1n);
  });

  test("of a quotient are known only where the divisor is not near 0", () => {
    const small = withDecimals({ min: 0n, max: 10n });
    expect(numberFacts("js /", [small, withDecimals({ min: 1n, max: 5n })], 0).max).toBe(11n);
    expect(numberFacts("js /", [small, withDecimals({ min: 0n, max: 5n })], 0).max).toBe(
      2n ** 63n - 1n,
    );
  });

  test("of a stored value are in units of its last digit, and beyond 64 bits where unknown", () => {
    const small = withDecimals({ min: -2n, max: 3n });
    const unknown = withDecimals(numberBounds(Number.NEGATIVE_INFINITY, 0));
    expect(numberFacts("js store", [small], 2)).toEqual({ min: -200n, max: 300n });
    expect(numberFacts("js store", [unknown], 2).max).toBe(2n * (2n ** 63n - 1n));
  });

  test("of a choice are those of all that can be chosen", () => {
    const values = [withDecimals({ min: -5n, max: 1n }), withDecimals({ min: 4n, max: 9n })];
    expect(numberFacts("coalesce", values, 0)).toEqual({ min: -5n, max: 9n });
  });
});
