import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvalidRow, printRow } from "./printRow.js";
import { utf8Bytes } from "./rowBuffer.js";

describe("printRow", () => {
  test.each<[unknown, string]>([
    [{ id: 9_223_372_036_854_775_807n }, '{"id":9223372036854775807}'],
    [{ a: -0 }, '{"a":0}'],
    [{ a: undefined, b: null, c: [undefined] }, '{"b":null,"c":[null]}'],
    [{ tags: new Set(["b", "a"]) }, '{"tags":{"$set":["b","a"]}}'],
    [{ time: new Date(0) }, '{"time":"1970-01-01T00:00:00.000Z"}'],
    [{ a: { b: [1, "x", true] } }, '{"a":{"b":[1,"x",true]}}'],
    [JSON.parse('{"__proto__":1,"constructor":2}'), '{"__proto__":1,"constructor":2}'],
  ])("%s", (row, expected) => {
    expect(printRow(row)).toBe(expected);
  });

  const loop: Record<string, unknown> = {};
  loop.self = loop;
  test.each<[string, unknown]>([
    ["a is NaN", { a: Number.NaN }],
    ["a.b[1] is -Infinity", { a: { b: [1, Number.NEGATIVE_INFINITY] } }],
    ["a is a function", { a: () => 1 }],
    ["a is a symbol", { a: Symbol("x") }],
    ["a is a Map", { a: new Map() }],
    ["nests deeper", loop],
    ["A row is an object", [1]],
    ["A row is an object", null],
  ])("refuses a row where %s", (reason, row) => {
    expect(() => printRow(row)).toThrow(InvalidRow);
    expect(() => printRow(row)).toThrow(reason);
  });

  test("says the same as JSON.stringify for whatever JSON can say", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })),
        (row) => printRow(row) === JSON.stringify(row),
      ),
    );
  });

  test("counts the bytes of UTF-8", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        (text) => utf8Bytes(text) === Buffer.byteLength(text),
      ),
    );
  });
});
