import { mergePartials } from "../../aggregate/merge/mergePartials.js";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import { distinctOf } from "../../aggregate/state/distinct/distinctState.js";
import type { ResolvedQuery, StateSpec } from "../../plan/query/resolvedQuery.js";
import { bindColumns } from "../../plan/schema/bindColumns.js";
import type { SchemaColumn, TableSchema } from "../../plan/schema/tableSchema.js";
import type { TreeAnswers } from "../../tree/askLeaves.js";
import type { QueryDeps } from "../run/runQuery.js";
import { askFurther, type StudyOptions } from "./study.js";

/** How many different values some columns have in the rows of all sides together; empty where not all that answered first do so in time. */
export async function countDistinct(
  first: TreeAnswers,
  rows: ResolvedQuery,
  schema: TableSchema,
  columns: readonly SchemaColumn[],
  deps: QueryDeps,
  options: StudyOptions,
): Promise<ReadonlyMap<string, number>> {
  if (columns.length === 0) return new Map();
  const states = columns.map(
    ({ name: column, type, decimals }): StateSpec => ({ kind: "distinct", column, type, decimals }),
  );
  const asked: ResolvedQuery = { ...rows, states };
  const resolved = bindColumns(asked, schema);
  const found = await askFurther(first, resolved, deps.leaves(), deps, options);
  if (found === null) return new Map();
  const parts = found.answers.flatMap(({ partial }) =>
    partial.sides.map((side): PartialResult => ({ sides: [side], sample: null })),
  );
  const together = { ...resolved, sides: resolved.sides.slice(0, 1) };
  const [side] = mergePartials(parts, together).sides;
  if (side === undefined || side.groupCount === 0) return new Map();
  return new Map(columns.map(({ name }, i) => [name, distinctOf(side.states[i]!, 0)]));
}
