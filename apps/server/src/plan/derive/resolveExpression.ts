import { decimalsDefault, type Expression, type ExpressionFn } from "@hadal/sdk";
import { unreachable } from "../../base/assert.js";
import { floorScaled, parseExactDecimal } from "../../base/number/decimalText.js";
import { isSequenceOperator, type ListOperator } from "../../base/text/listOperator.js";
import {
  decimalsMax,
  type TypedExpression,
  type ValueType,
} from "../../function/term/typedExpression.js";
import { call, constant, isMissing, missing, rescaled } from "../../function/term/typedTerms.js";
import {
  describeColumn,
  findColumn,
  type SchemaColumn,
  type TableSchema,
  typeMismatch,
} from "../schema/tableSchema.js";
import { constantDigits, ofDoubles, powerOf, product, signOf, toDecimal } from "./numberCalls.js";
import { describeType, resolveTextCall } from "./resolveTextCall.js";
import { roundedDigits } from "./roundedDigits.js";

export interface ExpressionPlace {
  readonly table: TableSchema;
  readonly timeZone: string;
  /** Number of a column among the inputs, which it joins when it is new. */
  inputOf(column: SchemaColumn): number;
}

/** Binds an expression to its columns and finds the type of every term. Throws a HadalError that names the path at fault. */
export function resolveExpression(
  expression: Expression,
  path: string,
  place: ExpressionPlace,
): TypedExpression {
  if ("column" in expression) {
    const column = findColumn(place.table, expression.column, `${path}.column`);
    const type = column.type === "int" || column.type === "string" ? column.type : "list";
    const index = place.inputOf(column);
    return { kind: "input", index, type, decimals: column.decimals };
  }
  if ("integer" in expression) return constant("int", BigInt(expression.integer).toString());
  if ("decimal" in expression) return resolveNumber(expression.decimal, `${path}.decimal`);
  if ("value" in expression) return resolveValue(expression.value, `${path}.value`);
  checkOrdered(expression, path, place.table);
  const args = expression.args.map((arg, i) => resolveExpression(arg, `${path}.args[${i}]`, place));
  return resolveCall(expression.fn, args, path, place);
}

/** The elements of a set have no order that a condition could ask for. */
function checkOrdered(
  { fn, args }: Extract<Expression, { fn: unknown }>,
  path: string,
  table: TableSchema,
): void {
  const [list] = args;
  if (!isSequenceOperator(fn) || list === undefined || !("column" in list)) return;
  const column = findColumn(table, list.column, `${path}.args[0].column`);
  if (column.type !== "set") return;
  const detail = `"${fn}" needs a vector; the elements of ${describeColumn(column)} have no order.`;
  throw typeMismatch(`${path}.args[0]`, detail);
}

function resolveValue(value: string | number | boolean | null, path: string): TypedExpression {
  if (value === null) return missing("string");
  if (typeof value === "string") return constant("string", value);
  if (typeof value === "boolean") return constant("truth", String(value));
  return resolveNumber(String(value), path);
}

function resolveNumber(text: string, path: string): TypedExpression {
  const exact = parseExactDecimal(text);
  const scale = exact?.scale ?? 0;
  const digits = exact === null || scale > decimalsMax ? null : floorScaled(exact, scale).floor;
  if (digits === null || BigInt.asIntN(64, digits) !== digits) {
    throw typeMismatch(path, `${text} has more digits than an int64 with ${decimalsMax} decimals.`);
  }
  return { kind: "constant", type: "int", decimals: scale, value: digits.toString() };
}

/** What each function takes and gives. Long: one branch for each function, and the compiler checks that none is missing. */
function resolveCall(
  fn: ExpressionFn,
  args: readonly TypedExpression[],
  path: string,
  place: ExpressionPlace,
): TypedExpression {
  switch (fn) {
    case "+":
    case "-":
    case "%":
      return aligned(fn, ints(fn, args, path));
    case "least":
    case "greatest": {
      const values = alike(fn, args, path);
      return values[0]!.type === "int" ? aligned(fn, values) : call(fn, values, values[0]!.type);
    }
    case "*":
      return product(...(ints(fn, args, path) as [TypedExpression, TypedExpression]));
    case "floor":
    case "ceil":
    case "round":
    case "trunc":
      return rounded(fn, args, path);
    case "sign":
      return signOf(ints(fn, args, path)[0]!);
    case "sqrt":
      return ofDoubles("js sqrt", ints(fn, args, path));
    case "power":
      return powerOf(ints(fn, args, path) as [TypedExpression, TypedExpression]);
    case "to_decimal":
      return toDecimal(args, path, place.timeZone);
    case "/":
      return quotient(ints(fn, args, path) as [TypedExpression, TypedExpression]);
    case "negate":
    case "abs": {
      const numbers = ints(fn, args, path);
      return call(fn, numbers, "int", numbers[0]!.decimals);
    }
    case "=":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "in":
      return call(fn, comparable(fn, args, path), "truth");
    case "is missing":
    case "is present":
      return call(fn, args, "truth");
    case "and":
    case "or":
    case "not":
      return call(fn, truths(fn, args, path), "truth");
    case "case":
      return resolveCase(args, path);
    case "coalesce": {
      const values = alike(fn, args, path);
      return call(fn, values, values[0]!.type, values[0]!.decimals);
    }
    case "nullif": {
      // Compared at their own scales: only the first is ever the value.
      const values = ofOneType(fn, args, path);
      return call(fn, values, values[0]!.type, values[0]!.decimals);
    }
    case "includes any":
    case "includes all":
    case "includes none":
    case "is empty":
    case "starts with":
    case "ends with":
    case "contains sequence":
      return listCondition(fn, args, path);
    case "contains":
    case "~":
    case "like":
    case "length":
    case "lower":
    case "upper":
    case "pattern":
    case "substr":
    case "left":
    case "right":
    case "position":
    case "lpad":
    case "rpad":
    case "trim":
    case "ltrim":
    case "rtrim":
    case "replace":
    case "concat":
    case "concat_ws":
    case "regexp_extract":
    case "regexp_replace":
    case "starts_with":
    case "ends_with":
    case "extract":
    case "to_int":
    case "to_string":
      return resolveTextCall(fn, args, path, place.timeZone);
    default:
      return unreachable(fn);
  }
}

/** Whole where both sides are; else with digits behind the point, as a person expects of `bytes / 1024.0`. */
function quotient([left, right]: readonly [TypedExpression, TypedExpression]): TypedExpression {
  const isWhole = left.decimals === 0 && right.decimals === 0;
  const decimals = isWhole ? 0 : Math.max(decimalsDefault, left.decimals);
  // What the left side is taken times is an integer of 64 bits itself.
  const beyond = Math.max(0, decimals - left.decimals + right.decimals - decimalsMax);
  return call("/", [rescaled(left, left.decimals + beyond), right], "int", decimals);
}

/** To fewer digits behind the point; a number that has no more is as it was. */
function rounded(
  fn: "floor" | "ceil" | "round" | "trunc",
  [number, digits]: readonly TypedExpression[],
  path: string,
): TypedExpression {
  const [term] = ints(fn, [number!], path) as [TypedExpression];
  const kept = digits === undefined ? 0 : constantDigits(digits);
  if (kept === null) throw typeMismatch(`${path}.args[1]`, roundedDigits);
  if (kept >= term.decimals) return term;
  return fn === "trunc" ? call("rescale", [term], "int", kept) : call(fn, [term], "int", kept);
}

/** Where a scan works row by row, it knows of lists no more than their lengths: the condition has a column of its own. */
function listCondition(
  fn: ListOperator,
  [list, ...wanted]: readonly TypedExpression[],
  path: string,
): TypedExpression {
  if (list?.type !== "list" || list.kind !== "input") {
    const found = list === undefined ? "nothing" : describeType(list);
    throw typeMismatch(`${path}.args[0]`, `${fn} needs a set or vector here; found ${found}.`);
  }
  if (!path.endsWith(".expression")) {
    const detail = `${fn} stands alone in a derived column: compare that with "true" here.`;
    throw typeMismatch(path, detail);
  }
  const texts = wanted.map((term, i) => {
    if (term.kind === "constant" && term.value !== null && term.decimals === 0) {
      return constant("string", term.value);
    }
    throw typeMismatch(`${path}.args[${i + 1}]`, `${fn} looks for constant elements.`);
  });
  return call(fn, [list, ...texts], "truth");
}

/** Pairs of condition and value, and last what it is otherwise: written out when it was left out. */
function resolveCase(args: readonly TypedExpression[], path: string): TypedExpression {
  const whole = args.length % 2 === 1 ? args : [...args, missing("string")];
  const isCondition = (i: number): boolean => i % 2 === 0 && i < whole.length - 1;
  const values = alike("case", whole, path, isCondition);
  const conditions = truths("case", whole, path, isCondition);
  const mixed = whole.map((_, i) => (isCondition(i) ? conditions[i]! : values[i]!));
  const { type, decimals } = mixed.at(-1)!;
  return call("case", mixed, type, decimals);
}

/** Numbers, or the missing value as one. */
function ints(
  fn: ExpressionFn,
  args: readonly TypedExpression[],
  path: string,
): readonly TypedExpression[] {
  return args.map((arg, i) => expectType(fn, arg, "int", `${path}.args[${i}]`));
}

function truths(
  fn: ExpressionFn,
  args: readonly TypedExpression[],
  path: string,
  isWanted = (_: number): boolean => true,
): readonly TypedExpression[] {
  return args.map((arg, i) =>
    isWanted(i) ? expectType(fn, arg, "truth", `${path}.args[${i}]`) : arg,
  );
}

function expectType(
  fn: ExpressionFn,
  term: TypedExpression,
  type: "int" | "truth",
  path: string,
): TypedExpression {
  if (term.type === type) return term;
  if (isMissing(term)) return missing(type);
  const wanted = type === "int" ? "a number" : "a condition";
  const advice =
    type === "truth" && term.type === "string" ? ` Compare it, such as with "true".` : "";
  throw typeMismatch(path, `${fn} needs ${wanted} here; found ${describeType(term)}.${advice}`);
}

function aligned(fn: ExpressionFn, numbers: readonly TypedExpression[]): TypedExpression {
  const decimals = Math.max(...numbers.map((number) => number.decimals));
  return call(
    fn,
    numbers.map((number) => rescaled(number, decimals)),
    "int",
    decimals,
  );
}

/** Both sides of a comparison: numbers at their own scales, strings, or conditions as the strings rows hold. */
function comparable(
  fn: ExpressionFn,
  args: readonly TypedExpression[],
  path: string,
): readonly TypedExpression[] {
  const type = commonType(fn, args, path, () => true);
  const isOrder = fn !== "=" && fn !== "!=" && fn !== "in";
  if (type === "list" || (type === "truth" && isOrder)) {
    throw typeMismatch(
      `${path}.args`,
      `${fn} compares numbers or strings; found ${describeType(args[0]!)}.`,
    );
  }
  return args.map((arg) => converted(arg, type === "truth" ? "string" : type));
}

/** Values that one term may have: of one type, numbers at one scale. */
function alike(
  fn: ExpressionFn,
  args: readonly TypedExpression[],
  path: string,
  isLeftOut = (_: number): boolean => false,
): readonly TypedExpression[] {
  const kept = ofOneType(fn, args, path, isLeftOut);
  const own = kept.filter((_, i) => !isLeftOut(i));
  if (own[0]?.type !== "int") return kept;
  const decimals = Math.max(...own.map((term) => term.decimals));
  return kept.map((term, i) => (isLeftOut(i) ? term : rescaled(term, decimals)));
}

/** The same, numbers at their own scales. */
function ofOneType(
  fn: ExpressionFn,
  args: readonly TypedExpression[],
  path: string,
  isLeftOut = (_: number): boolean => false,
): readonly TypedExpression[] {
  const type = commonType(fn, args, path, (i) => !isLeftOut(i));
  if (type === "list") {
    throw typeMismatch(
      `${path}.args`,
      `${fn} gives numbers, strings or conditions, not whole lists.`,
    );
  }
  return args.map((arg, i) => (isLeftOut(i) ? arg : converted(arg, type)));
}

/** The type that all can have; conditions beside strings are strings. Nothing but missing values: a string. */
function commonType(
  fn: ExpressionFn,
  args: readonly TypedExpression[],
  path: string,
  isWanted: (index: number) => boolean,
): ValueType {
  let common: { readonly type: ValueType; readonly term: TypedExpression } | null = null;
  for (const [i, term] of args.entries()) {
    if (!isWanted(i) || isMissing(term)) continue;
    const { type } = term;
    if (common === null || common.type === type) common = { type, term };
    else if (isTextual(type) && isTextual(common.type)) common = { type: "string", term };
    else {
      const isMixed = [type, common.type].includes("int") && [type, common.type].some(isTextual);
      const advice = isMixed ? " Numbers are texts by CAST(… AS text), or to_string." : "";
      throw typeMismatch(
        `${path}.args[${i}]`,
        `${fn} needs values of one type; found ${describeType(common.term)} and ${describeType(term)}.${advice}`,
      );
    }
  }
  return common?.type ?? "string";
}

const isTextual = (type: ValueType): boolean => type === "string" || type === "truth";

function converted(term: TypedExpression, type: ValueType): TypedExpression {
  if (term.type === type) return term;
  if (isMissing(term)) return missing(type);
  if (term.kind === "constant") return { ...term, type };
  return call("to_string", [term], "string");
}
