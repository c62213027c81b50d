import { mergePartials } from "../../aggregate/merge/mergePartials.js";
import { countOf } from "../../aggregate/state/countState.js";
import { extremeOf } from "../../aggregate/state/extremeState.js";
import type { ResolvedQuery, StateSpec } from "../../plan/query/resolvedQuery.js";
import { bindColumns } from "../../plan/schema/bindColumns.js";
import type { SchemaColumn, TableSchema } from "../../plan/schema/tableSchema.js";
import type { QueryDeps } from "../run/runQuery.js";
import { type StudyOptions, tryStudy } from "./study.js";

/** Smallest and largest value, in units of the last digit. */
export interface ValueSpan {
  readonly min: bigint;
  readonly max: bigint;
}

/** A leaf that hangs must not take the time in which the others could answer the question itself. */
const timeShare = 0.25;

/**
 * How far the integer columns reach over all rows in the time ranges of a question, whatever its filter: aggregates of
 * whole segments tell, and only the edges of the ranges are scanned; derived columns are computed for all rows. Columns
 * without a value are not among them; nor is what leaves hold that do not say so soon.
 */
export async function findSpans(
  rows: ResolvedQuery,
  table: TableSchema,
  columns: readonly SchemaColumn[],
  deps: QueryDeps,
  options: StudyOptions,
): Promise<ReadonlyMap<string, ValueSpan>> {
  const ints = columns.filter(({ type }) => type === "int");
  if (ints.length === 0) return new Map();
  const extremes = ints.flatMap(({ name: column, decimals }): StateSpec[] => [
    { kind: "min", column, decimals },
    { kind: "max", column, decimals },
  ]);
  const asked: ResolvedQuery = {
    ...rows,
    sides: rows.sides.map((side) => ({ ...side, filter: { kind: "all", filters: [] } })),
    states: [{ kind: "rows" }, { kind: "weight" }, ...extremes],
  };
  const resolved = bindColumns(asked, table);
  const now = deps.now();
  const deadline = now + (options.deadline - now) * timeShare;
  const found = await tryStudy(resolved, deps.leaves(), deps, { ...options, deadline });
  if (found === null) return new Map();
  const merged = mergePartials(
    found.answers.map(({ partial }) => partial),
    resolved,
  );
  const spans = new Map<string, ValueSpan>();
  for (const side of merged.sides) {
    if (side.groupCount === 0 || countOf(side.states[0]!, 0) === 0) continue;
    ints.forEach(({ name }, i) => {
      const min = extremeOf(side.states[2 + 2 * i]!, 0);
      const max = extremeOf(side.states[3 + 2 * i]!, 0);
      if (min !== null && max !== null) spans.set(name, joinSpans(spans.get(name), min, max));
    });
  }
  return spans;
}

function joinSpans(
  known: ValueSpan | undefined,
  min: number | bigint,
  max: number | bigint,
): ValueSpan {
  const [low, high] = [BigInt(min), BigInt(max)];
  if (known === undefined) return { min: low, max: high };
  return {
    min: known.min < low ? known.min : low,
    max: known.max > high ? known.max : high,
  };
}
