import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeEntry, encodeEntry } from "./entryCodec.js";

test("F15: whatever is kept comes back as it was; with any bit wrong, or cut off, it is a miss", () => {
  const entry = encodeEntry({
    ...{ big: 2n ** 70n, none: null, bytes: Uint8Array.of(1, 2, 3), nan: Number.NaN },
    expected: new Map([["leaf-1", 7]]),
  });
  expect(decodeEntry(entry)).toEqual({
    ...{ big: 2n ** 70n, none: null, bytes: Uint8Array.of(1, 2, 3), nan: Number.NaN },
    expected: new Map([["leaf-1", 7]]),
  });
  fc.assert(
    fc.property(fc.nat(entry.length * 8 - 1), (bit) => {
      const wrong = entry.slice();
      wrong[bit >> 3]! ^= 1 << (bit & 7);
      expect(decodeEntry(wrong)).toBeNull();
    }),
  );
  fc.assert(
    fc.property(fc.nat(entry.length - 1), (length) => {
      expect(decodeEntry(entry.slice(0, length))).toBeNull();
    }),
  );
});
