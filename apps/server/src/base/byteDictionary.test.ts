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
      const { text: bytes, lengths } = dictionary.encodeAll();
      expect(decodeStrings(bytes, lengths)).toEqual([...codeOf.keys()]);
    }),
  );
});

it("takes many strings at once as one by one", () => {
  const run = fc.array(text, { maxLength: 60 });
  fc.assert(
    // Few hashes: strings meet others of theirs, also such as came in the same run.
    fc.property(fc.array(run, { maxLength: 6 }), fc.constantFrom(1, 7, 0xffff), (runs, mask) => {
      const hashOf = (bytes: DataView) => hashBytes(bytes, 0, bytes.byteLength, hashSeed) & mask;
      const dictionary = new ByteDictionary();
      const twin = new ByteDictionary();
      for (const texts of runs) {
        const views = texts.map(viewOf);
        const lengths = views.map(({ byteLength }) => byteLength);
        let end = 0;
        const ends = Uint32Array.from(lengths, (length) => {
          end += length;
          return end;
        });
        const bytes = new TextEncoder().encode(texts.join(""));
        const codes = new Uint32Array(texts.length + 1);
        const hashes = Int32Array.from(views, hashOf);
        dictionary.internAll({ count: texts.length, bytes, ends, hashes }, codes);
        const expected = views.map((view) => twin.intern(view, 0, view.byteLength, hashOf(view)));
        expect([...codes]).toEqual([0, ...expected]);
      }
      expect(dictionary.encodeAll()).toEqual(twin.encodeAll());
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
