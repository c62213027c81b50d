import type { Result } from "@hadal/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resultOf } from "../../testing/answers.js";
import { type Difference, differencesOf, isUnsure, sumOfDifferences } from "./difference.js";

const columns = ["p95", "p95.compare", "p95.delta"];
const answer = (
  now: number | null,
  was: number | null,
  intervals: Record<string, unknown> = {},
  more: Partial<Result> = {},
) =>
  resultOf(columns, [[now, was, null]], { intervals: intervals as Result["intervals"], ...more });
const isUnsureIn = (result: Result) => isUnsure(differencesOf(result, "p95")(0));

describe("a difference may be none", () => {
  test("when its own error bar does not contain 0", () => {
    expect(isUnsureIn(answer(110, 100, { "p95.delta": [[-5, 25]] }))).toBe(true);
    expect(isUnsureIn(answer(110, 100, { "p95.delta": [[5, 15]] }))).toBe(false);
  });

  test("when the error bars of its sides that face each other are as long, without one of its own", () => {
    const sides = { p95: [[104, 200]], "p95.compare": [[10, 108]] };
    // 6 below and 8 above: together 10.
    expect(isUnsureIn(answer(110, 100, sides))).toBe(true);
    expect(isUnsureIn(answer(111, 100, { ...sides, p95: [[105, 200]] }))).toBe(false);
    const falls = { p95: [[10, 108]], "p95.compare": [[104, 200]] };
    expect(isUnsureIn(answer(100, 110, falls))).toBe(true);
    expect(isUnsureIn(answer(120, 100, { p95: [[90, 150]] }))).toBe(true);
  });

  test("when its column has error bars and this row none: its error is unknown", () => {
    expect(isUnsureIn(answer(110, 100, { p95: [null], "p95.compare": [[99, 101]] }))).toBe(true);
    expect(isUnsureIn(answer(110, 100, { p95: [[109, 111]], "p95.compare": [null] }))).toBe(true);
    expect(isUnsureIn(answer(110, null, { p95: [[100, 120]], "p95.compare": [null] }))).toBe(true);
  });

  test("when leaves are missing and nothing says how far it is off", () => {
    const { completeness } = answer(1, 1);
    const part = { completeness: { ...completeness, fraction: 0.8 } };
    expect(isUnsureIn(answer(110, 100, {}, part))).toBe(true);
    const leaves = { ...completeness.leaves, missing: ["leaf-2"] };
    expect(isUnsureIn(answer(110, 100, {}, { completeness: { ...completeness, leaves } }))).toBe(
      true,
    );
  });

  test("when a note says that no error bar can be given: distinct values of sampled rows", () => {
    const notes = [{ column: "p95", text: "Of the rows that are stored." }];
    expect(isUnsureIn(answer(157_000, 22_600, {}, { notes }))).toBe(true);
    const ofOther = [{ column: "p50", text: "" }, { text: "" }];
    expect(isUnsureIn(answer(157_000, 22_600, {}, { notes: ofOther }))).toBe(false);
  });

  test("when its bucket is covered in part: unlike is compared with unlike", () => {
    const rows = [
      [0, 10, 90],
      [60_000, 10, 90],
    ] as const;
    const result = resultOf(["time", "count", "count.compare"], rows, { incomplete: [60_000] });
    expect([0, 1].map((row) => isUnsure(differencesOf(result, "count")(row)))).toEqual([
      false,
      true,
    ]);
  });
});

test("exact numbers are not unsure, nor is what neither side has", () => {
  expect(isUnsureIn(answer(100, 100))).toBe(false);
  expect(isUnsureIn(answer(110, 100))).toBe(false);
  expect(isUnsureIn(answer(100, 100, { "p95.delta": [[0, 0]] }))).toBe(false);
  expect(isUnsureIn(answer(null, null, { p95: [null] }))).toBe(false);
});

const difference = fc
  .record({
    value: fc.integer({ min: -1_000, max: 1_000 }),
    down: fc.integer({ min: 0, max: 50 }),
    up: fc.integer({ min: 0, max: 50 }),
    kind: fc.constantFrom("bar", "exact", "unknown"),
  })
  .map(({ value, down, up, kind }): Difference => {
    const size = Math.abs(value) + 10;
    if (kind !== "bar") return { value, error: kind as "exact" | "unknown", size };
    return { value, error: [value - down, value + up], size };
  });

test("sums: exact only of exact parts; errors of missing leaves reach further than those of sampling", () => {
  fc.assert(
    fc.property(fc.array(difference, { maxLength: 12 }), (parts) => {
      const [whole, part] = [
        sumOfDifferences(parts, "independent"),
        sumOfDifferences(parts, "shared"),
      ];
      const value = parts.reduce((sum, one) => sum + one.value, 0);
      expect([whole.value, part.value]).toEqual([value, value]);
      const isExact = parts.every(({ error }) => error === "exact");
      expect(whole.error === "exact").toBe(isExact);
      if (typeof whole.error === "string" || typeof part.error === "string") return;
      expect(part.error[0]).toBeLessThanOrEqual(whole.error[0] + 1e-9);
      expect(part.error[1]).toBeGreaterThanOrEqual(whole.error[1] - 1e-9);
    }),
  );
  const unknown: Difference = { value: 30, error: "unknown", size: 40 };
  expect(sumOfDifferences([unknown], "independent").error).toEqual([-10, 70]);
  expect(sumOfDifferences([{ value: 5, error: [2, 9], size: 9 }, unknown], "shared").error).toEqual(
    [-8, 79],
  );
});
