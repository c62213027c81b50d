import { HadalError, type TimePart } from "@hadal/sdk";
import { RE2JS } from "re2js";
import { printDecimal } from "../column/decimal.js";
import { floorScaled, parseExactDecimal } from "../plan/decimalText.js";
import type { TextFn, TypedCall, TypedExpression } from "../plan/typedExpression.js";
import { type Cell, int64Max, int64Min, type StringList } from "./cell.js";
import { createTimePart } from "./timePart.js";

/** A megabyte: `replace` in `replace` could otherwise fill the memory with one value. */
const textLengthMax = 2 ** 20;

/** A function of strings and times, none of them missing. What is constant is prepared once. */
export function createTextFunction({
  fn,
  args,
  zone,
}: Omit<TypedCall, "fn"> & { readonly fn: TextFn }): (cells: readonly Cell[]) => Cell {
  const apply = createPlain(fn, args, zone ?? "UTC");
  return (cells) => {
    const result = apply(cells as readonly string[]);
    if (typeof result === "string" && result.length > textLengthMax) {
      const detail = `${fn} made a string of more than ${textLengthMax} characters (textLengthMax).`;
      throw new HadalError("type-mismatch", { detail });
    }
    return result;
  };
}

/** Cells are strings but where the function takes something else. */
function createPlain(
  fn: TextFn,
  args: readonly TypedExpression[],
  zone: string,
): (cells: readonly string[]) => Cell {
  switch (fn) {
    case "contains":
      return ([text, part]) => text!.includes(part!);
    case "starts_with":
      return ([text, part]) => text!.startsWith(part!);
    case "ends_with":
      return ([text, part]) => text!.endsWith(part!);
    case "lower":
      return ([text]) => text!.toLowerCase();
    case "upper":
      return ([text]) => text!.toUpperCase();
    case "trim":
      return ([text]) => trimSpaces(text!);
    case "replace":
      return ([text, part, by]) => (part === "" ? text! : text!.replaceAll(part!, () => by!));
    case "concat":
      return (texts) => texts.join("");
    case "~":
    case "like": {
      const constant = constantOf(args[1]!);
      if (constant === null) return () => null;
      const pattern = RE2JS.compile(fn === "like" ? patternOfLike(constant) : constant);
      return ([text]) => pattern.test(text!);
    }
    case "regexp_extract": {
      const constant = constantOf(args[1]!);
      if (constant === null) return () => null;
      return createExtract(RE2JS.compile(constant), Number(constantOf(args[2]!)));
    }
    case "regexp_replace": {
      const constant = constantOf(args[1]!);
      if (constant === null) return () => null;
      return createReplace(RE2JS.compile(constant));
    }
    case "length": {
      const isList = args[0]!.type === "list";
      return (cells) => {
        const [cell] = cells as readonly (string | StringList)[];
        return BigInt(isList ? cell!.length : lengthOf(cell as string));
      };
    }
    case "substr":
      return (cells) => {
        const [text, from, count] = cells as readonly unknown[] as [string, bigint, bigint?];
        return substring(text, from, count);
      };
    case "extract": {
      const partOf = createTimePart(constantOf(args[0]!) as TimePart, zone);
      return (cells) => partOf(cells[1] as unknown as bigint);
    }
    case "to_int":
      return createToInt(args[0]!);
    case "to_string": {
      const { type, decimals } = args[0]!;
      if (type === "truth") return ([cell]) => String(cell);
      return (cells) => printDecimal(cells[0] as unknown as bigint, decimals);
    }
  }
}

function constantOf(term: TypedExpression): string | null {
  if (term.kind !== "constant") throw new Error("checked to be constant when it was resolved");
  return term.value;
}

function trimSpaces(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && text[from] === " ") from++;
  while (to > from && text[to - 1] === " ") to--;
  return text.slice(from, to);
}

/** In code points. */
function lengthOf(text: string): number {
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

/** Places before the first count, as PostgreSQL has it: substr('abc', 0, 2) is "a". */
function substring(text: string, from: bigint, count: bigint | undefined): string {
  const first = from < 1n ? 1n : from;
  const end = count === undefined ? BigInt(text.length) + 1n : from + count;
  if (end <= first || first > BigInt(text.length)) return "";
  const chars = lengthOf(text) === text.length ? null : Array.from(text);
  const last = end > BigInt(text.length) ? text.length : Number(end - 1n);
  if (chars === null) return text.slice(Number(first - 1n), last);
  return chars.slice(Number(first - 1n), last).join("");
}

/** `%` is any text, `_` one code point; a backslash takes the next one literally. */
function patternOfLike(like: string): string {
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

function createExtract(pattern: RE2JS, group: number): (cells: readonly string[]) => Cell {
  return ([text]) => {
    const matcher = pattern.matcher(text!);
    return matcher.find() ? (matcher.group(group) ?? null) : null;
  };
}

/** The first match, as PostgreSQL has it; `\1` to `\9` in what replaces it are groups, `\0` and `\&` the match. */
function createReplace(pattern: RE2JS): (cells: readonly string[]) => Cell {
  const groups = pattern.groupCount();
  return ([text, , by]) => {
    const matcher = pattern.matcher(text!);
    if (!matcher.find()) return text!;
    let replacement = "";
    for (let i = 0; i < by!.length; i++) {
      const next = by![i] === "\\" ? by![i + 1] : undefined;
      if (next === undefined) replacement += by![i];
      else {
        i++;
        if (next === "&") replacement += matcher.group(0) ?? "";
        else if (next < "0" || next > "9") replacement += next;
        else if (Number(next) <= groups) replacement += matcher.group(Number(next)) ?? "";
      }
    }
    return text!.slice(0, matcher.start(0)) + replacement + text!.slice(matcher.end(0));
  };
}

/** A number without its fraction; missing where a text is none, or none of 64 bits. */
function createToInt({ type, decimals }: TypedExpression): (cells: readonly string[]) => Cell {
  if (type === "int") {
    const factor = 10n ** BigInt(decimals);
    return (cells) => (cells[0] as unknown as bigint) / factor;
  }
  return ([text]) => {
    const exact = parseExactDecimal(text!.trim());
    if (exact === null) return null;
    const { digits, scale } = exact;
    const magnitude = floorScaled({ digits: digits < 0n ? -digits : digits, scale }, 0).floor;
    const value = digits < 0n ? -magnitude : magnitude;
    return value >= int64Min && value <= int64Max ? value : null;
  };
}
