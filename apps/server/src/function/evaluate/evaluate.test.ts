import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type Cell, overflow } from "../term/cell.js";
import type { TypedExpression, TypedFn, ValueType } from "../term/typedExpression.js";
import { call, constant } from "../term/typedTerms.js";
import { createEvaluator } from "./evaluate.js";

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const truth = fc.constantFrom(true, false, null);
const text = fc.string({ unit: "grapheme", maxLength: 12 });

function input(index: number, type: "int" | "string" | "number" = "int", decimals = 0) {
  return { kind: "input", index, type, decimals } as const;
}

/** Evaluates a call whose arguments are the cells. */
function evaluate(fn: TypedFn, cells: readonly Cell[], type: ValueType = "int"): Cell {
  const args = cells.map((cell, i) => input(i, typeof cell === "string" ? "string" : "int"));
  return createEvaluator(call(fn, args, type))(cells);
}

describe("integers", () => {
  const exact: readonly (readonly [TypedFn, (a: bigint, b: bigint) => bigint])[] = [
    ["+", (a, b) => a + b],
    ["-", (a, b) => a - b],
    ["*", (a, b) => a * b],
  ];

  test.each(exact)("%s is exact, and overflows beyond 64 bits", (fn, meaning) => {
    fc.assert(
      fc.property(int64, int64, (a, b) => {
        const result = meaning(a, b);
        const isWithin = BigInt.asIntN(64, result) === result;
        expect(evaluate(fn, [a, b])).toBe(isWithin ? result : overflow);
      }),
    );
  });

  it("are divided toward zero, and by zero they have no value", () => {
    fc.assert(
      fc.property(int64, fc.bigInt({ min: -9n, max: 9n }), (a, b) => {
        const isOverflow = a === -(2n ** 63n) && b === -1n;
        expect(evaluate("/", [a, b])).toBe(b === 0n ? null : isOverflow ? overflow : a / b);
        expect(evaluate("%", [a, b])).toBe(b === 0n ? null : a % b);
      }),
    );
  });

  it("are compared at their own scales", () => {
    const args = [input(0, "int", 1), input(1, "int", 3)];
    const evaluateEqual = createEvaluator(call("=", args, "truth"));
    expect(evaluateEqual([15n, 1_500n])).toBe(true);
    expect(evaluateEqual([15n, 1_501n])).toBe(false);
  });
});

describe("missing values", () => {
  it("make the result of most functions missing", () => {
    for (const fn of ["+", "*", "/", "=", "<"] as const) {
      expect(evaluate(fn, [null, 1n])).toBeNull();
      expect(evaluate(fn, [1n, null])).toBeNull();
    }
  });

  it("are skipped by coalesce, least and greatest", () => {
    fc.assert(
      fc.property(fc.array(fc.option(int64), { minLength: 1, maxLength: 4 }), (cells) => {
        const present = cells.filter((cell) => cell !== null);
        const sorted = present.toSorted((a, b) => (a < b ? -1 : 1));
        expect(evaluate("coalesce", cells)).toBe(present[0] ?? null);
        expect(evaluate("least", cells)).toBe(sorted[0] ?? null);
        expect(evaluate("greatest", cells)).toBe(sorted.at(-1) ?? null);
      }),
    );
  });

  it("are not equal to anything in a list, unless another element decides", () => {
    expect(evaluate("in", [2n, 1n, 2n, null], "truth")).toBe(true);
    expect(evaluate("in", [3n, 1n, null], "truth")).toBeNull();
    expect(evaluate("in", [3n, 1n], "truth")).toBe(false);
  });
});

it("and, or and not follow SQL's three-valued logic", () => {
  fc.assert(
    fc.property(truth, truth, (a, b) => {
      const isKnown = a !== null && b !== null;
      const both = a === false || b === false ? false : isKnown ? true : null;
      const either = a === true || b === true ? true : isKnown ? false : null;
      expect(evaluate("and", [a, b], "truth")).toBe(both);
      expect(evaluate("or", [a, b], "truth")).toBe(either);
      expect(evaluate("not", [a], "truth")).toBe(a === null ? null : !a);
    }),
  );
});

it("an overflow is kept unless a condition is decided without it", () => {
  expect(evaluate("and", [false, overflow], "truth")).toBe(false);
  expect(evaluate("and", [true, overflow], "truth")).toBe(overflow);
  expect(evaluate("coalesce", [null, overflow, 1n])).toBe(overflow);
  expect(evaluate("is missing", [overflow], "truth")).toBe(overflow);
});

it("case takes the value of the first true condition, else the last", () => {
  fc.assert(
    fc.property(truth, truth, (first, second) => {
      const expected = first === true ? 1n : second === true ? 2n : 3n;
      expect(evaluate("case", [first, 1n, second, 2n, 3n])).toBe(expected);
    }),
  );
});

describe("strings", () => {
  const asJavaScript: readonly (readonly [TypedFn, (a: string, b: string) => Cell])[] = [
    ["contains", (a, b) => a.includes(b)],
    ["starts_with", (a, b) => a.startsWith(b)],
    ["ends_with", (a, b) => a.endsWith(b)],
    ["concat", (a, b) => a + b],
    ["position", (a, b) => BigInt(a.includes(b) ? [...a.split(b)[0]!].length + 1 : 0)],
  ];

  test.each(asJavaScript)("%s means what JavaScript's strings mean", (fn, meaning) => {
    fc.assert(
      fc.property(text, text, fc.nat(4), (a, b, from) => {
        for (const part of [b, a.slice(from)]) {
          if (part === "") continue;
          expect(evaluate(fn, [a, part], "string")).toBe(meaning(a, part));
        }
      }),
    );
  });

  it("have the length and the parts of their code points", () => {
    fc.assert(
      fc.property(text, fc.nat(6), (value, count) => {
        const points = [...value];
        expect(evaluate("length", [value])).toBe(BigInt(points.length));
        const left = points.slice(0, count).join("");
        expect(evaluate("left", [value, BigInt(count)], "string")).toBe(left);
        const right = points.slice(Math.max(0, points.length - count)).join("");
        expect(evaluate("right", [value, BigInt(count)], "string")).toBe(right);
      }),
    );
  });

  it("are searched by patterns with a constant text", () => {
    const matches = (fn: "like" | "~", pattern: string) =>
      createEvaluator(call(fn, [input(0, "string"), constant("string", pattern)], "truth"));
    expect(matches("like", "a%z")(["a to z"])).toBe(true);
    expect(matches("like", "a%z")(["a to b"])).toBe(false);
    expect(matches("~", "^a+$")(["aaa"])).toBe(true);
    expect(matches("~", "^a+$")([null])).toBeNull();
  });

  it("become integers where they are decimal digits, and are missing otherwise", () => {
    fc.assert(
      fc.property(int64, (value) => {
        expect(evaluate("to_int", [value.toString()])).toBe(value);
      }),
    );
    expect(evaluate("to_int", ["12a"])).toBeNull();
  });

  it("joined with a separator leave out what is missing", () => {
    const args: readonly TypedExpression[] = [0, 1, 2, 3].map((i) => input(i, "string"));
    const joined = createEvaluator(call("concat_ws", args, "string"));
    expect(joined(["-", "a", null, "c"])).toBe("a-c");
    expect(joined([null, "a", "b", "c"])).toBeNull();
  });
});
