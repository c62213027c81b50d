import { type ColumnFilter, type Filter, type FilterValue, timeColumn } from "@hadal/sdk";
import { naiveHolds } from "./naiveHolds.js";
import { testList } from "./naiveListFilter.js";
import type { OracleRow, OracleTable } from "./oracleTable.js";
import { cellOf, columnOf, compareCodePoints } from "./oracleTable.js";

/** SQL's three truth values: null is unknown. */
export type Truth = boolean | null;

export function testFilters(table: OracleTable, filters: readonly Filter[], row: OracleRow): Truth {
  return every(filters.map((filter) => testFilter(table, filter, row)));
}

function testFilter(table: OracleTable, filter: Filter, row: OracleRow): Truth {
  if ("all" in filter) return testFilters(table, filter.all, row);
  if ("any" in filter)
    return negate(every(filter.any.map((f) => negate(testFilter(table, f, row)))));
  if ("not" in filter) return negate(testFilter(table, filter.not, row));
  return testColumn(table, filter, row);
}

/** False if any is false, else unknown if any is unknown. */
function every(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(null) ? null : true;
}

function negate(truth: Truth): Truth {
  return truth === null ? null : !truth;
}

function testColumn(table: OracleTable, filter: ColumnFilter, row: OracleRow): Truth {
  const value = cellOf(row, filter.column);
  if (filter.op === "is missing") return value === undefined;
  if (filter.op === "is present") return value !== undefined;
  if (value === undefined) return null;
  if (typeof value !== "bigint" && typeof value !== "string") {
    return testList(
      filter.op,
      value,
      filter.value === undefined ? [] : termsOf(filter).map(String),
    );
  }
  const { decimals } = columnOf(table, filter.column);
  const terms = termsOf(filter);
  const orders = terms.map((term) => compareWithTerm(value, decimals, term));
  const order = orders[0] ?? Number.NaN;
  switch (filter.op) {
    case "=":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return naiveHolds(filter.op, order);
    case "in":
      return orders.includes(0);
    case "not in":
      return !orders.includes(0);
    default:
      return testText(filter, String(value), String(terms[0]));
  }
}

function testText(filter: ColumnFilter, value: string, term: string): boolean {
  switch (filter.op) {
    case "contains":
      return value.includes(term);
    case "~":
      return new RegExp(term, "u").test(value);
    case "!~":
      return !new RegExp(term, "u").test(value);
    default:
      throw new Error(`the oracles do not know ${filter.op}`);
  }
}

/** The filter's values; times as milliseconds. */
export function termsOf(filter: ColumnFilter): FilterValue[] {
  const terms = (Array.isArray(filter.value) ? filter.value : [filter.value]) as FilterValue[];
  if (filter.column !== timeColumn) return terms;
  return terms.map((term) => (typeof term === "string" ? Date.parse(term) : term));
}

/** Sign of value − term; a number may have more digits behind the point than the column. */
function compareWithTerm(value: bigint | string, decimals: number, term: FilterValue): number {
  if (typeof value === "string") return compareCodePoints(value, String(term));
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(term));
  if (match === null) return Number.NaN;
  const places = Math.max(decimals, match[3]?.length ?? 0);
  const magnitude = BigInt(`${match[2]}${(match[3] ?? "").padEnd(places, "0")}`);
  const scaledTerm = match[1] === "-" ? -magnitude : magnitude;
  const scaledValue = value * 10n ** BigInt(places - decimals);
  return scaledValue < scaledTerm ? -1 : scaledValue > scaledTerm ? 1 : 0;
}
