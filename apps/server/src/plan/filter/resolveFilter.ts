import { type ColumnFilter, type Filter, type FilterValue, operatorsOfType } from "@hadal/sdk";
import { parseExactDecimal } from "../../base/number/decimalText.js";
import type { QueryClock } from "../query/queryClock.js";
import type { ResolvedFilter } from "../query/resolvedQuery.js";
import {
  describeColumn,
  findColumn,
  type SchemaColumn,
  type TableSchema,
  typeMismatch,
} from "../schema/tableSchema.js";
import { type Comparison, compareInt, includeInts } from "./intCondition.js";
import { conditionOnList } from "./listCondition.js";
import { compareString, containString, includeStrings, matchString } from "./stringCondition.js";

interface Place extends QueryClock {
  readonly table: TableSchema;
  readonly path: string;
  readonly negated: boolean;
}

/**
 * Binds filters (all must hold) to a table and pushes every NOT down to the conditions. By De Morgan's
 * laws, which Kleene's logic keeps, a row then passes exactly where the whole is true: unknown never
 * turns true on the way.
 */
export function resolveFilters(
  filters: readonly Filter[],
  table: TableSchema,
  clock: QueryClock,
  path: string,
): ResolvedFilter {
  return resolveList(filters, "all", { table, ...clock, path, negated: false });
}

function resolveList(
  filters: readonly Filter[],
  kind: "all" | "any",
  place: Place,
): ResolvedFilter {
  const resolved = filters.map((filter, i) =>
    resolveFilter(filter, { ...place, path: `${place.path}[${i}]` }),
  );
  const [only] = resolved;
  if (only !== undefined && resolved.length === 1) return only;
  const flipped = kind === "all" ? "any" : "all";
  return { kind: place.negated ? flipped : kind, filters: resolved };
}

function resolveFilter(filter: Filter, place: Place): ResolvedFilter {
  const { path, negated } = place;
  if ("not" in filter) {
    return resolveFilter(filter.not, { ...place, path: `${path}.not`, negated: !negated });
  }
  if ("any" in filter) return resolveList(filter.any, "any", { ...place, path: `${path}.any` });
  if ("all" in filter) return resolveList(filter.all, "all", { ...place, path: `${path}.all` });
  return resolveCondition(filter, place);
}

function resolveCondition(filter: ColumnFilter, place: Place): ResolvedFilter {
  const column = findColumn(place.table, filter.column, `${place.path}.column`);
  const { op } = filter;
  if (op === "is missing" || op === "is present") {
    const negated = (op === "is missing") !== place.negated;
    return { kind: "present", column: column.name, negated };
  }
  const valuePlace = { ...place, path: `${place.path}.value` };
  switch (column.type) {
    case "int":
      return resolveIntCondition(column, filter, valuePlace, place.path);
    case "string":
      return (
        resolveNumbersCondition(column, filter, valuePlace, place.path) ??
        resolveStringCondition(column, filter, valuePlace, place.path)
      );
    default:
      return resolveListCondition(column, filter, valuePlace, place.path);
  }
}

function resolveIntCondition(
  column: SchemaColumn,
  filter: ColumnFilter,
  place: Place,
  path: string,
): ResolvedFilter {
  const { op } = filter;
  switch (op) {
    case "=":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return compareInt(column, op satisfies Comparison, oneValue(column, filter, place), place);
    case "in":
    case "not in": {
      const negated = (op === "not in") !== place.negated;
      return includeInts(column, valueList(column, filter, place), { ...place, negated });
    }
    default:
      throw wrongOperator(column, filter, path);
  }
}

const isNumber = (value: FilterValue): boolean =>
  typeof value === "number" || typeof value === "bigint";

const orders: readonly string[] = ["<", "<=", ">", ">="];

/**
 * A comparison with numbers, of a column that has some beside other values, holds for those alone: for others, as for
 * missing ones, it is neither true nor false. Null where it compares texts: to be equal, numbers have to have the same.
 */
function resolveNumbersCondition(
  column: SchemaColumn,
  filter: ColumnFilter,
  place: Place,
  path: string,
): ResolvedFilter | null {
  const { numbers = [], holds } = column;
  const [first] = numbers;
  if (first === undefined) return null;
  const values = filter.value === undefined ? [] : [filter.value].flat();
  const isOrder = orders.includes(filter.op) && values.every(isNumber);
  const isAllNumbers = holds?.every((type) => type === "int") === true;
  const isEqual = filter.op === "=" || filter.op === "!=" || /^(not )?in$/.test(filter.op);
  const areNumbers = values.every((one) => parseExactDecimal(String(one).trim()) !== null);
  const isOfNumbers = isAllNumbers && areNumbers && (isEqual || orders.includes(filter.op));
  if (values.length === 0 || !(isOrder || isOfNumbers)) return null;
  const filters = numbers.map((one) => resolveIntCondition(one, filter, place, path));
  // A row has its number in one of these columns.
  return filters.length === 1 ? filters[0]! : { kind: "any", filters };
}

function resolveStringCondition(
  column: SchemaColumn,
  filter: ColumnFilter,
  place: Place,
  path: string,
): ResolvedFilter {
  const { op } = filter;
  switch (op) {
    case "=":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return compareString(column, op, oneValue(column, filter, place), place);
    case "in":
    case "not in": {
      const negated = (op === "not in") !== place.negated;
      return includeStrings(column, valueList(column, filter, place), { ...place, negated });
    }
    case "contains":
      return containString(column, oneValue(column, filter, place), place);
    case "~":
    case "!~": {
      const negated = (op === "!~") !== place.negated;
      return matchString(column, oneValue(column, filter, place), { ...place, negated });
    }
    default:
      throw wrongOperator(column, filter, path);
  }
}

function resolveListCondition(
  column: SchemaColumn,
  filter: ColumnFilter,
  place: Place,
  path: string,
): ResolvedFilter {
  const { op } = filter;
  switch (op) {
    case "is empty":
      return conditionOnList(column, op, [], place);
    case "includes any":
    case "includes all":
    case "includes none":
      return conditionOnList(column, op, valueList(column, filter, place), place);
    case "starts with":
    case "ends with":
    case "contains sequence":
      // The elements of a set have no order.
      if (column.type !== "vector") throw wrongOperator(column, filter, path);
      return conditionOnList(column, op, valueList(column, filter, place), place);
    default:
      throw wrongOperator(column, filter, path);
  }
}

function wrongOperator(column: SchemaColumn, filter: ColumnFilter, path: string): Error {
  return typeMismatch(
    `${path}.op`,
    `"${filter.op}" does not work on column ${describeColumn(column)}; these do: ${operatorsOfType[column.type].join(", ")}.`,
  );
}

function oneValue(column: SchemaColumn, filter: ColumnFilter, place: Place): FilterValue {
  const { value } = filter;
  if (value !== undefined && !isList(value)) return value;
  const found = value === undefined ? "none" : "a list";
  throw typeMismatch(
    place.path,
    `"${filter.op}" on column ${describeColumn(column)} needs one value; found ${found}.`,
  );
}

function valueList(
  column: SchemaColumn,
  filter: ColumnFilter,
  place: Place,
): readonly FilterValue[] {
  const { value } = filter;
  if (value !== undefined && isList(value)) return value;
  throw typeMismatch(
    place.path,
    `"${filter.op}" on column ${describeColumn(column)} needs a list of values.`,
  );
}

function isList(value: FilterValue | readonly FilterValue[]): value is readonly FilterValue[] {
  return Array.isArray(value);
}
