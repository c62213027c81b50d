import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { walkAutomaton } from "../testing/walkAutomaton.js";
import { createTextAutomaton } from "./textAutomaton.js";
import { utf8Sequences } from "./utf8Ranges.js";

/** Null where bytes cannot tell. */
const matches = (pattern: string, text: string): boolean | null => {
  const automaton = createTextAutomaton(pattern);
  return automaton === null ? null : walkAutomaton(automaton, Buffer.from(text));
};

describe("text as bytes", () => {
  test.each([
    ["/team-[0-9]*7/doc-[0-9]+3/(edit|share)\\?v=1", "/team-17/doc-4233/share?v=12", true],
    ["/team-[0-9]*7/doc-[0-9]+3/(edit|share)\\?v=1", "/team-17/doc-4233/view?v=12", false],
    ["^GET", "GET /", true],
    ["^GET", " GET /", false],
    ["ms$", "12 ms", true],
    ["ms$", "12 ms\n", false],
    ["^$", "", true],
    ["^$", "a", false],
    ["", "a", true],
    ["(?i)größe", "größe", null],
    ["(?i)disk", "di\u017f\u212a", true],
    ["^.$", "😀", true],
    ["^.$", "\n", false],
    ["(?s)^.$", "\n", true],
    ["^[^a]$", "ü", true],
    ["[α-ω]{3}", "abγδε", true],
    ["a\\b", "a b", null],
    ["(?:a*)*b", "aaab", true],
    ["[^\\x00-\\x{10FFFF}]", "a", null],
  ])("%s of %j: %s", (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
    if (expected !== null) expect(RE2JS.compile(pattern).test(text)).toBe(expected);
  });

  test("each code point is matched by its bytes, and no other", () => {
    const edges = [0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff];
    const chars = edges.flatMap((code) => [code - 1, code, code + 1]).filter(isChar);
    for (const first of chars) {
      for (const last of chars) {
        if (first > last) continue;
        const sequences = utf8Sequences(first, last);
        for (const code of chars) {
          const bytes = Buffer.from(String.fromCodePoint(code));
          const isIn = sequences.some(
            (sequence) =>
              sequence.length === bytes.length &&
              sequence.every(([low, high], i) => bytes[i]! >= low && bytes[i]! <= high),
          );
          expect([first, last, code, isIn]).toEqual([
            first,
            last,
            code,
            code >= first && code <= last,
          ]);
        }
      }
    }
  });

  test.each([
    ["/team-[0-9]*7", "/t"],
    ["//x?", "//"],
    ["ab", "ab"],
    ["ab|abc$", "ab"],
    ["a*bc", "bc"],
    ["ü", "\u00c3\u00bc"],
    // One byte is a match, several begin one, or several go on.
    ["a", null],
    ["a?b", null],
    ["ab|cd", null],
    ["ab|ac", null],
    ["(?i)ab", null],
    ["[0-9]ms", null],
    // The end of a text makes a match of what has begun, or of nothing.
    ["a(?:b|$)", null],
    ["ab|$", null],
    ["^ab", null],
  ])("of %s only %j leads to a match", (pattern, expected) => {
    const leap = createTextAutomaton(pattern)!.leap();
    expect(leap && String.fromCharCode(leap.first, leap.second)).toBe(expected);
  });

  test("patterns that need too many states are left to others", () => {
    const pattern = "(?:a|b)*a(?:a|b){18}c";
    const automaton = createTextAutomaton(pattern)!;
    const exact = RE2JS.compile(pattern);
    let unknown = 0;
    for (let seed = 1; seed < 3_000; seed++) {
      const letters = Array.from(
        { length: 60 },
        (_, i) => "ab"[(Math.imul(seed, i * i + 7) >>> 9) & 1],
      );
      const text = `${letters.join("")}c`;
      const found = walkAutomaton(automaton, Buffer.from(text));
      if (found === null) unknown++;
      else expect(found).toBe(exact.test(text));
    }
    expect(unknown).toBeGreaterThan(0);
    expect(createTextAutomaton("(?:abcdefghij){51}")).toBeNull();
  });
});

const isChar = (code: number): boolean =>
  code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
