import { decimalsDefault, type Expression, type ExpressionFn } from "@hadal/sdk";
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
import { argPath, describeType, type TypeCall, type UntypedCall } from "./callArguments.js";
import { constantDigits, ofDoubles, powerOf, product, signOf, toDecimal } from "./numberCalls.js";
import { roundedDigits } from "./roundedDigits.js";
import { textCalls } from "./textCalls.js";

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
  return calls[expression.fn]({ fn: expression.fn, args, path, timeZone: place.timeZone });
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

/** How each call gets its type. */
const calls: { readonly [Fn in ExpressionFn]: TypeCall } = {
  ...textCalls,
  "+": (untyped) => aligned(untyped.fn, ints(untyped)),
  "-": (untyped) => aligned(untyped.fn, ints(untyped)),
  "%": (untyped) => aligned(untyped.fn, ints(untyped)),
  "*": (untyped) => product(...twoInts(untyped)),
  "/": (untyped) => quotient(twoInts(untyped)),
  negate: ofOneScale,
  abs: ofOneScale,
  floor: (untyped) => rounded("floor", untyped),
  ceil: (untyped) => rounded("ceil", untyped),
  round: (untyped) => rounded("round", untyped),
  trunc: (untyped) => rounded("trunc", untyped),
  sign: (untyped) => signOf(ints(untyped)[0]!),
  sqrt: (untyped) => ofDoubles("js sqrt", ints(untyped)),
  power: (untyped) => powerOf(twoInts(untyped)),
  to_decimal: toDecimal,
  least: extreme,
  greatest: extreme,
  "=": comparison,
  "!=": comparison,
  "<": comparison,
  "<=": comparison,
  ">": comparison,
  ">=": comparison,
  in: comparison,
  "is missing": ({ fn, args }) => call(fn, args, "truth"),
  "is present": ({ fn, args }) => call(fn, args, "truth"),
  and: ofTruths,
  or: ofTruths,
  not: ofTruths,
  case: resolveCase,
  coalesce: (untyped) => likeFirst(untyped.fn, alike(untyped)),
  // Compared at their own scales: only the first is ever the value.
  nullif: (untyped) => likeFirst(untyped.fn, ofOneType(untyped)),
  "includes any": (untyped) => listCondition("includes any", untyped),
  "includes all": (untyped) => listCondition("includes all", untyped),
  "includes none": (untyped) => listCondition("includes none", untyped),
  "is empty": (untyped) => listCondition("is empty", untyped),
  "starts with": (untyped) => listCondition("starts with", untyped),
  "ends with": (untyped) => listCondition("ends with", untyped),
  "contains sequence": (untyped) => listCondition("contains sequence", untyped),
};

function extreme(untyped: UntypedCall): TypedExpression {
  const values = alike(untyped);
  const { type } = values[0]!;
  return type === "int" ? aligned(untyped.fn, values) : call(untyped.fn, values, type);
}

function ofOneScale(untyped: UntypedCall): TypedExpression {
  return likeFirst(untyped.fn, ints(untyped));
}

function likeFirst(fn: ExpressionFn, values: readonly TypedExpression[]): TypedExpression {
  return call(fn, values, values[0]!.type, values[0]!.decimals);
}

function comparison(untyped: UntypedCall): TypedExpression {
  return call(untyped.fn, comparable(untyped), "truth");
}

function ofTruths(untyped: UntypedCall): TypedExpression {
  return call(untyped.fn, truths(untyped), "truth");
}

/** An integer where both sides are; else with decimals, as a person expects of `bytes / 1024.0`. */
function quotient([left, right]: readonly [TypedExpression, TypedExpression]): TypedExpression {
  const isWhole = left.decimals === 0 && right.decimals === 0;
  const decimals = isWhole ? 0 : Math.max(decimalsDefault, left.decimals);
  // The factor of the left side has to fit 64 bits itself.
  const beyond = Math.max(0, decimals - left.decimals + right.decimals - decimalsMax);
  return call("/", [rescaled(left, left.decimals + beyond), right], "int", decimals);
}

/** To fewer digits behind the point; a number that has no more stays as it is. */
function rounded(fn: "floor" | "ceil" | "round" | "trunc", untyped: UntypedCall): TypedExpression {
  const term = typedAt(untyped, 0, "int");
  const digits = untyped.args[1];
  const kept = digits === undefined ? 0 : constantDigits(digits);
  if (kept === null) throw typeMismatch(argPath(untyped, 1), roundedDigits);
  if (kept >= term.decimals) return term;
  return fn === "trunc" ? call("rescale", [term], "int", kept) : call(fn, [term], "int", kept);
}

/** A scan by rows has only the lengths of lists, so the condition on their elements is a column by itself. */
function listCondition(fn: ListOperator, untyped: UntypedCall): TypedExpression {
  const [list, ...wanted] = untyped.args;
  if (list?.type !== "list" || list.kind !== "input") {
    const found = list === undefined ? "nothing" : describeType(list);
    throw typeMismatch(argPath(untyped, 0), `${fn} needs a set or vector here; found ${found}.`);
  }
  if (!untyped.path.endsWith(".expression")) {
    const detail = `${fn} stands alone in a derived column: compare that with "true" here.`;
    throw typeMismatch(untyped.path, detail);
  }
  const texts = wanted.map((term, i) => {
    if (term.kind === "constant" && term.value !== null && term.decimals === 0) {
      return constant("string", term.value);
    }
    throw typeMismatch(argPath(untyped, i + 1), `${fn} looks for constant elements.`);
  });
  return call(fn, [list, ...texts], "truth");
}

/** Pairs of a condition and a value, then the value otherwise: missing where the query gives none. */
function resolveCase(untyped: UntypedCall): TypedExpression {
  const { args } = untyped;
  const whole = args.length % 2 === 1 ? args : [...args, missing("string")];
  const isCondition = (i: number): boolean => i % 2 === 0 && i < whole.length - 1;
  const withOtherwise = { ...untyped, args: whole };
  const values = alike(withOtherwise, isCondition);
  const conditions = truths(withOtherwise, isCondition);
  const mixed = whole.map((_, i) => (isCondition(i) ? conditions[i]! : values[i]!));
  const { type, decimals } = mixed.at(-1)!;
  return call("case", mixed, type, decimals);
}

/** The arguments as numbers; a missing constant becomes a missing number. */
function ints(untyped: UntypedCall): readonly TypedExpression[] {
  return untyped.args.map((_, i) => typedAt(untyped, i, "int"));
}

function twoInts(untyped: UntypedCall): readonly [TypedExpression, TypedExpression] {
  return [typedAt(untyped, 0, "int"), typedAt(untyped, 1, "int")];
}

function truths(
  untyped: UntypedCall,
  isWanted = (_: number): boolean => true,
): readonly TypedExpression[] {
  return untyped.args.map((arg, i) => (isWanted(i) ? typedAt(untyped, i, "truth") : arg));
}

function typedAt(untyped: UntypedCall, index: number, type: "int" | "truth"): TypedExpression {
  const term = untyped.args[index]!;
  if (term.type === type) return term;
  if (isMissing(term)) return missing(type);
  const wanted = type === "int" ? "a number" : "a condition";
  const advice =
    type === "truth" && term.type === "string" ? ` Compare it, such as with "true".` : "";
  throw typeMismatch(
    argPath(untyped, index),
    `${untyped.fn} needs ${wanted} here; found ${describeType(term)}.${advice}`,
  );
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

/** What is compared: numbers at their own scales, strings, or conditions as the strings of rows. */
function comparable(untyped: UntypedCall): readonly TypedExpression[] {
  const { fn, args, path } = untyped;
  const type = commonType(untyped, () => true);
  const isOrder = fn !== "=" && fn !== "!=" && fn !== "in";
  if (type === "list" || (type === "truth" && isOrder)) {
    throw typeMismatch(
      `${path}.args`,
      `${fn} compares numbers or strings; found ${describeType(args[0]!)}.`,
    );
  }
  return args.map((arg) => converted(arg, type === "truth" ? "string" : type));
}

/** Values of one type, numbers at one scale. */
function alike(
  untyped: UntypedCall,
  isLeftOut = (_: number): boolean => false,
): readonly TypedExpression[] {
  const kept = ofOneType(untyped, isLeftOut);
  const own = kept.filter((_, i) => !isLeftOut(i));
  if (own[0]?.type !== "int") return kept;
  const decimals = Math.max(...own.map((term) => term.decimals));
  return kept.map((term, i) => (isLeftOut(i) ? term : rescaled(term, decimals)));
}

/** Values of one type, numbers at their own scales. */
function ofOneType(
  untyped: UntypedCall,
  isLeftOut = (_: number): boolean => false,
): readonly TypedExpression[] {
  const { fn, args, path } = untyped;
  const type = commonType(untyped, (i) => !isLeftOut(i));
  if (type === "list") {
    throw typeMismatch(
      `${path}.args`,
      `${fn} gives numbers, strings or conditions, not whole lists.`,
    );
  }
  return args.map((arg, i) => (isLeftOut(i) ? arg : converted(arg, type)));
}

/** The type of all wanted arguments; a string where some are conditions, or where all are missing. */
function commonType(untyped: UntypedCall, isWanted: (index: number) => boolean): ValueType {
  let common: { readonly type: ValueType; readonly term: TypedExpression } | null = null;
  for (const [i, term] of untyped.args.entries()) {
    if (!isWanted(i) || isMissing(term)) continue;
    const { type } = term;
    if (common === null || common.type === type) common = { type, term };
    else if (isTextual(type) && isTextual(common.type)) common = { type: "string", term };
    else {
      const isMixed = [type, common.type].includes("int") && [type, common.type].some(isTextual);
      const advice = isMixed ? " Numbers are texts by CAST(… AS text), or to_string." : "";
      throw typeMismatch(
        argPath(untyped, i),
        `${untyped.fn} needs values of one type; found ${describeType(common.term)} and ${describeType(term)}.${advice}`,
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
