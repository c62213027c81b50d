import type { ExpressionFn } from "@hadal/sdk";
import type { ListOperator } from "../../base/text/listOperator.js";

/**
 * Of what a term's value is, known before any row is read: a 64-bit integer that stands for itself divided by
 * 10^decimals, a string, a condition (true, false or missing), a set or vector, or, inside of a function of JavaScript,
 * one of its numbers: a double, missing where JavaScript has undefined or null.
 */
export type ValueType = "int" | "string" | "truth" | "list" | "number";

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
  /** Integers as decimal strings at their scale; doubles as JavaScript writes them, but "-0" for that; conditions as "true" or "false"; null is missing. */
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
export type TypedFn = ExpressionFn | "rescale" | JsFn;

/** What works on strings and times. */
export type TextFn = Extract<
  ExpressionFn,
  | "contains"
  | "~"
  | "like"
  | "length"
  | "lower"
  | "upper"
  | "pattern"
  | "substr"
  | "left"
  | "right"
  | "position"
  | "lpad"
  | "rpad"
  | "trim"
  | "ltrim"
  | "rtrim"
  | "concat_ws"
  | "to_decimal"
  | "replace"
  | "concat"
  | "regexp_extract"
  | "regexp_replace"
  | "starts_with"
  | "ends_with"
  | ListOperator
  | "extract"
  | "to_int"
  | "to_string"
>;

/** What JavaScript means by its operators on numbers; missing is NaN to arithmetic, and false to comparisons. */
export type JsFn = (typeof jsFns)[number];

export const jsFns = [
  /** An integer as a double; missing stays so. */
  "js number",
  "js +",
  "js -",
  "js *",
  "js /",
  "js %",
  "js negate",
  "js abs",
  "js floor",
  "js ceil",
  "js trunc",
  "js round",
  "js sqrt",
  "js pow",
  "js min",
  "js max",
  /** Strict equality: missing equals missing. */
  "js =",
  "js <",
  "js <=",
  "js >",
  "js >=",
  /** Neither missing nor 0 nor NaN. */
  "js truthy",
  /** 1 and 0 of true and false. */
  "js of truth",
  /** As a row's number would be stored; missing where that is none of 64 bits. */
  "js store",
] as const;

/** Decimals beyond this leave no room for a whole part. */
export const decimalsMax = 18;
