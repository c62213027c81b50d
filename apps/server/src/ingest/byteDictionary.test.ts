import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeStrings } from "../base/stringList.js";
import { ByteDictionary, hashBytes, hashSeed } from "./byteDictionary.js";

const text = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("", "a", "é", "日本", "🜂", "\ufeff", "x".repeat(6_000)),
);

it("gives equal strings one code and others another, however they come", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.boolean()), { maxLength: 200 }), (texts) => {
      const dictionary = new ByteDictionary();
      const codeOf = new Map<string, number>();
      for (const [value, asBytes] of texts) {
        const expected = codeOf.get(value) ?? codeOf.size + 1;
        codeOf.set(value, expected);
        expect(asBytes ? internBytes(dictionary, value) : dictionary.internText(value)).toBe(
          expected,
        );
      }
      const { text: bytes, lengths } = dictionary.encode();
      expect(decodeStrings(bytes, lengths)).toEqual([...codeOf.keys()]);
    }),
  );
});

it("tells strings of one hash apart", () => {
  const dictionary = new ByteDictionary();
  const bytes = viewOf("abcabd");
  expect(dictionary.intern(bytes, 0, 3, 7)).toBe(1);
  expect(dictionary.intern(bytes, 3, 6, 7)).toBe(2);
  expect(dictionary.find(bytes, 0, 3, 7)).toBe(1);
  expect(dictionary.find(bytes, 3, 6, 7)).toBe(2);
  expect(dictionary.find(bytes, 0, 2, 7)).toBe(0);
});

function internBytes(dictionary: ByteDictionary, value: string): number {
  const bytes = viewOf(`«${value}»`);
  const start = 2;
  const end = bytes.byteLength - 2;
  return dictionary.intern(bytes, start, end, hashBytes(bytes, start, end, hashSeed));
}

function viewOf(value: string): DataView {
  const bytes = new TextEncoder().encode(value);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
