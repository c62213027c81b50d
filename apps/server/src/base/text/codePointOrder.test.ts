import fc from "fast-check";
import { expect, test } from "vitest";
import { compareCodePoints } from "./codePointOrder.js";

test("strings order by code point, as their UTF-8 bytes do", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "é", "\u{d7ff}", "\u{e000}", "\u{ffff}", "🙂", "\u{10ffff}"),
  });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareCodePoints(a, b))).toBe(
        Buffer.compare(Buffer.from(a), Buffer.from(b)),
      );
    }),
  );
});
