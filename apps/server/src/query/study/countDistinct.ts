import { mergePartials } from "../../aggregate/merge/mergePartials.js";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import { distinctOf } from "../../aggregate/state/distinct/distinctState.js";
import type { StateSpec } from "../../plan/query/resolvedQuery.js";
import { bindColumns } from "../../plan/schema/bindColumns.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import type { ColumnsOfRows } from "./columnTotals.js";
import { askFurther, type LeavesToAsk } from "./study.js";

/** Counts the distinct values of columns over all sides; empty where not all leaves that answered `first` do so in time. */
export async function countDistinct(
  first: TreeAnswers,
  { rows, schema, columns }: ColumnsOfRows,
  asked: LeavesToAsk,
): Promise<ReadonlyMap<string, number>> {
  if (columns.length === 0) return new Map();
  const states = columns.map(
    ({ name: column, type, decimals }): StateSpec => ({ kind: "distinct", column, type, decimals }),
  );
  const resolved = bindColumns({ ...rows, states }, schema);
  const found = await askFurther(first, resolved, asked);
  if (found === null) return new Map();
  const parts = found.answers.flatMap(({ partial }) =>
    partial.sides.map((side): PartialResult => ({ sides: [side], sample: null })),
  );
  const together = { ...resolved, sides: resolved.sides.slice(0, 1) };
  const [side] = mergePartials(parts, together).sides;
  if (side === undefined || side.groupCount === 0) return new Map();
  return new Map(columns.map(({ name }, i) => [name, distinctOf(side.states[i]!, 0)]));
}
