import type {
  ResolvedFilter,
  ResolvedGroup,
  ResolvedQuery,
  StateSpec,
  TimeBuckets,
} from "../../plan/query/resolvedQuery.js";
import type { QueryShape } from "../../planner/queryShape.js";

/**
 * Queries with the same shape read the same columns, compute the same of them and have about as many time buckets; ranges
 * and the values of filters may differ. Put together by hand: this is done once a query, and JSON would take ten times as long.
 */
export function shapeOfQuery(resolved: ResolvedQuery): QueryShape {
  const { table, sides, groupBy, states, sample, derived = [], granted } = resolved;
  let key = `${table}\n${sides.length}`;
  for (const group of groupBy) key += `\n${group.kind} ${columnOf(group)}`;
  for (const state of states) key += `\n${state.kind} ${columnOf(state)}`;
  for (const { name, how } of derived) key += `\n${how.kind} ${name}`;
  for (const column of sample?.columns ?? []) key += `\n${column.name}`;
  for (const { filter, buckets } of sides) key += `\n${filterKey(filter)} ${magnitudeOf(buckets)}`;
  if (granted !== undefined) key += `\n${filterKey(granted)}`;
  return { kind: kindOf(resolved), key };
}

function kindOf({ sample, groupBy }: ResolvedQuery): QueryShape["kind"] {
  if (sample !== null) return "rows";
  if (groupBy.length === 0) return "scan";
  return groupBy.some(({ kind }) => kind === "time") ? "time-series" : "groups";
}

/** Twice as many buckets are another shape: finishing an answer takes longer the more groups it has. */
function magnitudeOf(buckets: TimeBuckets | null): number {
  if (buckets === null) return 0;
  const count = buckets.kind === "even" ? buckets.count : buckets.edgesMs.length - 1;
  return 1 + Math.round(Math.log2(Math.max(1, count)));
}

const columnOf = (part: ResolvedGroup | StateSpec): string =>
  "column" in part && typeof part.column === "string" ? part.column : "";

function filterKey(filter: ResolvedFilter): string {
  switch (filter.kind) {
    case "all":
    case "any":
      return `${filter.kind}(${filter.filters.map(filterKey).join()})`;
    case "otherwise":
      return `otherwise(${filterKey(filter.filter)})`;
    default:
      return `${filter.kind} ${filter.column}`;
  }
}
