import { countOf } from "../aggregate/countState.js";
import { distinctOf } from "../aggregate/distinctState.js";
import { mergePartials } from "../aggregate/mergePartials.js";
import { bindColumns } from "../plan/bindColumns.js";
import type { ResolvedQuery, StateSpec } from "../plan/resolvedQuery.js";
import type { SchemaColumn, TableSchema } from "../plan/tableSchema.js";
import type { QueryDeps } from "./runQuery.js";
import { askStudy, type StudyOptions } from "./study.js";
import type { Weighed } from "./weighedValues.js";

export interface ColumnTotals {
  /** Rows that have a value. */
  readonly present: Weighed;
  /** Null: nobody has counted them. */
  readonly distinct: number | null;
}

/**
 * How many rows of some columns have a value, and how many different ones: of integers only, since strings that are too
 * many to list would have to be read one by one.
 */
export async function countValues(
  rows: ResolvedQuery,
  schema: TableSchema,
  columns: readonly SchemaColumn[],
  deps: QueryDeps,
  options: StudyOptions,
): Promise<ReadonlyMap<string, ColumnTotals>> {
  const totals = new Map<string, ColumnTotals>();
  if (columns.length === 0) return totals;
  const states: StateSpec[] = [{ kind: "rows" }, { kind: "weight" }];
  const places = columns.map(({ name: column, type, decimals }) => {
    const first = states.length;
    states.push({ kind: "present", column, weighted: false });
    states.push({ kind: "present", column, weighted: true });
    if (type === "int") states.push({ kind: "distinct", column, type, decimals });
    return first;
  });
  const asked: ResolvedQuery = { ...rows, states, background: true };
  const resolved = bindColumns(asked, schema);
  const { answers } = await askStudy(resolved, deps.leaves(), deps, options);
  const merged = mergePartials(
    answers.map(({ partial }) => partial),
    resolved,
  );
  const [side] = merged.sides;
  if (side === undefined || side.groupCount === 0) return totals;
  columns.forEach(({ name, type }, i) => {
    const first = places[i]!;
    const present = {
      rows: countOf(side.states[first]!, 0),
      weight: countOf(side.states[first + 1]!, 0),
    };
    const distinct = type === "int" ? distinctOf(side.states[first + 2]!, 0) : null;
    totals.set(name, { present, distinct });
  });
  return totals;
}
