import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { holdCeiling, niceCeiling, niceInterval, timeTicks, wholeInterval } from "./axis.js";

const minute = 60_000;
const t0 = Date.UTC(2026, 10, 21, 9);

describe("axes", () => {
  test("tops are round, never below", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e15, noNaN: true }), (value) => {
        const top = niceCeiling(value);
        expect(top).toBeGreaterThanOrEqual(value * 0.99999);
        expect(top).toBeLessThanOrEqual(value * 2.01);
      }),
    );
    expect(niceCeiling(3_000_000, "bytes")).toBe(3 * 1024 ** 2);
    expect([10_000, 1_500, 250].map((top) => niceInterval(top))).toEqual([2_000, 500, 50]);
    expect(niceInterval(150 * 1024 ** 2, "bytes")).toBe(50 * 1024 ** 2);
  });
  test("tops only rise while parts arrive, and stay while values wobble", () => {
    expect(holdCeiling(100, 20, { streaming: true })).toBe(100);
    expect(holdCeiling(100, 120, { streaming: true })).toBe(120);
    expect(holdCeiling(100, 75, { streaming: false })).toBe(100);
    expect(holdCeiling(100, 60, { streaming: false })).toBe(60);
    expect(holdCeiling(100, 20, { streaming: false })).toBe(20);
  });
  test("ticks are round in the zone, in order, within the range", () => {
    expect(
      timeTicks(t0, t0 + 3 * 60 * minute, 6, "UTC").timesMs.map((t) => (t - t0) / minute),
    ).toEqual([0, 30, 60, 90, 120, 150]);
    const days = timeTicks(t0, t0 + 3 * 86_400_000, 4, "Asia/Kolkata").timesMs;
    expect(days.map((t) => new Date(t).toISOString().slice(11, 16))).toEqual([
      "18:30",
      "18:30",
      "18:30",
    ]);
  });
});

test("counts have no lines between whole numbers", () => {
  expect([1, 2, 4, 5, 200].map(wholeInterval)).toEqual([1, 1, 1, 1, 50]);
});
