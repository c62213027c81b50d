import { timeColumn } from "@hadal/sdk";
import type { BoundColumn, ResolvedFilter, ResolvedQuery } from "./resolvedQuery.js";
import type { TableSchema } from "./tableSchema.js";

/** The stored columns that a query reads, as the schema it was bound to has them. Every table has the time as it is. */
export function boundColumns(resolved: ResolvedQuery, table: TableSchema): readonly BoundColumn[] {
  const names = new Set(filterColumns(resolved));
  const branches = resolved.branches ?? [];
  const groups = [resolved, ...branches].flatMap(({ groupBy }) => groupBy);
  const states = [resolved, ...branches].flatMap((asked) => asked.states);
  for (const part of [...groups, ...states]) {
    if ("column" in part && part.column !== null) names.add(part.column);
    if (part.kind === "function") for (const { name } of part.columns) names.add(name);
  }
  for (const { name } of resolved.sample?.columns ?? []) names.add(name);
  for (const { inputs } of resolved.derived ?? []) for (const { name } of inputs) names.add(name);
  for (const { name } of resolved.derived ?? []) names.delete(name);
  names.delete(timeColumn);
  return [...names].map((name) => {
    const { type, decimals } = table.columns.get(name)!;
    return { name, type, decimals };
  });
}

/** The columns that a query's filters read, derived ones too. */
export function filterColumns({ sides }: Pick<ResolvedQuery, "sides">): readonly string[] {
  const names = new Set<string>();
  for (const { filter } of sides) addFilter(names, filter);
  return [...names];
}

function addFilter(names: Set<string>, filter: ResolvedFilter): void {
  if ("column" in filter) names.add(filter.column);
  else if (filter.kind === "otherwise") addFilter(names, filter.filter);
  else for (const part of filter.filters) addFilter(names, part);
}
