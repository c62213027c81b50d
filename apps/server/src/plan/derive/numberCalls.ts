import { decimalsDefault } from "@hadal/sdk";
import type { TypedExpression } from "../../function/term/typedExpression.js";
import { call, constant, isMissing, missing, rescaled } from "../../function/term/typedTerms.js";
import { typeMismatch } from "../schema/tableSchema.js";
import { argPath, textAt, type UntypedCall } from "./callArguments.js";
import { isDigits, roundedDigits } from "./roundedDigits.js";

/** Larger whole powers of most numbers need more than 64 bits. */
const exactPowerMax = 16;

export function product(left: TypedExpression, right: TypedExpression): TypedExpression {
  const kept = Math.max(decimalsDefault, left.decimals, right.decimals);
  return call("*", [left, right], "int", Math.min(left.decimals + right.decimals, kept));
}

export function signOf(term: TypedExpression): TypedExpression {
  const zero = constant("int", "0");
  const args = [
    ...[call(">", [term, zero], "truth"), constant("int", "1")],
    ...[call("<", [term, zero], "truth"), constant("int", "-1")],
    ...[call("=", [term, zero], "truth"), zero],
    missing("int"),
  ];
  return call("case", args, "int");
}

/** A function of doubles, whose result has the digits of a column of decimals. */
export function ofDoubles(
  fn: "js sqrt" | "js pow",
  terms: readonly TypedExpression[],
): TypedExpression {
  const numbers = terms.map((term) => call("js number", [term], "number"));
  return call("js store", [call(fn, numbers, "number")], "int", decimalsDefault);
}

/** A small constant power is a product, which is exact for integers. */
export function powerOf([base, exponent]: readonly [
  TypedExpression,
  TypedExpression,
]): TypedExpression {
  const isWhole = exponent.kind === "constant" && exponent.decimals === 0;
  const times = isWhole && exponent.value !== null ? Number(exponent.value) : -1;
  if (times < 1 || times > exactPowerMax) return ofDoubles("js pow", [base, exponent]);
  let power = base;
  for (let i = 1; i < times; i++) power = product(power, base);
  return power;
}

/** Numbers rounded as CAST rounds, texts that are numbers, and conditions as 1 and 0. */
export function toDecimal(untyped: UntypedCall): TypedExpression {
  const [value, digits] = untyped.args;
  const kept = digits === undefined ? null : constantDigits(digits);
  if (digits !== undefined && kept === null) {
    throw typeMismatch(argPath(untyped, 1), roundedDigits);
  }
  const term = value!;
  if (isMissing(term)) return { ...missing("int"), decimals: kept ?? 0 };
  if (term.type === "truth") {
    const no = call("not", [term], "truth");
    const args = [term, constant("int", "1"), no, constant("int", "0"), missing("int")];
    return rescaled(call("case", args, "int"), kept ?? 1);
  }
  if (term.type !== "int") {
    return call("to_decimal", [textAt(untyped, 0)], "int", kept ?? decimalsDefault);
  }
  // One digit behind the point is enough to divide as decimals do.
  if (kept === null) return term.decimals > 0 ? term : rescaled(term, 1);
  return kept < term.decimals ? call("round", [term], "int", kept) : rescaled(term, kept);
}

export function constantDigits(term: TypedExpression): number | null {
  const isWhole = term.kind === "constant" && term.type === "int" && term.decimals === 0;
  return isWhole && term.value !== null && isDigits(Number(term.value)) ? Number(term.value) : null;
}
