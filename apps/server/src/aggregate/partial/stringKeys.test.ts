import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeStrings, encodeStrings } from "../../base/bytes/stringList.js";
import { compareCodePoints } from "../../base/text/codePointOrder.js";
import { keyOrder } from "../key/keyOrdinals.js";
import { bestFirst } from "../key/order.js";
import { dictionarySize, stringKeysOf, takeStrings, textOfGroup } from "./stringKeys.js";

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 4 }),
  fc.constantFrom("", "a", "\ufeffb", "\uffff", "\u{1f600}", "é", "a\u0000"),
);
const dictionary = fc.array(text, { minLength: 1, maxLength: 12 });

describe("keys whose dictionary came as bytes", () => {
  test("are those whose dictionary is strings", () => {
    fc.assert(
      fc.property(dictionary, fc.array(fc.nat(11), { maxLength: 9 }), (strings, picks) => {
        const codes = Int32Array.from(picks, (pick) => (pick % (strings.length + 1)) - 1);
        const keys = stringKeysOf(encodeStrings(strings), codes);
        expect(dictionarySize(keys)).toBe(strings.length);
        const found = Array.from(codes, (_, group) => textOfGroup(keys, group));
        expect(found).toEqual(Array.from(codes, (code) => strings[code] ?? null));
        expect(keys).toEqual({ kind: "string", dictionary: strings, codes });
        const some = takeStrings(keys, codes.subarray(1));
        expect(some).toEqual({ kind: "string", dictionary: strings, codes: codes.subarray(1) });
        expect(some.bytes).toBe(keys.bytes);
      }),
    );
  });

  test("of few groups take along what these use of a large dictionary, and nothing else", () => {
    const strings = Array.from({ length: 5_000 }, (_, i) => (i % 7 === 0 ? `é${i}` : `s${i}`));
    const codes = Int32Array.from({ length: 5_000 }, (_, i) => 4_999 - i);
    const fromBytes = stringKeysOf(encodeStrings(strings), codes);
    const fromStrings = { kind: "string", dictionary: strings, codes } as const;
    for (const keys of [fromBytes, fromStrings]) {
      const some = takeStrings(keys, Int32Array.of(7, -1, 4_999, 7, 0));
      expect(some).toEqual({
        kind: "string",
        dictionary: ["é7", "s4999", "é0"],
        codes: Int32Array.of(0, -1, 1, 0, 2),
      });
      expect(dictionarySize(takeStrings(keys, codes))).toBe(5_000);
    }
  });

  test("sort by code point", () => {
    fc.assert(
      fc.property(dictionary, (strings) => {
        const codes = Int32Array.from(strings, (_, i) => i);
        const keys = stringKeysOf(encodeStrings(strings), codes);
        const order = bestFirst(strings.length, keyOrder([keys]), strings.length);
        const sorted = [...strings].sort(compareCodePoints);
        expect(Array.from(order, (code) => strings[code])).toEqual(sorted);
      }),
    );
  });

  test("whose text and lengths do not fit are refused", () => {
    const { text, lengths } = encodeStrings(["one", "two"]);
    const codes = Int32Array.of(0, 1);
    expect(() => stringKeysOf({ text: text.subarray(1), lengths }, codes)).toThrow("lengths");
  });
});

test("many strings become bytes and come back, wherever the first is that is no ASCII", () => {
  for (const at of [-1, 0, 511, 512, 1_999]) {
    const strings = Array.from({ length: 2_000 }, (_, i) => (i === at ? "Grüße 😀" : `text ${i}`));
    const { text, lengths } = encodeStrings(strings);
    expect(text).toEqual(new TextEncoder().encode(strings.join("")));
    expect(decodeStrings(text, lengths)).toEqual(strings);
  }
});
