import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type Cell, overflow } from "../term/cell.js";
import type { JsFn, TypedExpression } from "../term/typedExpression.js";
import { createJsFunction } from "./evaluateJs.js";

const double = fc.double();
/** A number, or a missing value. */
const cell = fc.option(double);

/** What a function of JavaScript reads where a row has no value. */
const asJs = (value: number | null): number => value ?? (undefined as unknown as number);

function apply(fn: JsFn, cells: readonly Cell[], args: readonly TypedExpression[] = []): Cell {
  return createJsFunction(fn, args, 0)(cells);
}

function input(type: "int" | "number", decimals: number): TypedExpression {
  return { kind: "input", index: 0, type, decimals };
}

const numbersOfTwo: readonly (readonly [JsFn, (a: number, b: number) => number])[] = [
  ["js +", (a, b) => a + b],
  ["js -", (a, b) => a - b],
  ["js *", (a, b) => a * b],
  ["js /", (a, b) => a / b],
  ["js %", (a, b) => a % b],
  ["js pow", (a, b) => a ** b],
  ["js min", Math.min],
  ["js max", Math.max],
];

test.each(numbersOfTwo)("%s gives the number that JavaScript gives", (fn, meaning) => {
  fc.assert(
    fc.property(cell, cell, (a, b) => {
      expect(apply(fn, [a, b])).toBe(meaning(asJs(a), asJs(b)));
    }),
  );
});

const numbersOfOne: readonly (readonly [JsFn, (a: number) => number])[] = [
  ["js negate", (a) => -a],
  ["js abs", Math.abs],
  ["js floor", Math.floor],
  ["js ceil", Math.ceil],
  ["js trunc", Math.trunc],
  ["js round", Math.round],
  ["js sqrt", Math.sqrt],
];

test.each(numbersOfOne)("%s gives the number that JavaScript gives", (fn, meaning) => {
  fc.assert(
    fc.property(cell, (a) => {
      expect(apply(fn, [a])).toBe(meaning(asJs(a)));
    }),
  );
});

const conditions: readonly (readonly [JsFn, (a: number, b: number) => boolean])[] = [
  ["js =", (a, b) => a === b],
  ["js <", (a, b) => a < b],
  ["js <=", (a, b) => a <= b],
  ["js >", (a, b) => a > b],
  ["js >=", (a, b) => a >= b],
];

test.each(conditions)("%s compares as JavaScript compares, also equal numbers", (fn, meaning) => {
  fc.assert(
    fc.property(cell, cell, (a, b) => {
      expect(apply(fn, [a, b])).toBe(meaning(asJs(a), asJs(b)));
      expect(apply(fn, [a, a])).toBe(meaning(asJs(a), asJs(a)));
    }),
  );
});

it("takes a number as a condition as JavaScript does", () => {
  fc.assert(
    fc.property(cell, (a) => {
      expect(apply("js truthy", [a])).toBe(Boolean(asJs(a)));
    }),
  );
});

it("counts true as 1, false as 0 and a missing condition as NaN", () => {
  expect(apply("js of truth", [true])).toBe(1);
  expect(apply("js of truth", [false])).toBe(0);
  expect(apply("js of truth", [null])).toBeNaN();
});

describe("numbers of rows", () => {
  it("come back as the integer that was stored", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        const number = apply("js number", [BigInt(value)], [input("int", 0)]);
        expect(apply("js store", [number], [input("number", 0)])).toBe(BigInt(value));
      }),
    );
  });

  it("have their decimal point in JavaScript", () => {
    expect(apply("js number", [1_234n], [input("int", 2)])).toBe(12.34);
  });

  it("are missing where JavaScript has no finite number", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, null]) {
      expect(apply("js store", [value])).toBeNull();
    }
  });

  it("overflow where the number needs more than 64 bits", () => {
    expect(apply("js store", [1e19])).toBe(overflow);
    expect(apply("js store", [-1e19])).toBe(overflow);
  });
});
