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

  test("the empty list is a value with a code", () => {
    const dictionary = new ListDictionary();
    expect(dictionary.intern("[]")).toBe(1);
    expect(dictionary.intern('[""]')).toBe(2);
    expect(dictionary.listOf(1)).toHaveLength(0);
    expect(() => dictionary.listOf(0)).toThrow();
    expect(() => dictionary.listOf(3)).toThrow();
  });

  test("frozen, it keeps its lists in half the memory, finds them, and takes no more", () => {
    const grown = (count: number, elementCount: number): ListDictionary => {
      const dictionary = new ListDictionary();
      for (let i = 0; i < count; i++) {
        const length = (i * 7) % 9;
        dictionary.internList(Array.from({ length }, (_, k) => `e${(i * 31 + k) % elementCount}`));
      }
      return dictionary;
    };
    for (const [count, elementCount] of [
      [0, 1],
      [1, 5],
      [5_000, 300],
      [90_000, 70_000],
    ] as const) {
      const frozen = grown(count, elementCount);
      const twin = grown(count, elementCount);
      frozen.freeze();
      frozen.freeze();
      expect([frozen.isFrozen, frozen.codeCount]).toEqual([true, twin.codeCount]);
      if (count > 1_000) expect(frozen.listBytes).toBeLessThan(twin.listBytes * 0.75);
      for (let code = 1; code < twin.codeCount; code += 1 + (count >> 10)) {
        expect([...frozen.listOf(code)]).toEqual([...twin.listOf(code)]);
        expect(frozen.codeOf(twin.valueOf(code))).toBe(code);
      }
      expect(frozen.codeOf('["nowhere"]')).toBe(0);
      expect(() => frozen.internList(["e0"])).toThrow("frozen");
    }
  });

  test("dictionaries that share elements give them the same codes", () => {
    const first = new ListDictionary();
    first.internList(["a", "b"]);
    const second = new ListDictionary(first.elements);
    second.internList(["c", "b"]);
    expect([...second.listOf(1)]).toEqual([3, 2]);
    expect(first.codeOf('["c"]')).toBe(0);
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
