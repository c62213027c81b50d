import fc from "fast-check";
import { expect, test } from "vitest";
import { type CostLine, costOf, fitCostLine } from "./costLine.js";

const fit = (amounts: readonly number[], timesMs: readonly number[]): CostLine =>
  fitCostLine(Float64Array.from(amounts), Float64Array.from(timesMs));

const amount = fc.integer({ min: 1, max: 1_000_000_000 });

test("finds the line behind times, though a quarter of them are disturbed", () => {
  const line = fc.record({
    fixedMs: fc.double({ min: 0, max: 10, noNaN: true }),
    perUnitMs: fc.double({ min: 1e-7, max: 1e-3, noNaN: true }),
    first: fc.integer({ min: 1, max: 1_000_000 }),
  });
  fc.assert(
    fc.property(line, ({ fixedMs, perUnitMs, first }) => {
      const amounts = Array.from({ length: 16 }, (_, i) => first * 2 ** i);
      const times = amounts.map((units, i) => {
        const ms = fixedMs + perUnitMs * units;
        return i % 4 === 3 ? ms + 5_000 * (i % 8) : ms;
      });
      const fitted = fit(amounts, times);
      const expected = fixedMs + perUnitMs * first * 1_000;
      expect(Math.abs(costOf(fitted, first * 1_000) / expected - 1)).toBeLessThan(1e-6);
    }),
  );
});

test("undisturbed times lie on the line", () => {
  const amounts = [100, 1_000, 10_000];
  const fitted = fit(
    amounts,
    amounts.map((units) => 2 + units / 100),
  );
  expect(costOf(fitted, 5_000)).toBeCloseTo(52, 9);
});

test("amounts that are alike have no slope: time is in proportion", () => {
  fc.assert(
    fc.property(amount, (units) => {
      const fitted = fit([units, units, units], [3, 90, 5]);
      expect(costOf(fitted, units)).toBeCloseTo(5, 9);
      expect(costOf(fitted, 4 * units)).toBeCloseTo(20, 9);
    }),
  );
});

test("a scan of rows that grow by a few each time is no slope of its noise", () => {
  const fitted = fit([1_000_000, 1_000_010, 1_000_020], [10, 9, 12]);
  expect(costOf(fitted, 2_000_000)).toBeCloseTo(20, 1);
});

test("no work still has its time, and times never fall or turn negative", () => {
  expect(costOf(fit([0, 0], [1, 3]), 1_000)).toBe(2);
  const falling = fit([10, 100, 1_000], [9, 5, 1]);
  expect(falling.perUnitMs).toBe(0);
  expect(costOf(falling, 1e9)).toBe(5);
});
