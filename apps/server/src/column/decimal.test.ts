import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  fitsFloat32,
  fitsInt64,
  fitsUint32,
  int64Max,
  int64Min,
  printDecimal,
  rescale,
} from "./decimal.js";

describe("printDecimal", () => {
  it.each<[stored: bigint, decimals: number, text: string]>([
    [0n, 0, "0"],
    [0n, 3, "0"],
    [3_500_000n, 6, "3.5"],
    [-5n, 1, "-0.5"],
    [-100n, 2, "-1"],
    [7n, 18, "0.000000000000000007"],
    [int64Min, 0, "-9223372036854775808"],
    [int64Max, 18, "9.223372036854775807"],
  ])("%s with %s decimals is %s", (stored, decimals, text) => {
    expect(printDecimal(stored, decimals)).toBe(text);
  });

  test("what is printed names the same number", () => {
    fc.assert(
      fc.property(fc.bigInt(int64Min, int64Max), fc.nat(18), (stored, decimals) => {
        const [whole = "", fraction = ""] = printDecimal(stored, decimals).split(".");
        expect(BigInt(whole + fraction.padEnd(decimals, "0"))).toBe(stored);
      }),
    );
  });
});

describe("rescale", () => {
  it.each<[stored: bigint, from: number, to: number, wanted: bigint]>([
    [15n, 1, 3, 1_500n],
    [1_599n, 3, 1, 15n],
    [-1_599n, 3, 1, -15n],
    [int64Max, 0, 1, 92_233_720_368_547_758_070n],
  ])("%s from %s to %s decimals is %s, cut toward zero", (stored, from, to, wanted) => {
    expect(rescale(stored, from, to)).toBe(wanted);
  });
});

test("a range fits a type up to its last value, and not beyond", () => {
  expect([fitsInt64(int64Min), fitsInt64(int64Max)]).toEqual([true, true]);
  expect([fitsInt64(int64Min - 1n), fitsInt64(int64Max + 1n)]).toEqual([false, false]);
  const most = 2n ** 24n;
  expect(fitsFloat32({ min: -most, max: most })).toBe(true);
  expect(fitsFloat32({ min: -most - 1n, max: 0n })).toBe(false);
  expect(fitsFloat32({ min: 0n, max: most + 1n })).toBe(false);
  expect(fitsUint32({ min: 0n, max: 2n ** 32n - 1n })).toBe(true);
  expect(fitsUint32({ min: 0n, max: 2n ** 32n })).toBe(false);
  expect(fitsUint32({ min: -1n, max: 0n })).toBe(false);
  expect(fitsUint32({ min: 1n, max: 0n })).toBe(false);
});
