/** Code points from the first to the last, both included. */
export type CharRange = readonly [first: number, last: number];

/**
 * Code points, as JavaScript writes them with the flag `u`, and as ascending ranges that do not
 * touch.
 */
export interface CharSet {
  readonly source: string;
  readonly ranges: readonly CharRange[];
}

const lastCode = 0x10ffff;

export const codeOf = (char: string): number => char.codePointAt(0)!;

/** A code point as JavaScript writes it, in and out of classes. */
export const escapeChar = (char: string): string => escapeCode(codeOf(char));

const escapeCode = (code: number): string => `\\u{${code.toString(16)}}`;

export function setOf(given: readonly CharRange[]): CharSet {
  const ranges = joined(given);
  return { source: `[${ranges.map(print).join("")}]`, ranges };
}

/** All code points but these. */
export function otherThan(given: readonly CharRange[]): CharSet {
  const listed = joined(given);
  const ranges: CharRange[] = [];
  let from = 0;
  for (const [first, last] of listed) {
    if (first > from) ranges.push([from, first - 1]);
    from = last + 1;
  }
  if (from <= lastCode) ranges.push([from, lastCode]);
  return { source: `[^${listed.map(print).join("")}]`, ranges };
}

const print = ([first, last]: CharRange): string =>
  first === last ? escapeCode(first) : `${escapeCode(first)}-${escapeCode(last)}`;

function joined(given: readonly CharRange[]): CharRange[] {
  const ranges: [number, number][] = [];
  for (const [first, last] of given.toSorted((a, b) => a[0] - b[0])) {
    const before = ranges.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else ranges.push([first, last]);
  }
  return ranges;
}

const listed = (chars: string): CharRange[] =>
  [...chars].map((char) => [codeOf(char), codeOf(char)]);
const between = (first: string, last: string): CharRange => [codeOf(first), codeOf(last)];

const digits = [between("0", "9")];
const wordChars = [...digits, between("A", "Z"), between("a", "z"), ...listed("_")];
const spaces = listed("\t\n\f\r ");

/** By the letter behind the backslash. */
export const namedSets: Readonly<Record<string, CharSet>> = {
  d: setOf(digits),
  D: otherThan(digits),
  w: setOf(wordChars),
  W: otherThan(wordChars),
  s: setOf(spaces),
  S: otherThan(spaces),
};

export const anyChar = otherThan([]);
export const anyOfLine = otherThan(listed("\n"));
