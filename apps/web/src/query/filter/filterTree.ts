import type { ColumnFilter, Filter, FilterOperator } from "@hadal/sdk";
import { printFilter } from "./filterUrl.js";

export const sameFilter = (a: Filter, b: Filter): boolean => printFilter(a) === printFilter(b);

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

type Pair = readonly [FilterOperator, FilterOperator];

const negations: readonly Pair[] = [
  ["=", "!="],
  ["in", "not in"],
  ["~", "!~"],
  ["includes any", "includes none"],
];
const opposites: readonly Pair[] = [
  ...negations,
  ["<", ">="],
  [">", "<="],
  ["is missing", "is present"],
];

/** Whether the operator is a negation. */
export const leavesOut = (op: FilterOperator): boolean =>
  negations.some(([, negation]) => negation === op);

/** The condition, or no value at all: a comparison with a missing value is neither true nor false. */
export const orMissing = (condition: ColumnFilter): Filter => ({
  any: [condition, missing(condition.column)],
});

/** The one condition of a filter, with or without {@link orMissing}; null: it has more, or none. */
export function conditionOf(filter: Filter): ColumnFilter | null {
  if ("column" in filter) return filter;
  const [condition] = "any" in filter ? filter.any : [];
  if (condition === undefined || !("column" in condition)) return null;
  return sameFilter(filter, orMissing(condition)) ? condition : null;
}

/** All other rows, with those for which the filter is unknown because a value is missing. */
export function restOf(filter: Filter): Filter {
  const excluded = excludedBy(filter);
  if (excluded !== null) return allOf(excluded);
  if ("not" in filter) return possible(filter.not);
  if ("any" in filter) return allOf(filter.any.map(restOf));
  if ("all" in filter) return anyOf(filter.all.map(restOf));
  return restOfCondition(filter);
}

/** The conditions that rows do not pass together to pass the filter; null: it is no {@link restOf} any. */
export function excludedBy(filter: Filter): readonly ColumnFilter[] | null {
  if (!("any" in filter)) return null;
  const parts = partsOf(filter.any);
  const excluded: ColumnFilter[] = [];
  for (const part of parts) {
    const condition = "not" in part ? part.not : oppositeOf(part);
    if (condition === null || !("column" in condition)) return null;
    // What is missing comes along with the condition of its column.
    if (condition.op !== "is present") excluded.push(condition);
  }
  return sameFilter(anyOf(excluded.map(restOfCondition)), { any: parts }) ? excluded : null;
}

/** The other rows, as a reader turns a filter over: what leaves something out becomes that alone. */
export function inverted(filter: Filter): Filter {
  if ("not" in filter) return filter.not;
  const isNegation = "column" in filter && leavesOut(filter.op);
  return (isNegation ? oppositeOf(filter) : null) ?? restOf(filter);
}

/** Rows that pass the filter, or for which it is unknown. */
function possible(filter: Filter): Filter {
  if ("not" in filter) return restOf(filter.not);
  if ("any" in filter) return anyOf(filter.any.map(possible));
  if ("all" in filter) return allOf(filter.all.map(possible));
  return isAlwaysKnown(filter) ? filter : orMissing(filter);
}

function restOfCondition(condition: ColumnFilter): Filter {
  const rest = oppositeOf(condition) ?? { not: condition };
  return isAlwaysKnown(condition) ? rest : { any: [rest, missing(condition.column)] };
}

function oppositeOf(filter: Filter): ColumnFilter | null {
  if (!("column" in filter)) return null;
  const pair = opposites.find((one) => one.includes(filter.op));
  if (pair === undefined) return null;
  return { ...filter, op: pair[0] === filter.op ? pair[1] : pair[0] };
}

const isAlwaysKnown = ({ op }: ColumnFilter): boolean => op === "is missing" || op === "is present";

const missing = (column: string): ColumnFilter => ({ column, op: "is missing" });

export const allOf = (filters: readonly Filter[]): Filter =>
  onlyOne(filters) ?? { all: [...filters] };

/** Each part once, in its last place: `is missing` follows the other conditions of a column. */
function anyOf(filters: readonly Filter[]): Filter {
  const parts = partsOf(filters);
  const texts = parts.map(printFilter);
  const any = parts.filter((part, i) => !texts.includes(printFilter(part), i + 1));
  return onlyOne(any) ?? { any };
}

const partsOf = (filters: readonly Filter[]): readonly Filter[] =>
  filters.flatMap((one) => ("any" in one ? one.any : [one]));

function onlyOne(filters: readonly Filter[]): Filter | null {
  const [first] = filters;
  return filters.length === 1 && first !== undefined ? first : null;
}
