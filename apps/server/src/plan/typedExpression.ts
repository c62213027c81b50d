import type { ExpressionFn } from "@hadal/sdk";

/**
 * Of what a term's value is, known before any row is read: a 64-bit integer that stands for itself divided by
 * 10^decimals, a string, a condition (true, false or missing), or a set or vector.
 */
export type ValueType = "int" | "string" | "truth" | "list";

/** An expression whose columns are bound and whose types are known. Travels as JSON. */
export type TypedExpression = TypedInput | TypedConstant | TypedCall;

/** The value of a column, by its place in the derived column's `inputs`. */
export interface TypedInput {
  readonly kind: "input";
  readonly index: number;
  readonly type: Exclude<ValueType, "truth">;
  readonly decimals: number;
}

export interface TypedConstant {
  readonly kind: "constant";
  readonly type: ValueType;
  readonly decimals: number;
  /** Integers as decimal strings at their scale; conditions as "true" or "false"; null is missing. */
  readonly value: string | null;
}

export interface TypedCall {
  readonly kind: "call";
  readonly fn: TypedFn;
  readonly args: readonly TypedExpression[];
  readonly type: ValueType;
  readonly decimals: number;
  /** Of `extract`. */
  readonly zone?: string;
}

/** `rescale` brings an integer to the call's decimals, cutting off toward zero. */
export type TypedFn = ExpressionFn | "rescale";

/** Decimals beyond this leave no room for a whole part. */
export const decimalsMax = 18;
