import fc from "fast-check";
import { expect, it } from "vitest";
import { ByteDictionary, hashBytes, hashSeed } from "./byteDictionary.js";
import { decodeStrings, encodeStrings } from "./stringList.js";

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

it("distinguishes strings of one hash that come in a list", () => {
  const [one, other] = stringsOfOneHash();
  for (const known of [[], [one], [other, one]]) {
    const dictionary = new ByteDictionary();
    for (const text of known) dictionary.internText(text);
    const codes = new Uint32Array(5);
    dictionary.internStrings(encodeStrings([one, other, "", one]), codes);
    expect([...codes]).toEqual([0, ...[one, other, "", one].map((t) => dictionary.findText(t))]);
    expect(new Set(codes.subarray(1)).size).toBe(3);
  }
});

it("distinguishes strings of one hash", () => {
  const dictionary = new ByteDictionary();
  const bytes = viewOf("abcabd");
  expect(dictionary.intern(bytes, 0, 3, 7)).toBe(1);
  expect(dictionary.intern(bytes, 3, 6, 7)).toBe(2);
  expect(dictionary.find(bytes, 0, 3, 7)).toBe(1);
  expect(dictionary.find(bytes, 3, 6, 7)).toBe(2);
  expect(dictionary.find(bytes, 0, 2, 7)).toBe(0);
});

it.each([
  ["numbers with zeros before them", (i: number) => `item${`${i}`.padStart(4, "0")}`],
  ["what differs in its last two bytes", (i: number) => `some prefix aa${pair(i)}`],
  ["addresses", (i: number) => `10.0.${100 + Math.floor(i / 100)}.${100 + (i % 100)}`],
  ["what differs in the middle", (i: number) => `/api/${pair(i)}/users`],
])("spreads %s over the slots", (_, textOf) => {
  const slots = new Set<number>();
  for (let i = 0; i < 8_000; i++) {
    const bytes = viewOf(textOf(i));
    slots.add(hashBytes(bytes, 0, bytes.byteLength, hashSeed) & 0x7fff);
  }
  // By chance 7,090 of the 32,768 are taken; a tenth fewer never are.
  expect(slots.size).toBeGreaterThan(6_400);
});

/** Two printable characters. */
const pair = (i: number): string =>
  String.fromCharCode(0x21 + (i % 90), 0x21 + (Math.floor(i / 90) % 90));

it("takes no string for which there is no room", () => {
  const dictionary = new ByteDictionary();
  // None of it is read before there is room for all.
  expect(() => dictionary.intern(viewOf(""), 0, 2 ** 31 + 1, 5)).toThrow(/do not fit/);
  expect(dictionary.size).toBe(0);
  expect(dictionary.internText("a")).toBe(1);
  expect(dictionary.textOf(1)).toBe("a");
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

/** Among 300,000 strings that differ all over there are ten such pairs as a rule. */
function stringsOfOneHash(): readonly [string, string] {
  const textOf = (number: number): string =>
    [Math.imul(number + 1, 0x9e3779b1), Math.imul(number ^ 0x5bd1e995, 0x85ebca6b)]
      .map((part) => (part >>> 0).toString(16).padStart(8, "0"))
      .join("");
  const numbers = new Map<number, number>();
  for (let number = 0; ; number++) {
    const bytes = viewOf(textOf(number));
    const hash = hashBytes(bytes, 0, bytes.byteLength, hashSeed);
    const known = numbers.get(hash);
    if (known !== undefined) return [textOf(known), textOf(number)];
    numbers.set(hash, number);
  }
}
