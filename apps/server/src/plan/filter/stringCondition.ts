import type { FilterValue } from "@hadal/sdk";
import { textOfValue } from "../../base/text/listOperator.js";
import type { ResolvedFilter } from "../query/resolvedQuery.js";
import { describeColumn, type SchemaColumn, typeMismatch } from "../schema/tableSchema.js";
import { groupsOfPattern } from "./checkPattern.js";
import type { Comparison } from "./intCondition.js";

interface Place {
  readonly path: string;
  readonly negated: boolean;
}

/** Numbers stand for their text where only equality is asked; their order would surprise. */
export function compareString(
  column: SchemaColumn,
  op: Comparison,
  value: FilterValue,
  place: Place,
): ResolvedFilter {
  if (op === "=") return includeStrings(column, [value], place);
  if (op === "!=") return includeStrings(column, [value], { ...place, negated: !place.negated });
  // Truth values are stored as texts whose order is theirs.
  const text = typeof value === "boolean" ? String(value) : expectString(column, op, value, place);
  return { kind: "order", column: column.name, op, value: text, negated: place.negated };
}

export function includeStrings(
  column: SchemaColumn,
  values: readonly FilterValue[],
  place: Place,
): ResolvedFilter {
  const texts = [...new Set(values.map(textOfValue))];
  return { kind: "strings", column: column.name, values: texts, negated: place.negated };
}

export function containString(
  column: SchemaColumn,
  value: FilterValue,
  place: Place,
): ResolvedFilter {
  const needle = expectString(column, "contains", value, place);
  // Every text contains the empty one. Its negation holds for no row: not even for a missing value.
  if (needle === "") {
    return place.negated
      ? { kind: "any", filters: [] }
      : { kind: "present", column: column.name, negated: false };
  }
  return { kind: "contains", column: column.name, needle, negated: place.negated };
}

export function matchString(
  column: SchemaColumn,
  value: FilterValue,
  place: Place,
): ResolvedFilter {
  const pattern = expectString(column, "~", value, place);
  groupsOfPattern(pattern, place.path);
  return { kind: "match", column: column.name, pattern, negated: place.negated };
}

function expectString(column: SchemaColumn, op: string, value: FilterValue, place: Place): string {
  if (typeof value === "string") return value;
  throw typeMismatch(
    place.path,
    `"${op}" on column ${describeColumn(column)} needs a string; found ${String(value)}.`,
  );
}
