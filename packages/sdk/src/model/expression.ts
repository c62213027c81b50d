/**
 * A value computed from a row's columns, as data: what SQL's expressions become. Integers are exact
 * (`decimals` included), and what is missing makes the value missing, except where a function says otherwise.
 */
export type Expression =
  | { readonly column: string }
  /** Integers beyond 2^53 are decimal strings inside `integer`; null is the missing value. */
  | { readonly value: string | number | boolean | null }
  | { readonly integer: string }
  | { readonly fn: ExpressionFn; readonly args: readonly Expression[] };

/**
 * - Numbers: `/` truncates toward zero, `%` takes the sign of its left side, dividing by zero is missing,
 *   overflow ends the query with a Problem.
 * - Conditions are true, false or missing, as in SQL; `case` takes pairs of condition and value, and last
 *   what it is otherwise (missing without it).
 * - Strings count by code points; `substr(text, from, count)` counts from 1; patterns are RE2's.
 * - `extract(part, time)` tells `"year" | "quarter" | "month" | "week" | "day" | "dayOfWeek" | "hour" | "minute"
 *   | "second"` in the query's time zone; Monday is 1.
 */
export type ExpressionFn = (typeof expressionFns)[number];

export const expressionFns = [
  "+",
  "-",
  "*",
  "/",
  "%",
  "negate",
  "abs",
  "least",
  "greatest",
  "=",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "in",
  "is missing",
  "is present",
  "contains",
  "~",
  "like",
  "and",
  "or",
  "not",
  "case",
  "coalesce",
  "nullif",
  "length",
  "lower",
  "upper",
  "substr",
  "trim",
  "replace",
  "concat",
  "regexp_extract",
  "regexp_replace",
  "starts_with",
  "ends_with",
  "extract",
  "to_int",
  "to_string",
] as const;
