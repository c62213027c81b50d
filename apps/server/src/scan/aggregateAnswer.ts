import { timeColumn } from "@hadal/sdk";
import type { PartialSide, StateColumn } from "../aggregate/partialResult.js";
import { int64Max, int64Min, rescale } from "../column/decimal.js";
import type { ResolvedQuery, ResolvedSide, StateSpec } from "../plan/resolvedQuery.js";
import type { SegmentView } from "../store/segmentView.js";

/** Whether the segment's own aggregates answer the side: it lies within the range, nothing filters or splits it (A5). */
export function isAnsweredByAggregates(
  query: ResolvedQuery,
  side: ResolvedSide,
  segment: SegmentView,
): boolean {
  if (query.sample !== null || query.groupBy.length > 0 || segment.sums === null) return false;
  if (side.filter.kind !== "all" || side.filter.filters.length > 0) return false;
  if (segment.minMs < side.fromMs || segment.maxMs >= side.toMs) return false;
  return query.states.every((spec) => hasAggregate(spec, segment));
}

function hasAggregate(spec: StateSpec, segment: SegmentView): boolean {
  if (spec.kind === "rows" || spec.kind === "weight") return true;
  if (spec.kind === "histogram" || spec.kind === "squares") return false;
  if (spec.column === timeColumn) return false;
  const column = segment.columns.get(spec.column);
  return column === undefined || column.kind === "int";
}

/** One group with the states of all the segments together. */
export function aggregateAnswer(
  query: ResolvedQuery,
  segments: readonly SegmentView[],
): PartialSide {
  return {
    groupCount: 1,
    keys: [],
    states: query.states.map((spec) => stateOf(spec, segments)),
    groupsCut: 0,
  };
}

function stateOf(spec: StateSpec, segments: readonly SegmentView[]): StateColumn {
  switch (spec.kind) {
    case "rows":
      return count(segments.reduce((sum, { rowCount }) => sum + rowCount, 0));
    case "weight":
      return count(segments.reduce((sum, { weightTotal }) => sum + weightTotal, 0));
    case "present":
      return count(
        segments.reduce((sum, { sums }) => {
          const own = sums?.get(spec.column);
          return sum + ((spec.weighted ? own?.presentWeight : own?.presentRows) ?? 0);
        }, 0),
      );
    case "sum":
      return sumOf(spec.column, spec.decimals, segments);
    case "min":
    case "max":
      return extremeOf(spec.kind, spec.column, spec.decimals, segments);
    case "histogram":
    case "squares":
      throw new Error(`segments keep no ${spec.kind}`);
  }
}

function count(value: number): StateColumn {
  return { kind: "count", values: Float64Array.of(value) };
}

function sumOf(name: string, decimals: number, segments: readonly SegmentView[]): StateColumn {
  let sum = 0n;
  let weight = 0;
  for (const { sums, columns } of segments) {
    const column = columns.get(name);
    const own = sums?.get(name);
    if (own === undefined || column?.kind !== "int") continue;
    sum += rescale(own.weightedSum, column.decimals, decimals);
    weight += own.presentWeight;
  }
  const lo = BigInt.asUintN(32, sum);
  return {
    kind: "sum",
    hi: Float64Array.of(Number((sum - lo) >> 32n)),
    lo: Float64Array.of(Number(lo)),
    weights: Float64Array.of(weight),
  };
}

function extremeOf(
  kind: "min" | "max",
  name: string,
  decimals: number,
  segments: readonly SegmentView[],
): StateColumn {
  let best = kind === "min" ? int64Max : int64Min;
  let present = 0;
  for (const { columns } of segments) {
    const column = columns.get(name);
    if (column?.kind !== "int" || column.min > column.max) continue;
    const value = rescale(kind === "min" ? column.min : column.max, column.decimals, decimals);
    if (present === 0 || (kind === "min" ? value < best : value > best)) best = value;
    present = 1;
  }
  const values = BigInt64Array.of(present === 1 ? BigInt.asIntN(64, best) : 0n);
  return { kind: "extreme", values, present: Uint8Array.of(present) };
}
