import type { ResolvedFilter } from "../../plan/query/resolvedQuery.js";

export interface SplitFilter {
  /** The conditions on stored columns: every row that passes the whole filter passes these. */
  readonly stored: ResolvedFilter;
  /** The remaining conditions. */
  readonly rest: readonly ResolvedFilter[];
}

const every: ResolvedFilter = { kind: "all", filters: [] };

/** Splits a filter that is a conjunction by whether its conditions name one of these columns. */
export function splitFilter(filter: ResolvedFilter, derived: ReadonlySet<string>): SplitFilter {
  if (!names(filter, derived)) return { stored: filter, rest: [] };
  if (filter.kind !== "all") return { stored: every, rest: [filter] };
  const parts = filter.filters.map((part) => splitFilter(part, derived));
  return {
    stored: { kind: "all", filters: parts.map(({ stored }) => stored) },
    rest: parts.flatMap(({ rest }) => rest),
  };
}

function names(filter: ResolvedFilter, columns: ReadonlySet<string>): boolean {
  if (filter.kind === "otherwise") return names(filter.filter, columns);
  if (filter.kind === "all" || filter.kind === "any") {
    return filter.filters.some((part) => names(part, columns));
  }
  return columns.has(filter.column);
}
