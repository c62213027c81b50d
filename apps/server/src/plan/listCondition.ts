import type { FilterValue } from "@hadal/sdk";
import type { ListTest } from "../base/text/matchList.js";
import { askOfList, type ListOperator } from "./listOperator.js";
import type { ResolvedFilter } from "./resolvedQuery.js";
import type { SchemaColumn } from "./tableSchema.js";

export type ListCondition = Extract<ResolvedFilter, { kind: "empty" | "includes" | "sequence" }>;

/** A condition on the elements of a set or a vector. A missing list makes none of them true, nor their negations. */
export function conditionOnList(
  column: SchemaColumn,
  op: ListOperator,
  values: readonly FilterValue[],
  negated: boolean,
): ListCondition {
  const asked = askOfList(op, values);
  return { ...asked.test, column: column.name, negated: asked.negated !== negated };
}

export function listTestOf(condition: ListCondition): ListTest {
  const { column: _column, negated: _negated, ...test } = condition;
  return test;
}
