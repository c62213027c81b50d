import fc from "fast-check";
import { expect, test } from "vitest";
import { selectLargest } from "./selectLargest.js";

/** Many values or few, among them ties, infinities, and runs that are sorted already. */
const numbers = fc.oneof(
  fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 1, maxLength: 6_000, size: "max" }),
  fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 6_000, size: "max" }),
  fc
    .tuple(fc.integer({ min: 1, max: 6_000 }), fc.integer({ min: -300, max: 300 }), fc.boolean())
    .map(([length, period, up]) =>
      Array.from({ length }, (_, i) => (up ? 1 : -1) * (period === 0 ? i : i % period)),
    ),
);

test("the value that as many as are asked for reach, whatever their order; all values stay", () => {
  fc.assert(
    fc.property(numbers, fc.nat(6_000), (drawnValues, drawn) => {
      // Of two zeros either may come first.
      const values = drawnValues.map((value) => value + 0);
      const count = 1 + (drawn % values.length);
      const reordered = Float64Array.from(values);
      const sorted = Float64Array.from(values).sort();
      expect(selectLargest(reordered, count)).toBe(sorted[sorted.length - count]);
      expect(reordered.sort()).toEqual(sorted);
    }),
    { numRuns: 100 },
  );
});
