import { mergePartials } from "../../aggregate/merge/mergePartials.js";
import { countOf } from "../../aggregate/state/countState.js";
import { distinctOf } from "../../aggregate/state/distinct/distinctState.js";
import type { ResolvedQuery, StateSpec } from "../../plan/query/resolvedQuery.js";
import { bindColumns } from "../../plan/schema/bindColumns.js";
import type { SchemaColumn, TableSchema } from "../../plan/schema/tableSchema.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import { askFurther, type LeavesToAsk } from "./study.js";
import { type Weighed, weighAll } from "./weighedValues.js";

export interface ColumnTotals {
  /** All rows at the time of the count. */
  readonly all: Weighed;
  /** Rows that have a value. */
  readonly present: Weighed;
  /** Null: not counted. */
  readonly distinct: number | null;
}

/** Columns of the rows that a query selects. */
export interface ColumnsOfRows {
  readonly rows: ResolvedQuery;
  readonly schema: TableSchema;
  readonly columns: readonly SchemaColumn[];
}

/**
 * Counts the rows with a value in each column, and the distinct values of integers. Distinct strings are not
 * counted: each would have to be read. Null where not all leaves that answered `first` do so in time.
 */
export async function countValues(
  first: TreeAnswers,
  { rows, schema, columns }: ColumnsOfRows,
  asked: LeavesToAsk,
): Promise<ReadonlyMap<string, ColumnTotals> | null> {
  const totals = new Map<string, ColumnTotals>();
  if (columns.length === 0) return totals;
  const states: StateSpec[] = [{ kind: "rows" }, { kind: "weight" }];
  const places = columns.map(({ name: column, type, decimals }) => {
    const place = states.length;
    states.push({ kind: "present", column, weighted: false });
    states.push({ kind: "present", column, weighted: true });
    if (type === "int") states.push({ kind: "distinct", column, type, decimals });
    return place;
  });
  const resolved = bindColumns({ ...rows, states, background: true }, schema);
  const found = await askFurther(first, resolved, asked);
  if (found === null) return null;
  const merged = mergePartials(
    found.answers.map(({ partial }) => partial),
    resolved,
  );
  const [side] = merged.sides;
  if (side === undefined || side.groupCount === 0) return totals;
  const all = weighAll(side);
  columns.forEach(({ name, type }, i) => {
    const place = places[i]!;
    const present = {
      rows: countOf(side.states[place]!, 0),
      weight: countOf(side.states[place + 1]!, 0),
    };
    const distinct = type === "int" ? distinctOf(side.states[place + 2]!, 0) : null;
    totals.set(name, { all, present, distinct });
  });
  return totals;
}
