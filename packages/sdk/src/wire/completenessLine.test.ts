import fc from "fast-check";
import { expect, test } from "vitest";
import { parseCompletenessLine, printCompletenessLine } from "./completenessLine.js";

const completeness = fc.record({
  fraction: fc.double({ min: 0, max: 1, noNaN: true }).map((share) => share + 0),
  rowsExpected: fc.nat(),
  rowsAnswered: fc.nat(),
  leaves: fc.record({
    answered: fc.nat(),
    total: fc.nat(),
    missing: fc.array(fc.string({ minLength: 1, unit: "grapheme" })),
  }),
});

test("what is printed is one line of ASCII, and read as it was", () => {
  fc.assert(
    fc.property(completeness, (known) => {
      const line = printCompletenessLine(known);
      expect(line).toMatch(/^[\x20-\x7e]+$/);
      expect(parseCompletenessLine(line)).toEqual(known);
      const unknown = { ...known, known: false as const, reason: `${line}; why – unknown` };
      const second = printCompletenessLine(unknown);
      expect(second).toMatch(/^[\x20-\x7e]+$/);
      expect(parseCompletenessLine(second)).toEqual(unknown);
    }),
  );
});

test.each([
  null,
  "",
  "1",
  "1; rows 1/1",
  "1; rows 1/1; leaves 1/1; missing",
  "-.; rows 1/1; leaves 1/1",
  "<p>",
])("%j is none", (text) => {
  expect(() => parseCompletenessLine(text)).toThrow("came without x-hadal-completeness");
});
