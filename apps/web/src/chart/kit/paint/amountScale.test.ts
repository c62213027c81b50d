import fc from "fast-check";
import { expect, test } from "vitest";
import { amountScale } from "./amountScale.js";

test("numbers far apart have a logarithmic scale, others a linear one from 0", () => {
  const near = amountScale([20, 100, null], { additive: true });
  expect([near.isLog, near.low, near.high, near.shareOf(50)]).toEqual([false, 0, 100, 0.5]);
  const far = amountScale([1, 10_000], { additive: true });
  expect([far.isLog, far.shareOf(100)]).toEqual([true, 0.5]);
  expect(amountScale([-10, 10], { additive: true }).shareOf(0)).toBe(0.5);
  expect(amountScale([null], { additive: true }).shareOf(3)).toBe(0);
  expect(amountScale([20, 100], { additive: false }).shareOf(60)).toBe(0.5);
  expect(amountScale([7], { additive: true }).shareOf(7)).toBe(1);
});

test("more is never lighter", () => {
  const numbers = fc.array(fc.double({ noNaN: true, min: -1e15, max: 1e15 }), { minLength: 1 });
  fc.assert(
    fc.property(numbers, fc.boolean(), (values, additive) => {
      const { shareOf } = amountScale(values, { additive });
      const shares = values.toSorted((a, b) => a - b).map(shareOf);
      expect(shares).toEqual(shares.toSorted((a, b) => a - b));
      expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
    }),
  );
});
