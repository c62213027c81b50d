import { type AggregateFn, aggregateFns } from "../../model/aggregate.js";
import { aggregateMeanings } from "../../model/aggregateMeanings.js";
import type { ExpressionFn } from "../../model/expression.js";
import { nearestName } from "../../model/problem/nearestName.js";

/** Functions of expressions by their names in SQL, PostgreSQL's first. */
export const expressionFunctions: ReadonlyMap<string, ExpressionFn> = new Map([
  ["abs", "abs"],
  ["floor", "floor"],
  ["ceil", "ceil"],
  ["ceiling", "ceil"],
  ["round", "round"],
  ["trunc", "trunc"],
  ["truncate", "trunc"],
  ["sign", "sign"],
  ["sqrt", "sqrt"],
  ["power", "power"],
  ["pow", "power"],
  ["least", "least"],
  ["greatest", "greatest"],
  ["coalesce", "coalesce"],
  ["ifnull", "coalesce"],
  ["nullif", "nullif"],
  ["mod", "%"],
  ["length", "length"],
  ["char_length", "length"],
  ["character_length", "length"],
  ["lower", "lower"],
  ["upper", "upper"],
  ["pattern", "pattern"],
  ["substr", "substr"],
  ["substring", "substr"],
  ["left", "left"],
  ["right", "right"],
  ["strpos", "position"],
  ["instr", "position"],
  ["lpad", "lpad"],
  ["rpad", "rpad"],
  ["trim", "trim"],
  ["btrim", "trim"],
  ["ltrim", "ltrim"],
  ["rtrim", "rtrim"],
  ["replace", "replace"],
  ["concat", "concat"],
  ["concat_ws", "concat_ws"],
  ["contains", "contains"],
  ["starts_with", "starts_with"],
  ["ends_with", "ends_with"],
  ["regexp_extract", "regexp_extract"],
  ["regexp_replace", "regexp_replace"],
  ["regexp_like", "~"],
  ["to_int", "to_int"],
  ["to_decimal", "to_decimal"],
  ["to_string", "to_string"],
]);

/** Functions that are read word by word. */
const specialFunctions = ["if", "date_part"] as const;

/** Functions that make groups; they are allowed in SELECT and GROUP BY only. */
export const groupFunctions = [
  "time_bucket",
  "date_trunc",
  "bucket",
  "log_bucket",
  "unnest",
] as const;

/** Aggregates by their names in SQL; for completion the second names come last. */
export const aggregateFunctions: ReadonlyMap<string, AggregateFn> = new Map(
  [0, 1].flatMap((from) =>
    aggregateFns.flatMap((fn) => {
      const names: readonly string[] = aggregateMeanings[fn].sqlNames;
      return names.slice(from, from === 0 ? 1 : undefined).map((name) => [name, fn] as const);
    }),
  ),
);

/** Everything a query can call, for completion and for the nearest name. */
export const sqlFunctions: readonly string[] = [
  ...aggregateFunctions.keys(),
  ...groupFunctions,
  ...expressionFunctions.keys(),
  ...specialFunctions,
  "extract",
  "position",
  "cast",
  "now",
];

/** What others call it, and what to write here. */
export const refusedFunctions: ReadonlyMap<string, string> = new Map([
  ["percentile_cont", "Write percentile(column, 95)."],
  ["percentile_disc", "Write percentile(column, 95)."],
  ["quantile", "Write percentile(column, 95)."],
  ["quantile_cont", "Write percentile(column, 95)."],
  ["approx_quantile", "Write percentile(column, 95)."],
  ["approx_percentile", "Write percentile(column, 95)."],
  ["approx_count_distinct", "Write count(DISTINCT column)."],
  ["uniq", "Write count(DISTINCT column)."],
  ["string_agg", "Ask for the rows, or group by the column."],
  ["array_agg", "Ask for the rows, or group by the column."],
  ["row_number", "There are no window functions; ORDER BY and LIMIT give the first rows."],
  ["rank", "There are no window functions; ORDER BY and LIMIT give the first rows."],
  ["lag", "There are no window functions; COMPARE TO INTERVAL '1 day' compares with before."],
  ["lead", "There are no window functions; COMPARE TO INTERVAL '1 day' compares with before."],
  ["width_bucket", "Write bucket(column, width) or bucket(column, ARRAY[1, 10, 100])."],
  ["to_timestamp", "Times are milliseconds or ISO texts: write them as they are."],
  ["generate_series", "A query reads one table."],
  ["rollup", "Ask once for each grouping."],
  ["cube", "Ask once for each grouping."],
  ["any", "Write list INCLUDES ANY ('a', 'b'), or column IN ('a', 'b')."],
  ["all", "Write list INCLUDES ALL ('a', 'b')."],
]);

/**
 * Whether a call by this name can only be one of a function that a user saved: nothing here is
 * called so, or nearly so.
 */
export function isSavedName(name: string): boolean {
  const known = name.toLowerCase();
  if (refusedFunctions.has(known) || /^p\d\d$/.test(known)) return false;
  if (sqlFunctions.includes(known)) return false;
  return nearestName(known, slipNames) === null;
}

/**
 * What a name may be a slip of: every leaf has a function `covariance`, which is none of variance.
 */
const slipNames = sqlFunctions.filter((name) => name !== "variance");

const inJs = (call: string): string => `Write DERIVE JS '(row) => ${call}' AS name.`;

/** What others have and a saved function may be called, and what to write here where none is. */
const absentFunctions: ReadonlyMap<string, string> = new Map([
  ...["cbrt", "exp", "sin", "cos", "tan", "log10", "log2"].map(
    (name) => [name, inJs(`Math.${name}(row.column)`)] as const,
  ),
  ["ln", inJs("Math.log(row.column)")],
  ["log", inJs("Math.log10(row.column)")],
  ["split_part", "Write regexp_extract(text, pattern, group)."],
  ...["year", "quarter", "month", "week", "day", "hour", "minute", "second"].map(
    (name) => [name, `Write extract(${name} FROM time).`] as const,
  ),
  ...["any_value", "first", "last", "arg_max", "arg_min", "max_by", "min_by", "mode"].map(
    (name) => [name, "Group by the column, or ask for the rows."] as const,
  ),
  ...["covar_pop", "covar_samp"].map(
    (name) => [name, "Write AGGREGATE covariance(a, b)."] as const,
  ),
  ["corr", "Write AGGREGATE correlation(a, b)."],
  ["array_length", "Write length(column)."],
  ["cardinality", "Write length(column)."],
  ...["to_char", "strftime", "date_format"].map(
    (name) =>
      [name, "Write extract(part FROM time), or group by time_bucket('1d', time)."] as const,
  ),
]);

/** Advice after "no such function": what to write instead. It follows a sentence. */
export function adviceOnFunction(name: string): string {
  const advice = absentFunctions.get(name.toLowerCase());
  if (advice !== undefined) return ` ${advice}`;
  return ` What is saved by PUT /api/v1/functions/${encodeURIComponent(name)} can be called.`;
}
