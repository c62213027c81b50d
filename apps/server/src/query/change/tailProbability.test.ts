import { describe, expect, test } from "vitest";
import { binomialTail, normalTail } from "./tailProbability.js";

/** P(hits = k), through logarithms. */
function mass(k: number, count: number, chance: number): number {
  let log = k * Math.log(chance) + (count - k) * Math.log1p(-chance);
  for (let i = 1; i <= k; i++) log += Math.log((count - k + i) / i);
  return Math.exp(log);
}

describe("tails", () => {
  // From tables of the normal distribution.
  test.each([
    [0, 1],
    [1, 0.317310507863],
    [1.95996398454, 0.05],
    [3.290526731, 0.001],
    [6, 1.97317529e-9],
    [-1, 0.317310507863],
  ])("a normal deviate of %s or beyond", (deviation, p) => {
    expect(normalTail(deviation) / p).toBeCloseTo(1, 5);
  });

  test.each([
    [3, 10, 0.5],
    [9, 10, 0.5],
    [0, 12, 0.3],
    [12, 12, 0.3],
    [40, 60, 0.5],
    [1, 200, 0.1],
    [700, 1_000, 0.6],
  ])("%d hits of %d at %d: the sum of all that is as far out, twice", (hits, count, chance) => {
    let above = 0;
    let below = 0;
    for (let k = 0; k <= count; k++) {
      if (k >= hits) above += mass(k, count, chance);
      if (k <= hits) below += mass(k, count, chance);
    }
    const expected = Math.min(1, 2 * Math.min(above, below));
    expect(binomialTail(hits, count, chance) / expected).toBeCloseTo(1, 6);
  });

  test("far out it is small, not nothing, and numbers of draws need not be whole", () => {
    expect(binomialTail(400, 400, 0.5)).toBeGreaterThan(0);
    const between = binomialTail(7.5, 10, 0.5);
    expect(between).toBeLessThan(binomialTail(7, 10, 0.5));
    expect(between).toBeGreaterThan(binomialTail(8, 10, 0.5));
  });
});
