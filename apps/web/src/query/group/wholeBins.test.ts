import fc from "fast-check";
import { expect, test } from "vitest";
import { wholeEdges } from "./wholeBins.js";

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

test("neighbours beyond 2^53 have bins of their own", () => {
  const min = 2n ** 60n + 1n;
  const spread = { min, max: min + 3n, low: min, high: min + 3n };
  expect(wholeEdges(spread, 50, { isBytes: false })).toEqual([
    ...[min, min + 1n, min + 2n, min + 3n, min + 4n],
  ]);
});

test("bounds are even, ascend, cover the numbers as far as 64 bits go, and are about as many as wanted", () => {
  const whole = fc.bigInt({ min: int64Min, max: int64Max });
  fc.assert(
    fc.property(
      whole,
      whole,
      fc.integer({ min: 3, max: 120 }),
      fc.boolean(),
      (a, b, wanted, isBytes) => {
        const [min, max] = a < b ? [a, b] : [b, a];
        const edges = wholeEdges({ min, max, low: min, high: max }, wanted, { isBytes });
        expect(edges.length).toBeLessThanOrEqual(2 * wanted + 1);
        const steps = new Set(edges.slice(1).map((edge, i) => edge - (edges[i] ?? 0n)));
        expect(steps.size).toBeLessThanOrEqual(1);
        for (const edge of edges) {
          expect(edge >= int64Min && edge <= int64Max).toBe(true);
        }
        const [step = 1n] = steps;
        expect((edges[0] ?? min) <= min || (edges[0] ?? min) - step < int64Min).toBe(true);
        expect((edges.at(-1) ?? max) > max || (edges.at(-1) ?? max) + step > int64Max).toBe(true);
      },
    ),
  );
});

test("numbers from end to end of 64 bits have more than one bound", () => {
  const spread = { min: int64Min, max: int64Max, low: int64Min, high: int64Max };
  const largest = 5n * 10n ** 18n;
  expect(wholeEdges(spread, 3, { isBytes: false })).toEqual([-largest, 0n, largest]);
});

test("a few far outliers do not squeeze the others", () => {
  const low = 2n ** 60n;
  const edges = wholeEdges({ min: 0n, max: int64Max, low, high: low + 1_000n }, 100, {
    isBytes: false,
  });
  expect(edges.length).toBeGreaterThan(50);
  expect((edges[1] ?? 0n) - (edges[0] ?? 0n)).toBe(10n);
});
