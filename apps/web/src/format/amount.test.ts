import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAmount, printAmount } from "./amount.js";

test.each([
  ["250ms", "us", 250_000],
  ["1.5 s", "us", 1_500_000],
  ["2 µs", "ns", 2_000],
  ["3m", "ms", 180_000],
  ["0", "us", 0],
  ["250", "us", null],
  ["1MiB", "bytes", 1_048_576],
  ["1ms", "bytes", null],
  ["40%", "percent", 40],
  ["1.5×", "times", 1.5],
  ["-2k", undefined, -2_000],
  ["1e3", undefined, 1_000],
  ["", undefined, null],
  ["ten", undefined, null],
  ["1 constructor", undefined, null],
] as const)("%j of %s is %s", (text, unit, amount) => {
  expect(parseAmount(text, unit)).toBe(amount);
});

test("amounts are written short, with a unit", () => {
  expect(printAmount(250_000, "us")).toBe("250ms");
  expect(printAmount(1_500_000, "us")).toBe("1.5s");
  expect(printAmount(1_048_576, "bytes")).toBe("1MiB");
  expect(printAmount(12_000, undefined)).toBe("12k");
});

test("what is printed is read as the same amount", () => {
  const amount = fc.oneof(
    fc.integer(),
    fc.integer().map((n) => n / 1_000),
  );
  fc.assert(
    fc.property(
      amount,
      fc.constantFrom("us", "ms", "s", "bytes", "percent", undefined),
      (value, unit) => {
        expect(parseAmount(printAmount(value, unit), unit)).toBe(value === 0 ? 0 : value);
      },
    ),
  );
});
