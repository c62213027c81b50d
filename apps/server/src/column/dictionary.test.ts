import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeStrings } from "../base/bytes/stringList.js";
import { Dictionary } from "./dictionary.js";

const text = fc.oneof(
  fc.string({ maxLength: 3 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("", "a", "é", "日本", "🜂", "\ufeff", "\ufffd", "x".repeat(6_000)),
);

test("values keep the code of their first arrival, alone or with others", () => {
  fc.assert(
    fc.property(fc.array(fc.array(text, { maxLength: 40 }), { maxLength: 8 }), (batches) => {
      const dictionary = new Dictionary();
      const codes = new Map<string, number>();
      for (const [turn, values] of batches.entries()) {
        const expected = values.map((value) => {
          const code = codes.get(value) ?? codes.size + 1;
          codes.set(value, code);
          return code;
        });
        const found =
          turn % 2 === 0
            ? [...dictionary.internAll(encodeStrings(values))].slice(1)
            : values.map((value) => dictionary.intern(value));
        expect(found).toEqual(expected);
        // Strings that were made stay right when more come.
        for (const [value, code] of codes) expect(dictionary.valueOf(code)).toBe(value);
      }
      expect(dictionary.codeCount).toBe(codes.size + 1);
      for (const [value, code] of codes) {
        expect(dictionary.codeOf(value)).toBe(code);
        expect(Buffer.from(dictionary.bytesOf(code)).toString()).toBe(value);
      }
      const backwards = [...codes.keys()].reverse();
      const encoded = dictionary.encode(backwards.map((value) => codes.get(value)!));
      expect(encoded).toEqual(encodeStrings(backwards));
    }),
  );
});

test("an unknown value has no code, nor has text that UTF-8 cannot encode", () => {
  const dictionary = new Dictionary();
  dictionary.intern("\ufffd");
  expect(dictionary.codeOf("\ud800")).toBe(0);
  expect(dictionary.codeOf("a")).toBe(0);
  for (const code of [0, 2, -1, 0.5]) {
    expect(() => dictionary.valueOf(code)).toThrow(/no value has code/);
    expect(() => dictionary.bytesOf(code)).toThrow(/no value has code/);
    expect(() => dictionary.encode([code])).toThrow(/no value has code/);
  }
});

test("its size grows with values, and with strings that were made of them", () => {
  const dictionary = new Dictionary();
  const before = dictionary.bytes;
  const values = Array.from({ length: 1_000 }, (_, i) => `${i}`.padStart(100));
  dictionary.internAll(encodeStrings(values));
  const interned = dictionary.bytes - before;
  expect(interned).toBeGreaterThan(100 * 1_000);
  expect(interned).toBeLessThan(140 * 1_000);
  const { storedBytes } = dictionary;
  for (let code = 1; code <= 1_000; code++) dictionary.valueOf(code);
  // Whether it takes more must not hang on who asked for what.
  expect(dictionary.storedBytes).toBe(storedBytes);
  expect(dictionary.bytes - before - interned).toBeGreaterThanOrEqual(100 * 1_000);
});
