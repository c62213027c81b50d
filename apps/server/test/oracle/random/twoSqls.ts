import type { SeededRandom } from "../seed/seededRandom.js";

/** One expression in Hadal's SQL and in DuckDB's, written apart: what the two give must be the same. */
export interface TwoSqls {
  readonly hadal: string;
  readonly duckdb: string;
}

export type ExpressionType = "int" | "text" | "truth";

interface Form {
  readonly args: readonly ExpressionType[];
  readonly hadal: (...args: string[]) => string;
  /** Absent: the same. */
  readonly duckdb?: (...args: string[]) => string;
}

const same = (args: readonly ExpressionType[], hadal: Form["hadal"]): Form => ({ args, hadal });
const whole: readonly ExpressionType[] = ["int", "int"];

/** Times are milliseconds here, and DuckDB's own there. */
const instant = "make_timestamp(time * 1000)";
const parts = ["year", "quarter", "month", "week", "day", "isodow", "hour", "minute", "second"];
const patterns = ["^[a-cé]", "\\d\\d$", "e+", "(?i)É", "."];

const ints: readonly Form[] = [
  same(whole, (a, b) => `(${a} + ${b})`),
  same(whole, (a, b) => `(${a} - ${b})`),
  same(whole, (a, b) => `(${a} * ${b})`),
  { args: whole, hadal: (a, b) => `(${a} / ${b})`, duckdb: (a, b) => `(${a} // ${b})` },
  {
    args: whole,
    hadal: (a, b) => `(${a} % ${b})`,
    // The rest of the least integer by -1 is an overflow there, and 0 by arithmetic.
    duckdb: (a, b) => `(CASE WHEN ${b} = -1 THEN ${a} * 0 ELSE ${a} % ${b} END)`,
  },
  same(["int"], (a) => `(- ${a})`),
  same(["int"], (a) => `abs(${a})`),
  same(whole, (a, b) => `least(${a}, ${b})`),
  same(whole, (a, b) => `greatest(${a}, ${b})`),
  same(["int", "int", "int"], (a, b, c) => `least(${a}, ${b}, ${c})`),
  same(["int"], (a) => `sign(${a})`),
  same(["int"], (a) => `CAST(${a} AS bigint)`),
  same(["truth"], (a) => `CAST(${a} AS int)`),
  {
    args: ["int"],
    hadal: (a) => `CAST((${a} % 1000)::numeric / 4 AS bigint)`,
    // Of doubles it would round halves to even.
    duckdb: (a) => `CAST(round((${a} % 1000) / 4.0) AS bigint)`,
  },
  same(["text", "text"], (a, b) => `strpos(${a}, ${b})`),
  same(["text"], (a) => `position('e' IN ${a})`),
  same(["truth", "int", "int"], (c, a, b) => `CASE WHEN ${c} THEN ${a} ELSE ${b} END`),
  same(["truth", "int"], (c, a) => `CASE WHEN ${c} THEN ${a} END`),
  same(["int", "int", "int"], (a, b, c) => `CASE ${a} WHEN ${b} THEN ${c} WHEN 0 THEN 7 END`),
  same(["truth", "int", "int"], (c, a, b) => `if(${c}, ${a}, ${b})`),
  same(whole, (a, b) => `coalesce(${a}, ${b})`),
  same(whole, (a, b) => `nullif(${a}, ${b})`),
  same(["text"], (a) => `length(${a})`),
  ...parts.map((part) => ({
    args: [],
    hadal: () => `extract(${part} FROM time)`,
    duckdb: () => `extract(${part} FROM ${instant})`,
  })),
];

const texts: readonly Form[] = [
  same(["text"], (a) => `lower(${a})`),
  same(["text"], (a) => `upper(${a})`),
  same(["text"], (a) => `trim(${a})`),
  same(["text"], (a) => `substr(${a}, 2)`),
  same(["text"], (a) => `substr(${a}, 2, 3)`),
  same(["text"], (a) => `substr(${a}, 1, 0)`),
  same(["text"], (a) => `replace(${a}, 'e', 'ë€')`),
  ...[0, 2, 5, -1, -4].flatMap((count) => [
    same(["text"], (a) => `left(${a}, ${count})`),
    same(["text"], (a) => `right(${a}, ${count})`),
  ]),
  same(["text"], (a) => `lpad(${a}, 6, '*é')`),
  same(["text"], (a) => `rpad(${a}, 4, '€')`),
  same(["text"], (a) => `ltrim(${a})`),
  same(["text"], (a) => `rtrim(${a}, 'e0123456789')`),
  same(["text"], (a) => `trim(BOTH 'cÉ' FROM ${a})`),
  same(["text", "text", "int"], (a, b, c) => `concat_ws('-', ${a}, ${b}, ${c})`),
  same(["text", "int"], (a, b) => `concat(${a}, ${b})`),
  same(["text", "text"], (a, b) => `greatest(${a}, ${b})`),
  same(["text", "text"], (a, b) => `least(${a}, ${b}, 'm')`),
  same(["text", "text"], (a, b) => `(${a} || '/' || ${b})`),
  same(["int"], (a) => `CAST(${a} AS text)`),
  same(["truth", "text", "text"], (c, a, b) => `CASE WHEN ${c} THEN ${a} ELSE ${b} END`),
  same(["truth", "text", "text"], (c, a, b) => `if(${c}, ${a}, ${b})`),
  same(["text", "text"], (a, b) => `coalesce(${a}, ${b})`),
  same(["text", "text"], (a, b) => `nullif(${a}, ${b})`),
  ...patterns.map((pattern) => ({
    args: ["text"] as const,
    hadal: (a = "") => `regexp_extract(${a}, '(${pattern})', 1)`,
    duckdb: (a = "") =>
      `CASE WHEN regexp_matches(${a}, '${pattern}') THEN regexp_extract(${a}, '(${pattern})', 1) END`,
  })),
  same(["text"], (a) => `regexp_replace(${a}, '([a-m])(.)', '\\2<\\1>')`),
];

const truths: readonly Form[] = [
  ...["=", "<>", "<", "<=", ">", ">="].flatMap((op) => [
    same(whole, (a, b) => `(${a} ${op} ${b})`),
    same(["text", "text"], (a, b) => `(${a} ${op} ${b})`),
  ]),
  same(["truth", "truth"], (a, b) => `(${a} AND ${b})`),
  same(["truth", "truth"], (a, b) => `(${a} OR ${b})`),
  same(["truth"], (a) => `(NOT ${a})`),
  same(["truth"], (a) => `(${a} IS TRUE)`),
  same(["truth"], (a) => `(${a} IS NOT TRUE)`),
  same(["truth"], (a) => `(${a} IS NOT FALSE)`),
  same(whole, (a, b) => `(${a} IS DISTINCT FROM ${b})`),
  same(["text", "text"], (a, b) => `(${a} IS NOT DISTINCT FROM ${b})`),
  same(["int"], (a) => `(${a} IS NULL)`),
  same(["text"], (a) => `(${a} IS NOT NULL)`),
  same(["int", "int"], (a, b) => `(${a} IN (1, 2, ${b}))`),
  same(["int", "int", "int"], (a, b, c) => `(${a} BETWEEN ${b} AND ${c})`),
  same(["text"], (a) => `(${a} IN ('checkout', '', 'É'))`),
  same(["text"], (a) => `(${a} LIKE '_%e%')`),
  same(["text"], (a) => `starts_with(${a}, 'c')`),
  ...patterns.map((pattern) => ({
    args: ["text"] as const,
    hadal: (a = "") => `(${a} ~ '${pattern}')`,
    duckdb: (a = "") => `regexp_matches(${a}, '${pattern}')`,
  })),
];

const forms: Readonly<Record<ExpressionType, readonly Form[]>> = {
  int: ints,
  text: texts,
  truth: truths,
};

const columnsOf: Readonly<Record<ExpressionType, readonly string[]>> = {
  int: ["n", "small", "sign", "huge"],
  text: ["word", "note"],
  truth: [],
};

const constants: Readonly<Record<ExpressionType, readonly string[]>> = {
  int: ["0", "1", "(-1)", "2", "7", "1000", "4611686018427387904"],
  text: ["''", "'a'", "'É'", "'😀'"],
  truth: [],
};

/** Decided by `random` alone. */
export function twoSqls(type: ExpressionType, depth: number, random: SeededRandom): TwoSqls {
  if (depth === 0 && type !== "truth") {
    const leaf = random.pick(random.chance(0.3) ? constants[type] : columnsOf[type]);
    return { hadal: leaf, duckdb: leaf };
  }
  const { args, hadal, duckdb = hadal } = random.pick(forms[type]);
  const inner = args.map((arg) => twoSqls(arg, Math.max(0, depth - 1), random));
  return {
    hadal: hadal(...inner.map((one) => one.hadal)),
    duckdb: duckdb(...inner.map((one) => one.duckdb)),
  };
}
