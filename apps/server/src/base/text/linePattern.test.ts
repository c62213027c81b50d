import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { naivePattern } from "../../../test/oracle/naive/naivePattern.js";
import { linePattern } from "./linePattern.js";

describe("the pattern of a line", () => {
  test.each([
    ["GET /users/17/cart took 12.5ms", "GET /users/<*>/cart took <*>ms"],
    ["worker12 took -5 of 1,234,567 rows", "worker<*> took <*> of <*> rows"],
    ["retry in 1h30m, eta=+0.5e-7", "retry in <*>h<*>m, eta=<*>"],
    ["x=1e5 y=1e-05 z=0x1F", "x=<*> y=<*> z=<*>"],
    ["trace 8f3a9c2b and 12345678, aefaddbb", "trace <*> and <*>, <*>"],
    ["acceded to facades", "acceded to facades"],
    ["user usr_8Kx2mQ on k8s-b2b", "user usr_<*> on k<*>s-b<*>b"],
    ["id 8f3a9c2b-1234-4abc-89ab-0123456789ab.", "id <*>."],
    ["from 10.0.0.1:8080 to 10.0.0.2", "from <*> to <*>"],
    ["[fe80::1%eth0] 2001:db8:0:0:0:0:2:1 00:1b:44:11:3a:b7", "[<*>%eth<*>] <*> <*>"],
    ["std::bad dead-beef-cafe-fade ab:cd", "std::bad dead-beef-cafe-fade ab:cd"],
    ["2026-11-28T10:31:55.123Z ok", "<*> ok"],
    ["2026-11-28T10:31:55+01:00 ok", "<*> ok"],
    ["2026-11-28 10:31:55,123 ok", "<*> <*> ok"],
    ["[28/Nov/2026:10:31:55 +0000]", "[<*>/<*>/<*> <*>]"],
    ["Nov  5 10:31:55 host", "<*> <*> <*> host"],
    ["Nov 15 10:31:55 host", "<*> <*> <*> host"],
    ["May be Decline Mar 3", "May be Decline <*> <*>"],
    ["can't open 'a \\'b\\' c' or \"\"", "can't open '<*>' or \"<*>\""],
    ["`x` 'open and don't", "`<*>` 'open and don't"],
    ["a \\\"b\\\" 'c'd' e", "a \\\"b\\\" '<*>' e"],
    ["größe7 日本9x 🙂5", "größe<*> 日本<*>x 🙂<*>"],
    ["rows 3-5, a-7 (-7) 5-ab12cd", "rows <*>, a-<*> (<*>) <*>-<*>"],
    ["", ""],
  ])("%s", (text, pattern) => {
    expect(linePattern(text)).toBe(pattern);
    expect(naivePattern(text)).toBe(pattern);
  });

  const digits = (min: number, max: number) =>
    fc.string({ minLength: min, maxLength: max, unit: fc.constantFrom(..."0123456789") });
  const hex = (length: number) =>
    fc.string({
      minLength: length,
      maxLength: length,
      unit: fc.constantFrom(..."0123456789abcdef"),
    });
  const instant = fc
    .date({ min: new Date(0), max: new Date("9999-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString());
  const kinds = [
    digits(1, 20),
    fc
      .tuple(fc.constantFrom("", "-", "+"), digits(1, 9), digits(1, 9))
      .map(([sign, whole, part]) => `${sign}${whole}.${part}`),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    hex(8),
    hex(32),
    fc.uuid(),
    fc.ipV4(),
    fc.tuple(fc.ipV4(), digits(1, 5)).map(([host, port]) => `${host}:${port}`),
    hex(12)
      .filter((text) => /\d/.test(text))
      .map((text) => text.replace(/..(?=.)/g, "$&:")),
    instant,
    instant.map((text) => text.slice(11, 23)),
    instant.map((text) => text.slice(0, 10)),
  ] as const;
  const quoted = fc
    .tuple(
      fc.constantFrom("'", '"', "`"),
      fc.string().map((text) => text.replace(/['"`\\]/g, "")),
    )
    .map(([quote, text]) => `${quote}${text}${quote}`);
  const fixed = fc.constantFrom(
    "took",
    "of /a/",
    "user=",
    "(",
    ") in",
    "GET",
    "größe",
    "x: ",
    "a_",
  );

  test("lines that differ in their variable parts only have the same", () => {
    const slot = fc.constantFrom(...kinds.keys());
    const template = fc.array(fc.tuple(fixed, slot), { minLength: 1, maxLength: 6 });
    const pair = template.chain((slots) => {
      const line = () =>
        fc
          .tuple(...slots.map(([, kind]) => kinds[kind] as fc.Arbitrary<string>))
          .map((values) => slots.map(([text], i) => `${text} ${values[i]}`).join(" "));
      const want = slots.map(([text]) => `${text} <*>`).join(" ");
      return fc.tuple(line(), line(), fc.constant(want));
    });
    fc.assert(
      fc.property(pair, ([one, other, want]) => {
        expect(linePattern(one)).toBe(want);
        expect(linePattern(other)).toBe(want);
      }),
    );
  });
  test("what is quoted is left out, the quotes stay", () => {
    fc.assert(
      fc.property(fixed, quoted, fixed, (before, text, after) => {
        const quote = text.slice(0, 1);
        const want = `${before} ${quote}<*>${quote} ${after}`;
        expect(linePattern(`${before} ${text} ${after}`)).toBe(want);
      }),
    );
  });
  test("any text has the pattern that the rules give it, read one by one", () => {
    const unit = fc.constantFrom(..."0019afexTZ:-.,+_ ='\"\\`/é🙂", "::", "Nov ", "Mar/", "0x");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
        expect(linePattern(text)).toBe(naivePattern(text));
      }),
      { numRuns: 2_000 },
    );
  });
  test.each(["a-", "'a ", '"\\', "1e", "0:", "::1", "Nov ", "1.", "a1", "\\'"])(
    "a million characters of %j take no more than twice the time of half of them",
    (part) => {
      const text = part.repeat(1_000_000 / part.length);
      const msOf = (line: string): number => {
        const startMs = performance.now();
        linePattern(line);
        return performance.now() - startMs;
      };
      msOf(text.slice(0, 10_000));
      // Quadratic time would be minutes.
      expect(msOf(text)).toBeLessThan(2_000);
    },
  );
});
