import type { ColumnFilter, Filter } from "@hadal/sdk";

/** The conditions of a filter, however it nests. */
function conditionsOf(filter: Filter): readonly ColumnFilter[] {
  if ("any" in filter) return filter.any.flatMap(conditionsOf);
  if ("all" in filter) return filter.all.flatMap(conditionsOf);
  return "not" in filter ? conditionsOf(filter.not) : [filter];
}

/** Names of the columns that a filter looks at, each once. */
export const columnsOfFilter = (filter: Filter): readonly string[] => [
  ...new Set(conditionsOf(filter).map(({ column }) => column)),
];

const opposites: readonly (readonly [ColumnFilter["op"], ColumnFilter["op"]])[] = [
  ["=", "!="],
  ["in", "not in"],
  ["~", "!~"],
  ["is missing", "is present"],
  ["includes any", "includes none"],
];

/** The other rows: by the opposite operator where there is one, else by `not`. */
export function inverted(filter: Filter): Filter {
  if ("not" in filter) return filter.not;
  if (!("column" in filter)) return { not: filter };
  const pair = opposites.find((one) => one.includes(filter.op));
  if (pair === undefined) return { not: filter };
  return { ...filter, op: pair[0] === filter.op ? pair[1] : pair[0] };
}
