import type { ColumnFilter, Filter, FilterValue } from "../../model/filter.js";
import { printString } from "../base/names.js";
import { type PrintColumn, printNumber } from "../base/printExpression.js";

/** What surrounds a condition: what binds less tightly gets parentheses. */
const binding = { or: 0, and: 1, not: 2 } as const;

/** Writes the columns of conditions. */
export interface FilterColumns {
  readonly operand: PrintColumn;
  /** The condition of a derived column, where it can be written in its place; else null. */
  condition(name: string): string | null;
}

/** Filters that rows have to pass, each as SQL between ANDs. */
export function printConditions(
  filters: readonly Filter[],
  columns: FilterColumns,
): readonly string[] {
  return filters.map((filter) => print(filter, binding.and + 1, columns));
}

function print(filter: Filter, place: number, columns: FilterColumns): string {
  if ("not" in filter) return `NOT (${print(filter.not, binding.or, columns)})`;
  if ("any" in filter) return printList(filter.any, "or", place, columns);
  if ("all" in filter) return printList(filter.all, "and", place, columns);
  return printCondition(filter, columns);
}

function printList(
  filters: readonly Filter[],
  kind: "or" | "and",
  place: number,
  columns: FilterColumns,
): string {
  if (filters.length === 0) return kind === "or" ? "FALSE" : "TRUE";
  const parts = filters.map((filter) => print(filter, binding[kind] + 1, columns));
  const text = parts.join(` ${kind.toUpperCase()} `);
  return binding[kind] < place ? `(${text})` : text;
}

function printCondition(filter: ColumnFilter, columns: FilterColumns): string {
  const { column, op, value } = filter;
  const condition = op === "=" && value === true ? columns.condition(column) : null;
  if (condition !== null) return `(${condition})`;
  const left = columns.operand(column);
  switch (op) {
    case "is missing":
      return `${left} IS NULL`;
    case "is present":
      return `${left} IS NOT NULL`;
    case "is empty":
      return `${left} IS EMPTY`;
    default: {
      const list: readonly FilterValue[] | null = Array.isArray(value) ? value : null;
      const right =
        list === null ? printValue(value as FilterValue) : `(${list.map(printValue).join(", ")})`;
      return `${left} ${op.toUpperCase()} ${right}`;
    }
  }
}

/** A value that reads back as the same, type and all. */
export function printValue(value: FilterValue): string {
  switch (typeof value) {
    case "string":
      return printString(value);
    case "boolean":
      return String(value).toUpperCase();
    case "number":
      return printNumber(value);
    default:
      return Number.isSafeInteger(Number(value)) ? `${value}::bigint` : String(value);
  }
}
