import { timeColumn } from "@hadal/sdk";
import { columnOfNumbers } from "../query/numbersOf.js";
import type {
  BoundColumn,
  ResolvedFilter,
  ResolvedQuery,
  ResolvedSide,
} from "../query/resolvedQuery.js";
import { columnOfStoredName } from "./storedName.js";
import type { SchemaColumn, TableSchema } from "./tableSchema.js";

/**
 * A query with the stored columns that it reads, as the schema it was bound to has them, and of what it derives no more
 * than it reads: nothing else is computed. Every table has the time as it is.
 */
export function bindColumns(query: ResolvedQuery, table: TableSchema): ResolvedQuery {
  const { derived = [], ...stored } = query;
  const names = columnsRead(query);
  const read = derived.toReversed().filter(({ name, inputs }) => {
    if (!names.has(name)) return false;
    for (const input of inputs) names.add(input.name);
    return true;
  });
  for (const { name } of read) names.delete(name);
  const bound = new Map([...names].map((name) => [name, boundColumn(table.columns, name)]));
  if (query.granted !== undefined && table.grant !== undefined) {
    for (const name of filterColumns({ sides: [{ filter: query.granted }] }))
      bound.set(name, boundColumn(table.grant.columns, name));
  }
  bound.delete(timeColumn);
  return {
    ...stored,
    bound: [...bound.values()],
    ...(read.length === 0 ? {} : { derived: read.toReversed() }),
  };
}

/** The stored column that has the values of a bound one. */
export const storedColumnOf = ({ name, numbersOf, stored }: BoundColumn): string =>
  stored ?? numbersOf?.column ?? name;

function boundColumn(columns: TableSchema["columns"], name: string): BoundColumn {
  const stored = columnOfStoredName(name);
  const { type, decimals, numbersOf } = columnNamed(columns, stored ?? name);
  return {
    ...{ name, type, decimals },
    ...(numbersOf === undefined ? {} : { numbersOf }),
    ...(stored === null ? {} : { stored }),
  };
}

function columnNamed(columns: TableSchema["columns"], name: string): SchemaColumn {
  const column = columns.get(name);
  if (column !== undefined) return column;
  const numbers = columns.get(columnOfNumbers(name))?.numbers ?? [];
  return numbers.find((one) => one.name === name)!;
}

/** Stored and derived ones. */
function columnsRead(resolved: ResolvedQuery): Set<string> {
  const names = new Set(filterColumns(resolved));
  const branches = resolved.branches ?? [];
  const groups = [resolved, ...branches].flatMap(({ groupBy }) => groupBy);
  const states = [resolved, ...branches].flatMap((asked) => asked.states);
  for (const part of [...groups, ...states]) {
    if ("column" in part && part.column !== null) names.add(part.column);
    if (part.kind === "function") for (const { name } of part.columns) names.add(name);
  }
  for (const { name } of resolved.sample?.columns ?? []) names.add(name);
  return names;
}

/** The columns that a query's filters read, derived ones too. */
export function filterColumns({
  sides,
}: {
  readonly sides: readonly Pick<ResolvedSide, "filter">[];
}): readonly string[] {
  const names = new Set<string>();
  for (const { filter } of sides) addFilter(names, filter);
  return [...names];
}

function addFilter(names: Set<string>, filter: ResolvedFilter): void {
  if ("column" in filter) names.add(filter.column);
  else if (filter.kind === "otherwise") addFilter(names, filter.filter);
  else for (const part of filter.filters) addFilter(names, part);
}
