import fc from "fast-check";
import { expect, test } from "vitest";
import { atOnce } from "../../base/schedule/steps.js";
import { partitionBest } from "./partitionBest.js";

/** Things by their value, then by their number. */
const byValue = (values: readonly number[]) => (a: number, b: number) =>
  values[a]! - values[b]! || a - b;

const valuesOf = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 }),
  // Beyond what is parted without a sample.
  fc
    .tuple(fc.integer({ min: 601, max: 3_000 }), fc.integer({ min: 1, max: 10_000 }), fc.nat())
    .map(([length, most, seed]) =>
      Array.from({ length }, (_, i) => Math.imul(i + seed, 0x9e3779b1) % most),
    ),
);

test("the best come first, as a sort would have them", () => {
  fc.assert(
    fc.property(valuesOf, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
      const count = Math.floor(share * values.length);
      const things = Uint32Array.from(values.keys());
      const compare = byValue(values);
      const sorted = things.slice().sort(compare);
      atOnce(partitionBest(things, count, compare));
      expect(things.slice(0, count).sort(compare)).toEqual(sorted.subarray(0, count));
      expect(things.slice(count).sort(compare)).toEqual(sorted.subarray(count));
    }),
  );
});

test("a million things take many steps, and few comparisons", () => {
  const values = Array.from({ length: 1_000_000 }, (_, i) => Math.imul(i, 0x9e3779b1));
  let compared = 0;
  const compare = (a: number, b: number): number => {
    compared++;
    return byValue(values)(a, b);
  };
  const steps = partitionBest(Uint32Array.from(values.keys()), 250_000, compare);
  let stepCount = 0;
  let longest = 0;
  for (let before = 0; steps.next().done !== true; before = compared) {
    stepCount++;
    longest = Math.max(longest, compared - before);
  }
  expect(stepCount).toBeGreaterThan(100);
  expect(longest).toBeLessThan(100_000);
  expect(compared).toBeLessThan(2_500_000);
});
