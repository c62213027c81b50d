import type { ColumnFilter, Expression, ExpressionFn, Filter, FilterValue } from "@hadal/sdk";
import { valuesOf } from "./operators.js";

/** A condition on a list needs a derived column: this returns the name of the column for it. */
export type DeriveAlone = (expression: Expression) => string;

/** The condition as a term, true for the rows that the filter passes. */
export function expressionOf(filter: Filter, alone: DeriveAlone): Expression {
  if ("any" in filter) return joined("or", filter.any, alone);
  if ("all" in filter) return joined("and", filter.all, alone);
  if ("not" in filter) return call("not", expressionOf(filter.not, alone));
  return ofColumn(filter, alone);
}

const call = (fn: ExpressionFn, ...args: readonly Expression[]): Expression => ({ fn, args });

/** Any of nothing is false, all of nothing true. */
function joined(fn: "and" | "or", filters: readonly Filter[], alone: DeriveAlone): Expression {
  const terms = filters.map((filter) => expressionOf(filter, alone));
  const [first] = terms;
  if (first === undefined) return { value: fn === "and" };
  return terms.length === 1 ? first : call(fn, ...terms);
}

function ofColumn(filter: ColumnFilter, alone: DeriveAlone): Expression {
  const { op } = filter;
  const column = { column: filter.column };
  const values = valuesOf(filter).map(termOf);
  switch (op) {
    case "in":
      return values.length === 0 ? { value: false } : call("in", column, ...values);
    case "not in":
      return values.length === 0 ? call("is present", column) : not("in", column, ...values);
    case "!~":
      return not("~", column, ...values);
    case "includes any":
    case "includes all":
    case "includes none":
    case "is empty":
    case "starts with":
    case "ends with":
    case "contains sequence":
      return call("=", { column: alone(call(op, column, ...values)) }, { value: "true" });
    default:
      return call(op, column, ...values);
  }
}

const not = (fn: ExpressionFn, ...args: readonly Expression[]): Expression =>
  call("not", call(fn, ...args));

/** Integers beyond 2^53 travel as their digits. */
function termOf(value: FilterValue): Expression {
  if (typeof value === "bigint") return { integer: value.toString() };
  const isLong =
    typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLong ? { integer: BigInt(value).toString() } : { value };
}
