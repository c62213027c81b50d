import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeStrings, encodeStrings } from "../../base/bytes/stringList.js";
import { atOnce } from "../../base/schedule/steps.js";
import { FollowUpStrings } from "./followUpStrings.js";

const text = fc.string({ unit: "grapheme", maxLength: 6 });

test("finds the numbers of the wanted strings, and no others", () => {
  fc.assert(
    fc.property(fc.uniqueArray(text), fc.array(text), (strings, others) => {
      const asked = [...strings.filter((_, i) => i % 3 === 0), ...others];
      const found = atOnce(FollowUpStrings.find(encodeStrings(strings), asked));
      for (const one of asked) expect(found.numberOf(one)).toBe(strings.indexOf(one));
      const { strings: kept, indexOf } = found.all();
      const texts = decodeStrings(kept.text, kept.lengths);
      expect(texts).toEqual([...new Set(asked)]);
      for (const [number, index] of indexOf) expect(texts[index]).toBe(strings[number]);
      expect(indexOf.size).toBe(new Set(asked.filter((one) => strings.includes(one))).size);
    }),
  );
});

test("without wanted strings nothing is found", () => {
  const found = atOnce(FollowUpStrings.find(encodeStrings(["a", "b"]), []));
  expect(found.numberOf("a")).toBe(-1);
  expect(found.all().indexOf.size).toBe(0);
});
