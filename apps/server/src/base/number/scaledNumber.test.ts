import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scaledNumber } from "./scaledNumber.js";

describe("a double as a stored integer", () => {
  it.each([
    [0.29, 6, 290_000],
    [1.1, 6, 1_100_000],
    [0.1 + 0.2, 6, 300_000],
    [-2.3456789, 6, -2_345_678],
    [0.0000009, 6, 0],
    [-0.0000009, 6, 0],
    [1e-7, 6, 0],
    [123_456_789.1234567, 6, 123_456_789_123_456],
    [9_007_199_254.740993, 6, 9_007_199_254_740_993n],
    [1e12, 6, 1_000_000_000_000_000_000n],
    [1e13, 6, null],
    [2 ** 53, 0, 2n ** 53n],
    [-(2 ** 63), 0, -(2n ** 63n)],
    [2 ** 63, 0, null],
    [2.9, 0, 2],
    [-2.9, 0, -2],
    [Number.NaN, 6, null],
    [Number.POSITIVE_INFINITY, 0, null],
  ])("%d with %d decimals is %d", (value, decimals, wanted) => {
    expect(scaledNumber(value, decimals)).toStrictEqual(wanted);
  });

  it("cuts off its digits as they are written", () => {
    const digitByDigit = (value: number): bigint => {
      const [mantissa = "", exponent = "0"] = Math.abs(value).toExponential().split("e");
      const digits = mantissa.replace(".", "");
      const places = Number(exponent) + 6 + 1;
      const scaled = places <= 0 ? "0" : digits.slice(0, places).padEnd(places, "0");
      return value < 0 ? -BigInt(scaled) : BigInt(scaled);
    };
    const doubles = fc.oneof(
      fc.double({ min: -1e12, max: 1e12, noNaN: true }),
      fc.integer({ min: -1e9, max: 1e9 }).map((whole) => whole / 1e6),
      fc.integer({ min: -1e9, max: 1e9 }).map((whole) => whole / 1e7 + 1e-7),
    );
    fc.assert(
      fc.property(doubles, (value) => BigInt(scaledNumber(value, 6) ?? 0) === digitByDigit(value)),
      { numRuns: 20_000 },
    );
  });
});
