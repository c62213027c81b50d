import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createColorBook, hueCount } from "./color.js";

describe("hues", () => {
  test("a name keeps its hue whatever it is shown with", () => {
    const book = createColorBook();
    const [cart] = book.huesOf(["cart", "search", "checkout"]);
    expect(book.huesOf(["login", "cart"])[1]).toBe(cart);
  });
  test("what a book has learned, the next one knows", () => {
    let learned: ReadonlyMap<string, number> = new Map();
    const names = ["a", "b", "c"];
    const hues = createColorBook(new Map(), (known) => {
      learned = known;
    }).huesOf(names);
    expect(
      createColorBook(new Map(learned))
        .huesOf([...names, "d", "e"])
        .slice(0, 3),
    ).toEqual(hues);
  });
  test("up to ten names differ, whatever their order", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: hueCount }), (names) => {
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
});
