import { type ColumnFilter, type Filter, type FilterValue, timeColumn } from "@hadal/sdk";
import type { OracleRow, OracleTable, OracleValue } from "../table/oracleTable.js";
import { cellOf, columnOf, compareCodePoints } from "../table/oracleTable.js";
import { naiveHolds } from "./naiveHolds.js";
import { testList } from "./naiveListFilter.js";

/** SQL's three truth values: null is unknown. */
export type Truth = boolean | null;

/** A condition, read once, that is asked of many rows. */
export type RowTest = (row: OracleRow) => Truth;

/** Whether a row passes all of the filters. */
export function rowTest(table: OracleTable, filters: readonly Filter[]): RowTest {
  return every(filters.map((filter) => filterTest(table, filter)));
}

function filterTest(table: OracleTable, filter: Filter): RowTest {
  if ("all" in filter) return rowTest(table, filter.all);
  if ("any" in filter)
    return negated(every(filter.any.map((one) => negated(filterTest(table, one)))));
  if ("not" in filter) return negated(filterTest(table, filter.not));
  return columnTest(table, filter);
}

/** False if any is false, else unknown if any is unknown. */
function every(tests: readonly RowTest[]): RowTest {
  return (row) => {
    let truth: Truth = true;
    for (const test of tests) {
      const one = test(row);
      if (one === false) return false;
      if (one === null) truth = null;
    }
    return truth;
  };
}

function negated(test: RowTest): RowTest {
  return (row) => {
    const truth = test(row);
    return truth === null ? null : !truth;
  };
}

function columnTest(table: OracleTable, filter: ColumnFilter): RowTest {
  const { column } = filter;
  if (filter.op === "is missing") return (row) => cellOf(row, column) === undefined;
  if (filter.op === "is present") return (row) => cellOf(row, column) !== undefined;
  const holds = valueTest(table, filter);
  return (row) => {
    const value = cellOf(row, column);
    return value === undefined ? null : holds(value);
  };
}

type ValueTest = (value: Exclude<OracleValue, null>) => boolean;

function valueTest(table: OracleTable, filter: ColumnFilter): ValueTest {
  const terms = filter.value === undefined ? [] : termsOf(filter);
  const texts = terms.map(String);
  const { decimals } = columnOf(table, filter.column);
  const { op } = filter;
  const ofList = (list: readonly string[]) => testList(op, list, texts);
  const ofOne = oneTest(op, texts, decimals);
  return (value) =>
    typeof value === "bigint" || typeof value === "string" ? ofOne(value) : ofList(value);
}

function oneTest(
  op: ColumnFilter["op"],
  terms: readonly string[],
  decimals: number,
): (value: bigint | string) => boolean {
  const [first = ""] = terms;
  switch (op) {
    case "=":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=": {
      const order = orderToTerm(first, decimals);
      return (value) => naiveHolds(op, order(value));
    }
    case "in":
    case "not in": {
      const orders = terms.map((term) => orderToTerm(term, decimals));
      return (value) => orders.some((order) => order(value) === 0) === (op === "in");
    }
    case "contains":
      return (value) => String(value).includes(first);
    case "~":
    case "!~": {
      const pattern = new RegExp(first, "u");
      return (value) => pattern.test(String(value)) === (op === "~");
    }
    default:
      return () => {
        throw new Error(`the oracles do not know ${op}`);
      };
  }
}

/** The filter's values; times as milliseconds. */
export function termsOf(filter: ColumnFilter): FilterValue[] {
  const terms = (Array.isArray(filter.value) ? filter.value : [filter.value]) as FilterValue[];
  if (filter.column !== timeColumn) return terms;
  return terms.map((term) => (typeof term === "string" ? Date.parse(term) : term));
}

/** Sign of value − term; a number may have more digits behind the point than the column. */
function orderToTerm(term: string, decimals: number): (value: bigint | string) => number {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(term);
  const ofNumber = match === null ? () => Number.NaN : orderToNumber(match, decimals);
  return (value) => (typeof value === "string" ? compareCodePoints(value, term) : ofNumber(value));
}

function orderToNumber(
  [, sign, whole = "", fraction = ""]: RegExpExecArray,
  decimals: number,
): (value: bigint) => number {
  const places = Math.max(decimals, fraction.length);
  const magnitude = BigInt(`${whole}${fraction.padEnd(places, "0")}`);
  const scaledTerm = sign === "-" ? -magnitude : magnitude;
  const scale = 10n ** BigInt(places - decimals);
  return (value) => {
    const scaledValue = value * scale;
    return scaledValue < scaledTerm ? -1 : scaledValue > scaledTerm ? 1 : 0;
  };
}
