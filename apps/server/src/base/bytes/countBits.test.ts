import fc from "fast-check";
import { expect, test } from "vitest";
import { countBits } from "./countBits.js";

test("counts the bits of every word", () => {
  fc.assert(
    fc.property(fc.uint32Array(), (words) => {
      const ones = [...words].map((word) => word.toString(2)).join("");
      expect(countBits(words)).toBe(ones.replaceAll("0", "").length);
    }),
  );
});
