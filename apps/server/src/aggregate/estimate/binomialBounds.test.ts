import { expect, test } from "vitest";
import { betaShare } from "./betaShare.js";
import { binomialBounds, rememberedBounds } from "./binomialBounds.js";

/** At most `count` of `rows` draws, each with the chance `share`, added up term by term. */
function atMost(count: number, rows: number, share: number): number {
  let [term, sum] = [(1 - share) ** rows, 0];
  for (let k = 0; k <= count; k++) {
    sum += term;
    term *= ((rows - k) / (k + 1)) * (share / (1 - share));
  }
  return sum;
}

test("shares of beta distributions are those of tables", () => {
  expect(betaShare(0.5, 2, 2)).toBeCloseTo(0.5, 12);
  expect(betaShare(0.25, 1, 3)).toBeCloseTo(1 - 0.75 ** 3, 12);
  expect(betaShare(0.1, 0.5, 0.5)).toBeCloseTo((2 / Math.PI) * Math.asin(Math.sqrt(0.1)), 10);
  expect([betaShare(0, 1, 1), betaShare(1, 1, 1)]).toEqual([0, 1]);
  for (const [count, rows, share] of [
    [3, 10, 0.5],
    [94, 100, 0.95],
    [99, 100, 0.9],
  ] as const) {
    const found = betaShare(1 - share, rows - count, count + 1);
    expect(found).toBeCloseTo(atMost(count, rows, share), 9);
  }
});

test.each([0.5, 0.9, 0.95, 0.99])(
  "the rows that bound p%d hold it 92.5 to 98.5 times of 100",
  (share) => {
    let given = 0;
    for (let rows = 1; rows <= 1_500; rows++) {
      const bounds = binomialBounds(rows, share);
      if (bounds === null) continue;
      given++;
      // Nearest rank: the row at which the share is reached.
      const low = Math.max(1, Math.ceil(bounds[0] * rows));
      const high = Math.ceil(bounds[1] * rows);
      const below = (count: number) => betaShare(1 - share, rows - count, count + 1);
      const missed = below(low - 1) + 1 - below(high - 1);
      expect(missed, `${rows} rows`).toBeLessThan(0.0751);
      expect(missed, `${rows} rows`).toBeGreaterThan(0.015);
    }
    expect(given).toBeGreaterThan(1_100);
  },
);

test("no row of few bounds a percentile far out", () => {
  const first = (share: number): number => {
    let rows = 1;
    while (binomialBounds(rows, share) === null) rows++;
    return rows;
  };
  expect([0.5, 0.9, 0.95, 0.99].map(first)).toEqual([5, 32, 66, 334]);
  expect(binomialBounds(10, 0.95)).toBeNull();
  expect(rememberedBounds(0.5)(1_000.7)).toEqual(binomialBounds(1_000, 0.5));
});
