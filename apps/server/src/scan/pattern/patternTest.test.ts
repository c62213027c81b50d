import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { walkAutomaton } from "../testing/walkAutomaton.js";
import { parsePattern } from "./pattern.js";
import { requiredLiteral } from "./patternLiteral.js";
import { createPatternTest } from "./patternTest.js";
import { createTextAutomaton } from "./textAutomaton.js";

const literalOf = (text: string) => {
  const pattern = parsePattern(text);
  return pattern === null ? null : requiredLiteral(pattern);
};
const whole = (text: string, fold = false) => ({ text, fold, isWhole: true });
const part = (text: string, fold = false) => ({ text, fold, isWhole: false });

describe("requiredLiteral", () => {
  test.each([
    ["time out", whole("time out")],
    ["a\\.b\\/c", whole("a.b/c")],
    ["(?:time) (out)", whole("time out")],
    ["größer 😀", whole("größer 😀")],
    ["^/api/v[12]/users", part("/api/v")],
    ["^GET", part("GET")],
    ["timeout \\d+ ms$", part("timeout ")],
    ["abc+d", part("ab")],
    ["(?:abcd){2,3}x", part("abcd")],
    ["ab?cdx*", part("cd")],
    ["(?:abc|abd)e", part("e")],
    ["abc|abd", null],
    ["(?i)Timeout", whole("timeout", true)],
    // k and s fold beyond ASCII.
    ["(?i)status", part("tatu", true)],
    ["(?i)Größe 12", part("e 12", true)],
    ["(?i:Time) Out", part("time out", true)],
    ["Time (?i)12", whole("Time 12")],
    ["a(?i)b|c", null],
    ["", null],
    [".*", null],
    ["\\pL+abc", null],
    ["(?m)^abc", null],
    ["\\Qa.b\\E", null],
  ])("%s needs %j", (text, expected) => {
    expect(literalOf(text)).toEqual(expected);
  });
});

/** Patterns of all that is read, and of some that is not. */
const patterns: fc.Arbitrary<string> = fc.letrec<{ one: string; atom: string; many: string }>(
  (tie) => ({
    atom: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom("a", "b", "K", "s", "S", "ſ", "é", " ", "1", "😀") },
      fc.constantFrom(".", "\\d", "\\w", "\\S", "\\s", "\\n", "\\.", "\\W", "\\D"),
      fc.constantFrom("[ab]", "[^ab]", "[a-c1-3]", "[^\\s\\-]", "[-a]", "[\\w.]", "[é-ü]"),
      fc.constantFrom("^", "$", "\\b", "\\B", "\\A", "\\z", "\\x61", "\\pL", "[[:alpha:]]"),
      fc
        .tuple(fc.constantFrom("(", "(?:", "(?i:", "(?s:", "(?P<n>"), tie("many"))
        .map(([open, body]) => `${open}${body})`),
    ),
    one: fc
      .tuple(
        tie("atom"),
        fc.constantFrom("", "", "", "", "*", "+", "?", "{2}", "{0,2}", "{1,}", "+?"),
      )
      .map(([atom, repeat]) => atom + repeat),
    many: fc
      .array(fc.oneof({ weight: 8, arbitrary: tie("one") }, fc.constantFrom("|", "(?i)", "(?s)")), {
        maxLength: 5,
      })
      .map((parts) => parts.join("")),
  }),
).many;
const texts = fc
  .array(
    fc.constantFrom(
      "a",
      "A",
      "b",
      "K",
      "k",
      "\u212a",
      "s",
      "ſ",
      "é",
      "É",
      " ",
      "1",
      "\n",
      "\r",
      "😀",
      "-",
      "\u2028",
      "_",
      ".",
    ),
    { maxLength: 12 },
  )
  .map((chars) => chars.join(""));

test("equals RE2, and every match contains the required literal", () => {
  fc.assert(
    fc.property(patterns, fc.array(texts, { minLength: 1, maxLength: 20 }), (pattern, values) => {
      let exact: RE2JS;
      try {
        exact = RE2JS.compile(pattern);
      } catch {
        return;
      }
      const quick = createPatternTest(pattern);
      const automaton = createTextAutomaton(pattern);
      const literal = literalOf(pattern);
      const fold = (text: string): string =>
        literal?.fold === true ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : text;
      for (const value of values) {
        const matches = exact.test(value);
        expect([pattern, value, quick(value)]).toEqual([pattern, value, matches]);
        const found = automaton && walkAutomaton(automaton, Buffer.from(value));
        const byBytes = found ?? matches;
        expect([pattern, value, byBytes]).toEqual([pattern, value, matches]);
        if (literal === null) continue;
        const holds = fold(value).includes(literal.text);
        if (matches || literal.isWhole)
          expect([pattern, value, holds]).toEqual([pattern, value, matches]);
      }
    }),
    { numRuns: 5_000 },
  );
});

test("no place is in the middle of a code point", () => {
  for (const pattern of ["\\B", "x?\\B"]) {
    expect(createPatternTest(pattern)("a\u{1F600}a")).toBe(false);
    expect(createPatternTest(pattern)("a\u{1F600}aa")).toBe(true);
  }
});

test("strings that would take JavaScript long are left to RE2", () => {
  const long = `${"a".repeat(200_000)}b`;
  for (const pattern of ["a*c", "a+a+a+c", "(?:a?){20}c", "(a+)+c", "(a|a)*c", "a?a?a?a?a?aaaac"]) {
    expect(createPatternTest(pattern)(long)).toBe(false);
    expect(createPatternTest(pattern)(`${long}${"a".repeat(12)}c`)).toBe(true);
  }
});
