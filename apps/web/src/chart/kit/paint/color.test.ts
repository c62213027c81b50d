import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createColorBook, hueOfName, otherHue, symbolOf, tokenOf, toneCount } from "./color.js";

describe("hues", () => {
  test("a name keeps its hue whatever it is shown with", () => {
    const book = createColorBook();
    const [cart] = book.huesOf(["cart", "search", "checkout"]);
    expect(book.huesOf(["login", "cart"])[1]).toBe(cart);
  });
  test("a name has the hue of its own for everybody, whatever was shown before", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 20 }), fc.string(), (names, name) => {
        const book = createColorBook();
        const [hue] = book.huesOf([name]);
        book.huesOf(names);
        expect([hue, createColorBook().huesOf([name])[0]]).toEqual([
          hueOfName(name),
          hueOfName(name),
        ]);
      }),
    );
  });
  test("moved hues are reported, and a book that starts with them shows the same", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 25 }), (names) => {
        let moved: ReadonlyMap<string, number> = new Map();
        const book = createColorBook(new Map(), (kept) => {
          moved = kept;
        });
        const [first, ...rest] = names;
        book.huesOf(rest);
        book.huesOf([first!]);
        const hues = book.huesOf(names);
        for (const name of names) {
          const hue = book.huesOf([name])[0];
          expect(moved.get(name) ?? hueOfName(name)).toBe(hue);
        }
        expect(createColorBook(moved).huesOf(names)).toEqual(hues);
      }),
    );
  });
  test("the eleventh has a tone again, with a symbol", () => {
    const names = Array.from({ length: 12 }, (_, i) => `service-${i}`);
    const hues = createColorBook().huesOf(names);
    const looks = hues.map((hue) => `${tokenOf(hue)} ${symbolOf(hue)}`);
    expect(new Set(looks).size).toBe(12);
    expect(looks.filter((look) => look.endsWith(" none"))).toHaveLength(toneCount);
    expect(looks.filter((look) => look.endsWith(" diamond"))).toHaveLength(2);
  });
  test("an address may name hues that there are not", () => {
    const book = createColorBook(new Map([["a", 99]]));
    expect(book.huesOf(["a"])).toEqual([hueOfName("a")]);
  });
  test("up to thirty names differ, whatever their order", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: otherHue }), (names) => {
        const hues = createColorBook().huesOf(names);
        expect(new Set(hues).size).toBe(names.length);
        const reversed = createColorBook().huesOf([...names].reverse());
        expect(reversed.reverse()).toEqual(hues);
      }),
    );
  });
  test("names that met elsewhere still differ here", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 12, maxLength: 20 }), (names) => {
        const book = createColorBook();
        book.huesOf(names.slice(0, 6));
        book.huesOf(names.slice(6, 12));
        const chosen = [...names.slice(0, 4), ...names.slice(6, 10)];
        expect(new Set(book.huesOf(chosen)).size).toBe(8);
      }),
    );
  });
  test("of an answer that is still coming nothing is remembered", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 25 }), (names) => {
        const book = createColorBook(new Map(), () => expect.fail("nothing has moved for good"));
        const hues = book.passing.huesOf(names);
        expect(new Set(hues).size).toBe(names.length);
        for (const name of names) expect(book.huesOf([name])).toEqual([hueOfName(name)]);
      }),
    );
  });
});
