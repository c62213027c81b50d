import type { ColumnFilter, Filter, FilterValue } from "@hadal/sdk";
import { printFilter } from "./filterUrl.js";

/** One column's value of a group, as a chart or a cell shows it. */
export interface GroupValue {
  readonly column: string;
  readonly value: string | number | bigint | null;
}

/** Rows of this value: missing values have no equal, they are asked for by name. */
export function filterOfGroup({ column, value }: GroupValue): ColumnFilter {
  if (value === null) return { column, op: "is missing" };
  return { column, op: "=", value: plainValue(value) };
}

/** All rows but those of the group. */
export function notOfGroup(group: readonly GroupValue[]): Filter {
  const [first] = group;
  if (group.length !== 1 || first === undefined) return { not: { all: group.map(filterOfGroup) } };
  if (first.value === null) return { column: first.column, op: "is present" };
  return { column: first.column, op: "!=", value: plainValue(first.value) };
}

export const sameFilter = (a: Filter, b: Filter): boolean => printFilter(a) === printFilter(b);

/** Addresses and JSON have no BigInt: beyond 2^53 an integer is its digits. */
function plainValue(value: string | number | bigint): FilterValue {
  return typeof value === "bigint" ? String(value) : value;
}
