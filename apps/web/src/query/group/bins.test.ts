import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { binEdges, type Spread, suitableScale } from "./bins.js";

const spread = (min: number, max: number, more: Partial<Spread> = {}): Spread => ({
  min,
  max,
  low: min,
  middle: (min + max) / 2,
  high: max,
  ...more,
});

describe("bins of numbers", () => {
  test("even bins start at round numbers and reach beyond the largest", () => {
    expect(binEdges(spread(0, 100), { scale: "linear", wanted: 10, decimals: 0 })).toEqual([
      0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110,
    ]);
    expect(binEdges(spread(200, 503), { scale: "linear", wanted: 6, decimals: 0 })).toEqual([
      200, 300, 400, 500, 600,
    ]);
    expect(binEdges(spread(-0.3, 0.3), { scale: "linear", wanted: 6, decimals: 1 })).toEqual([
      -0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3, 0.4,
    ]);
  });
  test("one value has one bin; a bin is never finer than the column's digits", () => {
    expect(binEdges(spread(7, 7), { scale: "linear", wanted: 50, decimals: 0 })).toEqual([7, 8]);
    expect(binEdges(spread(0, 3), { scale: "linear", wanted: 50, decimals: 0 })).toEqual([
      0, 1, 2, 3, 4,
    ]);
    expect(binEdges(spread(0, 0), { scale: "log", wanted: 50, decimals: 0 })).toEqual([0, 1]);
  });
  test("far outliers do not squeeze the rest: they lie beyond the last bound", () => {
    const edges = binEdges(spread(1, 1e9, { high: 1_000 }), {
      scale: "linear",
      wanted: 10,
      decimals: 0,
    });
    expect(edges[edges.length - 1]).toBeLessThan(2_000);
  });
  test("logarithmic bins are preferred numbers, mirrored below zero", () => {
    expect(binEdges(spread(100, 999), { scale: "log", wanted: 5, decimals: 0 })).toEqual([
      100, 160, 250, 400, 630, 1_000,
    ]);
    expect(binEdges(spread(-20, 20), { scale: "log", wanted: 9, decimals: 0 })).toEqual([
      -50, -20, -10, -5, -2, -1, 0, 1, 2, 5, 10, 20, 50,
    ]);
  });
  test("bytes are counted in twos", () => {
    expect(
      binEdges(spread(900, 5_000), { scale: "log", wanted: 4, decimals: 0, unit: "bytes" }),
    ).toEqual([512, 1_024, 2_048, 4_096, 8_192]);
    expect(
      binEdges(spread(0, 3_000), { scale: "linear", wanted: 3, decimals: 0, unit: "bytes" }),
    ).toEqual([0, 1_024, 2_048, 3_072]);
  });
  test("long tails ask for a logarithmic scale, negative numbers never", () => {
    expect(suitableScale(spread(0, 900, { middle: 20 }))).toBe("log");
    expect(suitableScale(spread(200, 503, { middle: 200 }))).toBe("linear");
    expect(suitableScale(spread(-5, 900, { middle: 20 }))).toBe("linear");
  });

  const anySpread = fc
    .tuple(
      fc.integer({ min: 0, max: 6 }),
      fc.double({ min: -9.22e18, max: 9.22e18, noNaN: true }),
      fc.oneof(
        fc.double({ min: -9.22e18, max: 9.22e18, noNaN: true }),
        fc.integer({ min: -1_000, max: 1_000 }),
      ),
    )
    .map(([decimals, a, b]) => {
      const unit = 10 ** decimals;
      const [min, max] = [Math.min(a, b), Math.max(a, b)].map((x) => Math.round(x) / unit);
      return { decimals, spread: spread(min ?? 0, max ?? 0) };
    });
  test.each(["linear", "log"] as const)(
    "any %s bins ascend, are few, and hold all numbers",
    (scale) => {
      fc.assert(
        fc.property(anySpread, fc.integer({ min: 3, max: 120 }), (one, wanted) => {
          const edges = binEdges(one.spread, { scale, wanted, decimals: one.decimals }).map(Number);
          expect(edges.every((edge, i) => i === 0 || edge > (edges[i - 1] ?? 0))).toBe(true);
          expect(edges.length).toBeLessThanOrEqual(Math.max(wanted * 2, 48) + 4);
          // What no bound of 64 bits can hold is left to the open bins at the ends.
          const limit = 9.2e18 / 10 ** one.decimals;
          expect(edges.every((edge) => Math.abs(edge) <= limit)).toBe(true);
          const [min, max] = [Number(one.spread.min), Number(one.spread.max)];
          if (edges[0] !== undefined && Math.abs(min) < limit / 20) {
            expect(edges[0]).toBeLessThanOrEqual(min + Math.abs(min) * 1e-9);
          }
          if (Math.abs(max) < limit / 20) {
            expect(edges[edges.length - 1]).toBeGreaterThan(max - Math.abs(max) * 1e-9);
          }
        }),
      );
    },
  );
});
