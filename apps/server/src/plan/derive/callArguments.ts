import type { ExpressionFn } from "@hadal/sdk";
import type { TypedConstant, TypedExpression } from "../../function/term/typedExpression.js";
import { call } from "../../function/term/typedTerms.js";
import { groupsOfPattern } from "../filter/checkPattern.js";
import { typeMismatch } from "../schema/tableSchema.js";

/** A call of a query whose arguments have types and whose own type is not known yet. */
export interface UntypedCall {
  readonly fn: ExpressionFn;
  readonly args: readonly TypedExpression[];
  /** Of the call, for problems. */
  readonly path: string;
  readonly timeZone: string;
}

/** Gives a call its type. Throws a HadalError that names the argument at fault. */
export type TypeCall = (untyped: UntypedCall) => TypedExpression;

export function argPath({ path }: UntypedCall, index: number): string {
  return `${path}.args[${index}]`;
}

/** The argument as a string; a condition becomes the string that rows store for it. */
export function textAt(untyped: UntypedCall, index: number): TypedExpression {
  return asText(untyped, index, untyped.args[index]!);
}

/** The same; a number becomes the string that rows show for it. */
export function printedAt(untyped: UntypedCall, index: number): TypedExpression {
  const term = untyped.args[index]!;
  const isNumber = term.type === "int" && !(term.kind === "constant" && term.value === null);
  return asText(untyped, index, isNumber ? call("to_string", [term], "string") : term);
}

function asText(untyped: UntypedCall, index: number, term: TypedExpression): TypedExpression {
  if (term.type === "string") return term;
  if (term.kind === "constant" && (term.value === null || term.type === "truth")) {
    return { ...term, type: "string" };
  }
  if (term.type === "truth") return call("to_string", [term], "string");
  const advice = term.type === "int" ? " Use to_string." : "";
  throw typeMismatch(
    argPath(untyped, index),
    `${untyped.fn} needs a string here; found ${describeType(term)}.${advice}`,
  );
}

/** The argument as an integer without decimals. */
export function wholeAt(untyped: UntypedCall, index: number): TypedExpression {
  const term = untyped.args[index]!;
  if (term.kind === "constant" && term.value === null) return { ...term, type: "int" };
  if (term.type === "int" && term.decimals === 0) return term;
  const detail = `${untyped.fn} needs a whole number here; found ${describeType(term)}.`;
  throw typeMismatch(argPath(untyped, index), detail);
}

export function constantTextAt(untyped: UntypedCall, index: number): TypedConstant {
  const term = textAt(untyped, index);
  if (term.kind === "constant") return term;
  throw typeMismatch(argPath(untyped, index), `${untyped.fn} needs a constant string here.`);
}

/** A regular expression that was checked, and its count of groups. */
export function patternAt(
  untyped: UntypedCall,
  index: number,
): { readonly pattern: TypedConstant; readonly groups: number } {
  const pattern = constantTextAt(untyped, index);
  if (pattern.value === null) return { pattern, groups: 0 };
  return { pattern, groups: groupsOfPattern(pattern.value, argPath(untyped, index)) };
}

/** "a decimal", for sentences. */
export function describeType({ type, decimals }: TypedExpression): string {
  if (type === "int") return decimals > 0 ? "a decimal" : "an integer";
  const names = { string: "a string", truth: "a condition", list: "a set or vector" };
  return type === "number" ? "a number of JavaScript" : names[type];
}
