import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lineDifference } from "./lineDifference.js";

const rows = (before: string, after: string) =>
  lineDifference(before, after).map((pair) => [pair.before, pair.after, pair.same]);

describe("lines side by side", () => {
  test("a changed line stands beside its old form, and the rest is the same", () => {
    expect(rows("SELECT count\nFROM a\nLIMIT 5", "SELECT count\nFROM b\nLIMIT 5")).toEqual([
      ["SELECT count", "SELECT count", true],
      ["FROM a", "FROM b", false],
      ["LIMIT 5", "LIMIT 5", true],
    ]);
  });

  test("an added line has nothing beside it", () => {
    expect(rows("a\nc", "a\nb\nc")).toEqual([
      ["a", "a", true],
      [null, "b", false],
      ["c", "c", true],
    ]);
  });

  test("both sides are there in full, and lines in common count as often as they can", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(text, text, (left, right) => {
        const pairs = lineDifference(left.join("\n"), right.join("\n"));
        expect(pairs.flatMap(({ before }) => before ?? [])).toEqual(left);
        expect(pairs.flatMap(({ after }) => after ?? [])).toEqual(right);
        expect(pairs.filter(({ same }) => same).length).toBe(longestCommon(left, right));
      }),
    );
  });
});

/** By trying everything. */
function longestCommon([a, ...left]: string[], [b, ...right]: string[]): number {
  if (a === undefined || b === undefined) return 0;
  if (a === b) return 1 + longestCommon(left, right);
  return Math.max(longestCommon(left, [b, ...right]), longestCommon([a, ...left], right));
}
