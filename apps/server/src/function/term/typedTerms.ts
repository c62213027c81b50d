import type {
  TypedCall,
  TypedConstant,
  TypedExpression,
  TypedFn,
  ValueType,
} from "./typedExpression.js";

export function call(
  fn: TypedFn,
  args: readonly TypedExpression[],
  type: ValueType,
  decimals = 0,
): TypedCall {
  return { kind: "call", fn, args, type, decimals };
}

export function constant(type: ValueType, value: string): TypedConstant {
  return { kind: "constant", type, decimals: 0, value };
}

export function missing(type: ValueType): TypedConstant {
  return { kind: "constant", type, decimals: 0, value: null };
}

export function isMissing(term: TypedExpression): boolean {
  return term.kind === "constant" && term.value === null;
}

/** The number at that scale; a constant at once, where it fits. */
export function rescaled(term: TypedExpression, decimals: number): TypedExpression {
  if (term.decimals === decimals) return term;
  if (isMissing(term)) return { ...missing("int"), decimals };
  if (term.kind === "constant" && decimals > term.decimals) {
    const value = BigInt(term.value ?? 0) * 10n ** BigInt(decimals - term.decimals);
    if (BigInt.asIntN(64, value) === value) return { ...term, decimals, value: value.toString() };
  }
  return call("rescale", [term], "int", decimals);
}
