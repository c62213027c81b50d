import fc from "fast-check";
import { expect, test } from "vitest";
import { shortenName } from "../../../format/name.js";
import { fitName } from "./fitName.js";

/** A narrow letter takes a third of a wide one; so does the sign for what is left out. */
const widthOf = (text: string): number =>
  [...text].reduce((sum, letter) => sum + ("il…".includes(letter) ? 3 : 9), 0);

/** One letter less after another. */
function fittedSlowly(name: string, charsMax: number, roomPx: number): string {
  for (let chars = charsMax; chars > 1; chars--) {
    const text = shortenName(name, chars);
    if (widthOf(text) <= roomPx) return text;
  }
  return "";
}

test("the longest part that fits is the same as letter by letter", () => {
  const names = fc.string({ unit: fc.constantFrom("i", "l", "m", "W", "🦊"), maxLength: 40 });
  fc.assert(
    fc.property(names, fc.integer({ max: 50 }), fc.integer({ max: 400 }), (name, max, roomPx) => {
      expect(fitName(name, max, roomPx, widthOf)).toBe(fittedSlowly(name, max, roomPx));
    }),
  );
});

test("a name of a megabyte is measured a few times", () => {
  let measured = 0;
  const name = "m".repeat(1_000_000);
  const fitted = fitName(name, name.length, 100, (text) => {
    measured += 1;
    return text.length * 9;
  });
  expect(fitted).toBe("mmmmm…mmmmm");
  expect(measured).toBeLessThan(30);
});
