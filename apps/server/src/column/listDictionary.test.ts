import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ListDictionary } from "./listDictionary.js";

const element = fc.oneof(
  fc.constantFrom("", "a", "b", "\u{1F41F}", "\uFFFF", "a,b", '"'),
  fc.string({ unit: "grapheme", maxLength: 6 }),
);
const lists = fc.array(fc.array(element, { maxLength: 8 }), { maxLength: 200 });

describe("ListDictionary", () => {
  test("S4 S5 S23 S24 S25: one code for each distinct list, order and repeats kept", () => {
    fc.assert(
      fc.property(lists, (wanted) => {
        const dictionary = new ListDictionary();
        const codeOf = new Map<string, number>();
        for (const list of wanted) {
          const text = JSON.stringify(list);
          const code = dictionary.intern(text);
          expect(code).toBe(codeOf.get(text) ?? codeOf.size + 1);
          codeOf.set(text, code);
        }
        expect(dictionary.codeCount).toBe(codeOf.size + 1);
        for (const [text, code] of codeOf) expect(dictionary.valueOf(code)).toBe(text);
      }),
    );
  });

  test.each([0, 1, 65_535, 65_536])("S24: a list of %i elements", (length) => {
    const dictionary = new ListDictionary();
    const list = Array.from({ length }, (_, i) => `frame ${i % 300}`);
    const code = dictionary.internList(list);
    expect(dictionary.internList([...list])).toBe(code);
    expect(dictionary.internList([...list, "x"])).not.toBe(code);
    expect(JSON.parse(dictionary.valueOf(code))).toEqual(list);
  });

  test("the empty list is a value, and has a code of its own", () => {
    const dictionary = new ListDictionary();
    expect(dictionary.intern("[]")).toBe(1);
    expect(dictionary.intern('[""]')).toBe(2);
    expect(dictionary.listOf(1)).toHaveLength(0);
    expect(() => dictionary.listOf(0)).toThrow();
    expect(() => dictionary.listOf(3)).toThrow();
  });

  test("a hundred thousand stacks of thirty shared frames take 130 bytes each", () => {
    const dictionary = new ListDictionary();
    for (let i = 0; i < 100_000; i++) {
      const stack = Array.from({ length: 30 }, (_, at) => `frame ${(i >> (at % 17)) % 300}`);
      dictionary.internList([...stack, `leaf ${i % 5000}`, `line ${i % 7919}`]);
    }
    expect(dictionary.codeCount).toBe(100_001);
    expect(dictionary.bytes / 100_000).toBeLessThan(32 * 4 * 1.3 + 30);
  });
});
