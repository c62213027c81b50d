import type { FilterValue } from "@hadal/sdk";
import { unreachable } from "../assert.js";
import type { ListMatch } from "./matchList.js";

/** Operators on the elements of a set or a vector, in filters and in expressions. */
export type ListOperator =
  | "includes any"
  | "includes all"
  | "includes none"
  | "is empty"
  | SequenceOperator;
/** Operators for vectors only, since the elements of a set have no order. */
type SequenceOperator = "starts with" | "ends with" | "contains sequence";

const placeOfSequence = {
  "starts with": "start",
  "ends with": "end",
  "contains sequence": "anywhere",
} as const;

export function isSequenceOperator(op: string): op is SequenceOperator {
  return Object.hasOwn(placeOfSequence, op);
}

/** The test of an operator, possibly negated. */
export function askOfList(
  op: ListOperator,
  values: readonly FilterValue[],
): { readonly test: ListMatch; readonly negated: boolean } {
  switch (op) {
    case "is empty":
      return { test: { kind: "empty" }, negated: false };
    case "includes any":
    case "includes all":
    case "includes none": {
      const texts = [...new Set(values.map(textOfValue))];
      const test = { kind: "includes", every: op === "includes all", values: texts } as const;
      return { test, negated: op === "includes none" };
    }
    case "starts with":
    case "ends with":
    case "contains sequence": {
      const texts = values.map(textOfValue);
      return { test: { kind: "sequence", at: placeOfSequence[op], values: texts }, negated: false };
    }
    default:
      return unreachable(op);
  }
}

/** Elements are strings; numbers and truth values are compared as their stored texts. */
export function textOfValue(value: FilterValue): string {
  if (typeof value === "string") return value;
  // Not String(1e21), which is "1e+21": rows hold digits.
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value).toString();
  return String(value);
}
