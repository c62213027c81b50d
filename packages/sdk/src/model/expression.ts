/**
 * A value computed from a row's columns, as data: what SQL's expressions become. Integers are exact
 * (`decimals` included), and what is missing makes the value missing, except where a function says
 * otherwise.
 */
export type Expression =
  | { readonly column: string }
  /** Integers beyond 2^53 are decimal strings inside `integer`; null is the missing value. */
  | { readonly value: string | number | boolean | null }
  | { readonly integer: string }
  /**
   * A number with the digits behind its point that it is written with: `1024.0` is no whole number
   * to `/`.
   */
  | { readonly decimal: string }
  | { readonly fn: ExpressionFn; readonly args: readonly Expression[] };

/** How many arguments each takes: least and most. */
export const expressionArity = {
  "+": [2, 2],
  "-": [2, 2],
  "*": [2, 2],
  "/": [2, 2],
  "%": [2, 2],
  negate: [1, 1],
  abs: [1, 1],
  floor: [1, 1],
  ceil: [1, 1],
  round: [1, 2],
  trunc: [1, 2],
  sign: [1, 1],
  sqrt: [1, 1],
  power: [2, 2],
  least: [1, 100],
  greatest: [1, 100],
  "=": [2, 2],
  "!=": [2, 2],
  "<": [2, 2],
  "<=": [2, 2],
  ">": [2, 2],
  ">=": [2, 2],
  in: [2, 1_001],
  "is missing": [1, 1],
  "is present": [1, 1],
  contains: [2, 2],
  "~": [2, 2],
  like: [2, 2],
  and: [1, 100],
  or: [1, 100],
  not: [1, 1],
  case: [2, 201],
  coalesce: [1, 100],
  nullif: [2, 2],
  length: [1, 1],
  lower: [1, 1],
  upper: [1, 1],
  pattern: [1, 1],
  substr: [2, 3],
  left: [2, 2],
  right: [2, 2],
  position: [2, 2],
  lpad: [2, 3],
  rpad: [2, 3],
  trim: [1, 2],
  ltrim: [1, 2],
  rtrim: [1, 2],
  replace: [3, 3],
  concat: [1, 100],
  concat_ws: [2, 101],
  regexp_extract: [2, 3],
  regexp_replace: [3, 3],
  starts_with: [2, 2],
  ends_with: [2, 2],
  "includes any": [1, 1_001],
  "includes all": [1, 1_001],
  "includes none": [1, 1_001],
  "is empty": [1, 1],
  "starts with": [1, 1_001],
  "ends with": [1, 1_001],
  "contains sequence": [1, 1_001],
  extract: [2, 2],
  to_int: [1, 1],
  to_decimal: [1, 2],
  to_string: [1, 1],
} as const satisfies Readonly<Record<string, readonly [number, number]>>;

/**
 * What an expression can call:
 *
 * - Numbers: `/` of whole numbers truncates toward zero, `%` takes the sign of its left side, dividing by zero is missing,
 *   overflow ends the query with a Problem.
 * - Conditions are true, false or missing, as in SQL; `case` takes pairs of condition and value, and last
 *   what it is otherwise (missing without it).
 * - Strings count by code points; `substr(text, from, count)` counts from 1; patterns are RE2's.
 * - Decimals: `+ - %` and comparisons take both sides at the greater scale; `*` adds the scales, at most to
 *   {@link decimalsDefault} digits unless one side has more already; `/` keeps
 *   the left side's scale, but gives as many at least where either side has any.
 *   What does not fit is cut off toward zero.
 * - `floor` and `ceil` give the next whole number down or up; `round(number, digits = 0)` takes the nearest with that
 *   many digits behind the point (a constant from 0 to 18), of two as near the one farther from 0; `trunc` cuts off.
 * - `sqrt` and `power` give numbers of {@link decimalsDefault} digits, cut off; whole powers of whole numbers are exact.
 * - `least` and `greatest`, of numbers or of strings, pass over what is missing.
 * - `regexp_extract(text, pattern, group = 0 or the only group)` is missing without a match;
 *   `regexp_replace(text, pattern, by)` replaces the first match, `\1` in `by` is a group.
 * - `length` of a set or vector counts its elements. `trim`, `ltrim` and `rtrim` take spaces off the ends, or the
 *   characters of a second text. `left(text, count)` and `right` take `count` characters from an end; a negative count
 *   drops as many from the other end. `position(text, part)` counts from 1; 0: it is not there.
 *   `lpad(text, length, fill = " ")` also cuts.
 * - `pattern(text)` is the text with its variable parts as `<*>`, so that lines of a log that differ only there are one
 *   group: numbers and what joins them (decimals, IPv4 addresses, dates, times), words of hexadecimal digits or of letters and
 *   digits in turn, UUIDs, MAC and IPv6 addresses, quoted texts; of other words their digits.
 * - `concat_ws(between, text, …)` passes over what is missing; numbers are written as results show them.
 * - `includes any` and the like are a filter's conditions on a set or vector, followed by constants; each stands alone in a
 *   derived column, which others compare with "true".
 * - `extract(part, time)` gives `"year" | "quarter" | "month" | "week" | "day" | "dayOfWeek" | "hour" | "minute"
 *   | "second"` in the query's time zone; Monday is 1, weeks are ISO-8601's.
 * - `to_int` cuts a fraction off, and reads a string as a number (missing when it is none); `to_string` writes
 *   a number as results show it. `to_decimal(value, digits)` is SQL's CAST: it rounds to `digits` behind the point, as
 *   `round` does, and takes conditions for 1 and 0; without digits a number keeps its scale, and is a decimal to `/`.
 */
export type ExpressionFn = keyof typeof expressionArity;

export const expressionFns = Object.keys(expressionArity) as readonly ExpressionFn[];

/** The first argument of `extract`. */
export const timeParts = [
  "year",
  "quarter",
  "month",
  "week",
  "day",
  "dayOfWeek",
  "hour",
  "minute",
  "second",
] as const;

export type TimePart = (typeof timeParts)[number];

/**
 * Deeper nesting than any person writes; SQL with as many parentheses is refused in the same words.
 */
export const expressionDepthMax = 100;
/** Over all derived columns: each is worked out for every row. */
export const expressionTermsMax = 5_000;
/** More columns than a person derives for one question. */
export const deriveMax = 50;
/** A function that takes longer to read than to run. */
export const functionSourceMax = 65_536;
/** Constants in an expression: longer texts are no constants of a question. */
export const expressionTextMax = 65_536;
/** Digits behind the point: more leave no room for a whole part. */
export const fractionMax = 18;

/**
 * Whether it is the text of a `decimal`: `-12.50`, without an exponent, its digits an integer of 64
 * bits.
 */
export function isDecimal(text: string): boolean {
  if (!/^-?\d{1,19}\.\d{1,18}$/.test(text)) return false;
  const digits = BigInt(text.replace(".", ""));
  return BigInt.asIntN(64, digits) === digits;
}
