import type { ColumnFilter, Filter, FilterValue } from "@hadal/sdk";
import { termsOf } from "../naive/naiveFilter.js";
import { columnOf } from "../table/oracleTable.js";
import type { DuckDBTable } from "./duckdbTable.js";
import { sqlString } from "./duckdbTable.js";

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
  if (type === "set" || type === "vector") return listAsSql(name, filter);
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

function listAsSql(name: string, filter: ColumnFilter): string {
  const terms = filter.value === undefined ? [] : termsOf(filter).map(String);
  const list = `[${terms.map(sqlString).join(", ")}]::VARCHAR[]`;
  const count = terms.length;
  switch (filter.op) {
    case "is missing":
      return `(${name} IS NULL)`;
    case "is present":
      return `(${name} IS NOT NULL)`;
    case "is empty":
      return `(len(${name}) = 0)`;
    case "includes any":
      return `list_has_any(${name}, ${list})`;
    case "includes all":
      return `list_has_all(${name}, ${list})`;
    case "includes none":
      return `(NOT list_has_any(${name}, ${list}))`;
    case "starts with":
      return `(${name}[1:${count}] = ${list})`;
    case "ends with":
      return `(len(${name}) >= ${count} AND ${name}[len(${name}) - ${count} + 1:] = ${list})`;
    case "contains sequence": {
      const places = `range(1, greatest(len(${name}) - ${count}, -1) + 2)`;
      const parts = `list_transform(${places}, lambda i: ${name}[i:i + ${count} - 1])`;
      // The largest of NULL and a number is the number.
      return `(CASE WHEN ${name} IS NULL THEN NULL ELSE list_contains(${parts}, ${list}) END)`;
    }
    default:
      throw new Error(`the oracles do not know ${filter.op} on lists`);
  }
}

/** The text of a number times 10^places. */
function shiftPoint(text: string, places: number): string {
  const [whole = "0", fraction = ""] = text.split(".");
  const digits = fraction.padEnd(places, "0");
  return `'${whole}${digits.slice(0, places)}.${digits.slice(places)}0'`;
}
