import { mergePartials } from "../../aggregate/merge/mergePartials.js";
import { countOf } from "../../aggregate/state/countState.js";
import { extremeOf } from "../../aggregate/state/extremeState.js";
import type { ResolvedQuery, StateSpec } from "../../plan/query/resolvedQuery.js";
import { bindColumns } from "../../plan/schema/bindColumns.js";
import type { ColumnsOfRows } from "./columnTotals.js";
import { type LeavesToAsk, tryStudy } from "./study.js";

/** Smallest and largest value, in units of the last digit. */
export interface ValueSpan {
  readonly min: bigint;
  readonly max: bigint;
}

/** Share of the remaining time: a leaf that hangs must leave time for the study itself. */
const timeShare = 0.25;

/**
 * The range of each integer column over all rows in the time ranges, whatever the filter: zone maps of whole
 * segments answer, and only the edges are scanned. Columns without a value and leaves that are late are left out.
 */
export async function findSpans(
  { rows, schema, columns }: ColumnsOfRows,
  asked: LeavesToAsk,
): Promise<ReadonlyMap<string, ValueSpan>> {
  const ints = columns.filter(({ type }) => type === "int");
  if (ints.length === 0) return new Map();
  const extremes = ints.flatMap(({ name: column, decimals }): StateSpec[] => [
    { kind: "min", column, decimals },
    { kind: "max", column, decimals },
  ]);
  const query: ResolvedQuery = {
    ...rows,
    sides: rows.sides.map((side) => ({ ...side, filter: { kind: "all", filters: [] } })),
    states: [{ kind: "rows" }, { kind: "weight" }, ...extremes],
  };
  const resolved = bindColumns(query, schema);
  const { deps, timing } = asked;
  const now = deps.now();
  const deadline = now + (timing.deadline - now) * timeShare;
  const found = await tryStudy(resolved, { ...asked, timing: { ...timing, deadline } });
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
