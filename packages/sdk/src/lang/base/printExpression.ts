import type { Expression, ExpressionFn } from "../../model/expression.js";
import { fractionMax } from "../../model/expression.js";
import { nameFault } from "../../model/name.js";
import { isSavedName } from "./functions.js";
import { printName, printString, quoteName } from "./names.js";

/** Precedence of operators: an operand of lower precedence than its place gets parentheses. */
const binding = {
  or: 0,
  and: 1,
  not: 2,
  test: 3,
  concat: 4,
  sum: 5,
  product: 6,
  sign: 7,
  primary: 8,
} as const;

/** Calls whose SQL is a plain call; the name where it differs. */
const callNames: Partial<Record<ExpressionFn, string>> = {
  "~": "regexp_like",
  position: "strpos",
};

const infix: Partial<Record<ExpressionFn, number>> = {
  "+": binding.sum,
  "-": binding.sum,
  "*": binding.product,
  "/": binding.product,
  "%": binding.product,
};

const tests: ReadonlySet<ExpressionFn> = new Set<ExpressionFn>(["=", "!=", "<", "<=", ">", ">="]);

/** How names of columns are written: a derived column may be written as its expression. */
export type PrintColumn = (name: string) => string;

/** An expression as SQL that reads back as the same. */
export function printExpression(
  expression: Expression,
  printColumn: PrintColumn = printName,
): string {
  return print(expression, binding.or, printColumn);
}

/** An expression that is allowed left or right of a comparison. */
export function printOperand(expression: Expression, printColumn: PrintColumn = printName): string {
  return print(expression, binding.concat, printColumn);
}

function print(expression: Expression, place: number, column: PrintColumn): string {
  if ("column" in expression) return column(expression.column);
  if ("integer" in expression) return signed(expression.integer, place);
  if ("decimal" in expression) return signed(expression.decimal, place);
  if ("value" in expression) return printConstant(expression.value, place);
  const [text, binds] = printCall(expression.fn, expression.args, column);
  return binds < place ? `(${text})` : text;
}

function printConstant(value: string | number | boolean | null, place: number): string {
  if (typeof value === "string") return printString(value);
  if (typeof value === "number") return signed(printNumber(value), place);
  return String(value).toUpperCase();
}

/** A negative number behind `::` or a sign would be read otherwise. */
function signed(text: string, place: number): string {
  return text.startsWith("-") && place >= binding.sign ? `(${text})` : text;
}

/** A double, as short as reads back as the same. */
export function printNumber(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** The text of a call and how tightly it binds. */
function printCall(
  fn: ExpressionFn,
  args: readonly Expression[],
  column: PrintColumn,
): readonly [string, number] {
  const at = (i: number, place: number): string => print(args[i]!, place, column);
  const list = (from = 0): string =>
    args
      .slice(from)
      .map((arg) => print(arg, 0, column))
      .join(", ");
  const level = infix[fn];
  if (level !== undefined) return [`${at(0, level)} ${fn} ${at(1, level + 1)}`, level];
  if (tests.has(fn))
    return [`${at(0, binding.concat)} ${fn} ${at(1, binding.concat)}`, binding.test];
  switch (fn) {
    case "negate":
      return [`-${signGap(at(0, binding.primary), args[0]!)}`, binding.sign];
    case "and":
    case "or":
      return [
        args.map((arg) => print(arg, binding[fn] + 1, column)).join(` ${fn.toUpperCase()} `),
        binding[fn],
      ];
    case "not":
      return [`NOT ${at(0, binding.test)}`, binding.not];
    case "is missing":
      return [`${at(0, binding.concat)} IS NULL`, binding.test];
    case "is present":
      return [`${at(0, binding.concat)} IS NOT NULL`, binding.test];
    case "in":
      return [`${at(0, binding.concat)} IN (${list(1)})`, binding.test];
    case "is empty":
      return [`${at(0, binding.concat)} IS EMPTY`, binding.test];
    case "includes any":
    case "includes all":
    case "includes none":
    case "starts with":
    case "ends with":
    case "contains sequence":
      return [`${at(0, binding.concat)} ${fn.toUpperCase()} (${list(1)})`, binding.test];
    case "like":
      return [`${at(0, binding.concat)} LIKE ${at(1, binding.concat)}`, binding.test];
    case "~":
      return [`${at(0, binding.concat)} ~ ${at(1, binding.concat)}`, binding.test];
    case "concat":
      if (args.length < 2) break;
      return [args.map((arg) => print(arg, binding.sum, column)).join(" || "), binding.concat];
    case "case":
      return [printCase(args, column), binding.primary];
    case "extract":
      return [printExtract(args, column), binding.primary];
    case "to_decimal":
      return [printCast(args, column), binding.primary];
    case "to_string":
      return [`CAST(${list()} AS text)`, binding.primary];
  }
  return [`${callNames[fn] ?? fn}(${list()})`, binding.primary];
}

/** `--` would begin a comment, and the sign would become part of a number. */
function signGap(text: string, operand: Expression): string {
  const isNumber =
    "integer" in operand ||
    "decimal" in operand ||
    ("value" in operand && typeof operand.value === "number");
  return isNumber && !text.startsWith("(") ? `(${text})` : text;
}

function printCase(args: readonly Expression[], column: PrintColumn): string {
  const branches: string[] = [];
  for (let i = 0; i + 1 < args.length; i += 2) {
    const condition = print(args[i]!, 0, column);
    branches.push(`WHEN ${condition} THEN ${print(args[i + 1]!, 0, column)}`);
  }
  const otherwise = args.length % 2 === 1 ? [`ELSE ${print(args.at(-1)!, 0, column)}`] : [];
  return ["CASE", ...branches, ...otherwise, "END"].join(" ");
}

/** The constant digits that it rounds to; other arguments are refused when it is bound. */
function printCast(args: readonly Expression[], column: PrintColumn): string {
  const [value, digits] = args as [Expression, Expression?];
  const printed = print(value, 0, column);
  if (digits === undefined) return `CAST(${printed} AS numeric)`;
  const kept = "value" in digits ? digits.value : null;
  if (Object.is(kept, 0)) return `CAST(${printed} AS bigint)`;
  const isDigits =
    typeof kept === "number" && Number.isInteger(kept) && kept > 0 && kept <= fractionMax;
  if (isDigits) return `CAST(${printed} AS numeric(18, ${kept}))`;
  return `to_decimal(${printed}, ${print(digits, 0, column)})`;
}

function printExtract(args: readonly Expression[], column: PrintColumn): string {
  const [part, time] = args;
  const name = part !== undefined && "value" in part ? String(part.value) : "";
  const word = name === "dayOfWeek" ? "isodow" : name;
  return `extract(${word} FROM ${time === undefined ? "" : print(time, 0, column)})`;
}

/** The name of a derived column that is written where it is used: its text. */
export function nameOfExpression(expression: Expression): string {
  return nameOfText(printExpression(expression));
}

/** What a column derived by a saved function is called. */
export function functionName(name: string, args: readonly string[]): string {
  return nameOfText(printFunction(name, args, printName));
}

export function printFunction(
  name: string,
  args: readonly string[],
  printColumn: PrintColumn,
): string {
  const called = isSavedName(name) ? printName(name) : quoteName(name);
  return `${called}(${args.map(printColumn).join(", ")})`;
}

/** Texts that cannot be names are cut, and a hash keeps them distinct. */
function nameOfText(text: string): string {
  if (nameFault(text) === null) return text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a name must not have.
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f]|\p{Surrogate}/gu, " ");
  return `${[...plain].slice(0, 40).join("")}… ${hashOf(text)}`;
}

/** FNV-1a in 64 bits: enough to distinguish the few expressions of one query. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}
