import type { ColumnFilter, Filter, FilterValue } from "@hadal/sdk";
import type { DuckDBTable } from "./duckdbTable.js";
import { sqlString } from "./duckdbTable.js";
import { termsOf } from "./naiveFilter.js";
import { columnOf } from "./oracleTable.js";

export function filtersAsSql(duckdb: DuckDBTable, filters: readonly Filter[]): string {
  if (filters.length === 0) return "TRUE";
  return `(${filters.map((filter) => filterAsSql(duckdb, filter)).join(" AND ")})`;
}

function filterAsSql(duckdb: DuckDBTable, filter: Filter): string {
  if ("all" in filter) return filtersAsSql(duckdb, filter.all);
  if ("any" in filter) {
    return `(${filter.any.map((part) => filterAsSql(duckdb, part)).join(" OR ")})`;
  }
  if ("not" in filter) return `(NOT ${filterAsSql(duckdb, filter.not)})`;
  return columnAsSql(duckdb, filter);
}

function columnAsSql(duckdb: DuckDBTable, filter: ColumnFilter): string {
  const name = duckdb.column(filter.column);
  const { type, decimals } = columnOf(duckdb.table, filter.column);
  const isInt = type === "int";
  // 38 digits hold an int64 with all its decimals and those of the term.
  const left = isInt ? `${name}::DECIMAL(38,12)` : name;
  const right = (value: FilterValue) =>
    isInt ? `${shiftPoint(String(value), decimals)}::DECIMAL(38,12)` : sqlString(String(value));
  const terms = termsOf(filter);
  const [term = ""] = terms;
  switch (filter.op) {
    case "is missing":
      return `(${name} IS NULL)`;
    case "is present":
      return `(${name} IS NOT NULL)`;
    case "in":
      return `(${left} IN (${terms.map(right).join(", ")}))`;
    case "not in":
      return `(${left} NOT IN (${terms.map(right).join(", ")}))`;
    case "~":
      return `regexp_matches(${name}, ${sqlString(String(term))})`;
    case "!~":
      return `(NOT regexp_matches(${name}, ${sqlString(String(term))}))`;
    case "contains":
      return `contains(${name}, ${sqlString(String(term))})`;
    case "=":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return `(${left} ${filter.op} ${right(term)})`;
    default:
      throw new Error(`the oracles do not know ${filter.op}`);
  }
}

/** The text of a number times 10^places. */
function shiftPoint(text: string, places: number): string {
  const [whole = "0", fraction = ""] = text.split(".");
  const digits = fraction.padEnd(places, "0");
  return `'${whole}${digits.slice(0, places)}.${digits.slice(places)}0'`;
}
