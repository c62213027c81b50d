import { timeColumn } from "@hadal/sdk";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";

/**
 * Whether groups rank by a sum to which no row of these segments adds less than 0. Nothing is known
 * of columns that the query derives.
 */
export function ranksNeverFall(
  { cut, states, derived = [] }: ResolvedQuery,
  segments: readonly SegmentView[],
): boolean {
  const by = cut.ranks[0]?.by;
  const spec = by?.kind === "state" ? states[by.stateIndex] : undefined;
  if (spec?.kind !== "sum" || spec.column === timeColumn) return false;
  if (derived.some(({ name }) => name === spec.column)) return false;
  return segments.every(({ columns }) => {
    const column = columns.get(spec.column);
    if (column === undefined) return true;
    return column.kind === "int" && (column.min >= 0n || column.min > column.max);
  });
}
