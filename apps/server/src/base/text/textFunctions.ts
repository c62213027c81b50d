import { HadalError } from "@hadal/sdk";
import { RE2JS } from "re2js";

// The text functions of expressions, for rows and for results.

/** A megabyte: `replace` in `replace` could otherwise fill the memory with one value. */
const textLengthMax = 2 ** 20;

export function boundedText(fn: string, text: string): string {
  if (text.length <= textLengthMax) return text;
  const detail = `${fn} made a string of more than ${textLengthMax} characters (textLengthMax).`;
  throw new HadalError("type-mismatch", { detail });
}

/** An empty search text replaces nothing. */
export function replaceAll(text: string, part: string, by: string): string {
  return part === "" ? text : text.replaceAll(part, () => by);
}

/** Removes these characters from the ends of a text. */
export function trimCharacters(
  text: string,
  characters: string,
  ends: { readonly start: boolean; readonly end: boolean },
): string {
  const chars = Array.from(text);
  const taken = new Set(characters);
  let from = 0;
  let to = chars.length;
  while (ends.start && from < to && taken.has(chars[from]!)) from++;
  while (ends.end && to > from && taken.has(chars[to - 1]!)) to--;
  return chars.slice(from, to).join("");
}

/** The first `count` characters; below 0: all except the last -`count`. */
export function leftOf(text: string, count: bigint): string {
  const chars = Array.from(text);
  return chars.slice(0, placeOf(count, chars.length)).join("");
}

/** The last `count` characters; below 0: all except the first -`count`. */
export function rightOf(text: string, count: bigint): string {
  const chars = Array.from(text);
  return chars.slice(chars.length - placeOf(count, chars.length)).join("");
}

/** The number of characters of a count; a negative one counts from the other end. */
function placeOf(count: bigint, length: number): number {
  const wanted = count < 0n ? BigInt(length) + count : count;
  if (wanted <= 0n) return 0;
  return wanted > BigInt(length) ? length : Number(wanted);
}

/** Position of a part, from 1; 0: not found. An empty part is at 1. */
export function positionOf(text: string, part: string): bigint {
  const at = text.indexOf(part);
  return at < 0 ? 0n : BigInt(lengthOf(text.slice(0, at)) + 1);
}

/** The text with `length` characters: padded at one end, or truncated. */
export function padded(fn: "lpad" | "rpad", text: string, length: bigint, fill: string): string {
  const chars = Array.from(text);
  if (length <= BigInt(chars.length))
    return chars.slice(0, Number(length < 0n ? 0n : length)).join("");
  const filler = Array.from(fill);
  if (filler.length === 0) return text;
  if (length > BigInt(textLengthMax)) return boundedText(fn, " ".repeat(textLengthMax + 1));
  const missing = Number(length) - chars.length;
  const added = Array.from({ length: missing }, (_, i) => filler[i % filler.length]!).join("");
  return fn === "lpad" ? added + text : text + added;
}

/** Length in code points. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let i = 0; i + 1 < text.length; i++) {
    if (isSurrogatePair(text, i)) length--;
  }
  return length;
}

function isSurrogatePair(text: string, i: number): boolean {
  const unit = text.charCodeAt(i);
  const next = text.charCodeAt(i + 1);
  return unit >= 0xd800 && unit < 0xdc00 && next >= 0xdc00 && next < 0xe000;
}

/** Positions before the first count, as in PostgreSQL: substr('abc', 0, 2) is "a". */
export function substring(text: string, from: bigint, count: bigint | undefined): string {
  const first = from < 1n ? 1n : from;
  const end = count === undefined ? BigInt(text.length) + 1n : from + count;
  if (end <= first || first > BigInt(text.length)) return "";
  const chars = lengthOf(text) === text.length ? null : Array.from(text);
  const last = end > BigInt(text.length) ? text.length : Number(end - 1n);
  if (chars === null) return text.slice(Number(first - 1n), last);
  return chars.slice(Number(first - 1n), last).join("");
}

/** `%` is any text, `_` one code point; a backslash takes the next one literally. */
export function patternOfLike(like: string): string {
  let source = "(?s)\\A";
  const chars = Array.from(like);
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i]!;
    if (char === "%") source += ".*";
    else if (char === "_") source += ".";
    else if (char === "\\" && i + 1 < chars.length) source += RE2JS.quote(chars[++i]!);
    else source += RE2JS.quote(char);
  }
  return `${source}\\z`;
}

/** The text of a group in the first match; null without a match or if the group is not part of it. */
export function createExtract(source: string, group: number): (text: string) => string | null {
  const pattern = RE2JS.compile(source);
  return (text) => {
    const matcher = pattern.matcher(text);
    return matcher.find() ? (matcher.group(group) ?? null) : null;
  };
}

/** Replaces the first match, as in PostgreSQL; in the replacement `\1` to `\9` are groups, `\0` and `\&` the match. */
export function createReplace(source: string): (text: string, by: string) => string {
  const pattern = RE2JS.compile(source);
  const groups = pattern.groupCount();
  return (text, by) => {
    const matcher = pattern.matcher(text);
    if (!matcher.find()) return text;
    let replacement = "";
    for (let i = 0; i < by.length; i++) {
      const next = by[i] === "\\" ? by[i + 1] : undefined;
      if (next === undefined) replacement += by[i];
      else {
        i++;
        if (next === "&") replacement += matcher.group(0) ?? "";
        else if (next < "0" || next > "9") replacement += next;
        else if (Number(next) <= groups) replacement += matcher.group(Number(next)) ?? "";
      }
    }
    return text.slice(0, matcher.start(0)) + replacement + text.slice(matcher.end(0));
  };
}
