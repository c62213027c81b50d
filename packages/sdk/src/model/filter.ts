import type { ColumnType } from "./schema.js";

/** A literal in a filter. Integers beyond 2^53 are written as decimal strings. */
export type FilterValue = string | number | boolean | bigint;

export type FilterOperator =
  | "="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "in"
  | "not in"
  | "~"
  | "!~"
  | "contains"
  | "is missing"
  | "is present"
  | "includes any"
  | "includes all"
  | "includes none"
  | "is empty"
  | "starts with"
  | "ends with"
  | "contains sequence";

const everyColumn: readonly FilterOperator[] = ["is missing", "is present"];
const order: readonly FilterOperator[] = ["=", "!=", "<", "<=", ">", ">=", "in", "not in"];
const elements: readonly FilterOperator[] = [
  "includes any",
  "includes all",
  "includes none",
  "is empty",
];

/** Which conditions a column of each type knows. */
export const operatorsOfType: Readonly<Record<ColumnType, readonly FilterOperator[]>> = {
  int: [...order, ...everyColumn],
  string: [...order, "contains", "~", "!~", ...everyColumn],
  set: [...elements, ...everyColumn],
  vector: [...elements, "starts with", "ends with", "contains sequence", ...everyColumn],
};

/**
 * A condition on one column. `value` is a list for `in`, `not in` and the set and vector operators,
 * absent for the tests of presence.
 */
export interface ColumnFilter {
  readonly column: string;
  readonly op: FilterOperator;
  readonly value?: FilterValue | readonly FilterValue[];
}

/** At least one holds. */
export interface AnyFilter {
  readonly any: readonly Filter[];
}

/** All hold. */
export interface AllFilter {
  readonly all: readonly Filter[];
}

/** Does not hold; like SQL's NOT, unknown (a missing value) stays unknown. */
export interface NotFilter {
  readonly not: Filter;
}

/** A condition on rows. Comparisons with a missing value are neither true nor false. */
export type Filter = ColumnFilter | AnyFilter | AllFilter | NotFilter;

/** 10,000 terms of 16 bytes: a long paste of ids; more belongs in a column of the rows. */
export const filterTermsMax = 10_000;
/** Deeper nesting than any form or person builds. */
export const filterDepthMax = 64;
