import type { FilterValue } from "@hadal/sdk";
import { askOfList, type ListOperator } from "../../base/text/listOperator.js";
import type { ListMatch } from "../../base/text/matchList.js";
import type { ResolvedFilter } from "../query/resolvedQuery.js";
import type { SchemaColumn } from "../schema/tableSchema.js";

export type ListCondition = Extract<ResolvedFilter, { kind: "empty" | "includes" | "sequence" }>;

/** A condition on the elements of a set or a vector. A missing list makes none of them true, nor their negations. */
export function conditionOnList(
  column: SchemaColumn,
  op: ListOperator,
  values: readonly FilterValue[],
  { negated }: { readonly negated: boolean },
): ListCondition {
  const asked = askOfList(op, values);
  return { ...asked.test, column: column.name, negated: asked.negated !== negated };
}

export function listMatchOf(condition: ListCondition): ListMatch {
  const { column: _column, negated: _negated, ...test } = condition;
  return test;
}
