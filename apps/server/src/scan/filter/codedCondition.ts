import { unreachable } from "../../base/assert.js";
import { type ListCondition, listMatchOf } from "../../plan/filter/listCondition.js";
import type { ResolvedFilter } from "../../plan/query/resolvedQuery.js";
import type { StringTest } from "../pattern/stringTest.js";

export type StringCondition = Extract<
  ResolvedFilter,
  { kind: "strings" | "order" | "contains" | "match" }
>;

/** A condition that the values of a dictionary pass or do not. */
export type CodedCondition = StringCondition | ListCondition;

export function isOnLists(condition: CodedCondition): condition is ListCondition {
  return (
    condition.kind === "empty" || condition.kind === "includes" || condition.kind === "sequence"
  );
}

/** The condition on one string, without its negation. */
export function testOf(condition: CodedCondition): StringTest {
  switch (condition.kind) {
    case "empty":
    case "includes":
    case "sequence":
      return { kind: "list", test: listMatchOf(condition) };
    case "strings":
      return { kind: "strings", values: condition.values };
    case "order":
      return { kind: "order", op: condition.op, value: condition.value };
    case "contains":
      return { kind: "contains", needle: condition.needle };
    case "match":
      return { kind: "match", pattern: condition.pattern };
    default:
      return unreachable(condition);
  }
}
