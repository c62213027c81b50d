import { aggregateName } from "../../model/aggregate.js";
import type { DerivedColumn, Having, OrderBy, Query, TimeText } from "../../model/query.js";
import { hasCalendarSteps } from "../../model/time/parseTime.js";
import { printInterval, printMs } from "../base/interval.js";
import { printName, printString } from "../base/names.js";
import {
  nameOfExpression,
  type PrintColumn,
  printExpression,
  printFunction,
  printNumber,
} from "../base/printExpression.js";
import { columnPrinters, type InPlace } from "./columnPrinters.js";
import { printAggregate, printAggregateCall } from "./printAggregate.js";
import { type FilterColumns, printConditions, printValue } from "./printFilter.js";
import { columnOfGroup, type PrintedGroup, printGroups } from "./printGroup.js";

/**
 * The text of a query. Items of SELECT: all groups and aggregates, with SHOW for what is shown of
 * them; or only what is shown.
 */
export function printStatement(query: Query, inPlace: InPlace, items: "all" | "shown"): string {
  const selected = items === "shown" ? query.show : undefined;
  const columns = columnPrinters(inPlace);
  const derive = (query.derive ?? []).filter(({ as }) => !inPlace.has(as));
  const groups = printGroups(query, columns.whole, selected);
  const printedItems = query.sampleView
    ? (query.sampleView.columns?.map(columns.whole) ?? ["*"])
    : selectedItems(query, groups, columns.whole, selected);
  const lines = [
    `SELECT${printedItems.length === 0 ? "" : " "}${printedItems.join(", ")}`,
    `FROM ${printName(query.table)}`,
    ...clause("DERIVE", derive.map(printDerived), ", "),
    ...clause("WHERE", printWhere(query, columns), "\n  AND "),
    ...clause(
      "GROUP BY",
      groups.map(({ reference }) => reference),
      ", ",
    ),
    ...clause(
      "HAVING",
      (query.having ?? []).map((one) => printHaving(one, query, groups, columns.whole)),
      " AND ",
    ),
    ...clause("ORDER BY", (query.orderBy ?? []).map(printOrder), ", "),
    ...(items === "shown" || query.sampleView
      ? []
      : clause("SHOW", (query.show ?? []).map(printName), ", ")),
    ...printTails(query, columns),
  ];
  return lines.join("\n");
}

function selectedItems(
  { aggregates = [], calculate = [] }: Query,
  groups: readonly PrintedGroup[],
  printColumn: PrintColumn,
  selected: readonly string[] | undefined,
): readonly string[] {
  const calls = new Map(
    aggregates.map((spec) => [aggregateName(spec), printAggregateCall(spec, printColumn)]),
  );
  const printResult: PrintColumn = (name) => {
    const call = calls.get(name);
    if (call !== undefined) return call;
    const reference = groups.find((one) => one.name === name)?.meant ?? printName(name);
    return reference === printName(name) ? reference : `(${reference})`;
  };
  const items = new Map([
    ...groups.map(({ name, item }) => [name, item] as const),
    ...aggregates.map((spec) => [aggregateName(spec), printAggregate(spec, printColumn)] as const),
    ...calculate.map(({ as, expression }) => {
      const alias = as === nameOfExpression(expression) ? "" : ` AS ${printName(as)}`;
      return [as, printExpression(expression, printResult) + alias] as const;
    }),
  ]);
  if (selected === undefined) return [...items.values()];
  return selected.flatMap((name) => items.get(name) ?? []);
}

function printDerived(column: DerivedColumn): string {
  const as = ` AS ${printName(column.as)}`;
  if ("expression" in column) return printExpression(column.expression) + as;
  if ("js" in column) return `JS ${printString(column.js)}${as}`;
  return printFunction(column.function, column.args ?? [], printName) + as;
}

function printWhere(query: Query, columns: FilterColumns): readonly string[] {
  return [
    `time >= ${printTime(query.from)}`,
    `time < ${printTime(query.to)}`,
    ...printConditions(query.filter ?? [], columns),
  ];
}

function printTime(time: TimeText): string {
  if (typeof time === "number") return printNumber(time);
  if (time === "now") return "now()";
  const steps = /^(?:now(?=\+)|(?=-))((?:[+-][1-9]\d*(?:ms|s|mo|m|h|d|w|q|y))+)$/.exec(time)?.[1];
  const lengths = [...(steps ?? "").matchAll(/([+-])(\w+)/g)];
  // Several lengths without months are read as their sum.
  if (lengths.length !== 1 && !hasCalendarSteps(time)) return printString(time);
  if (steps === undefined) return printString(time);
  const printed = lengths.map(([, sign, text]) => `${sign} INTERVAL '${printInterval(text!)}'`);
  return `now() ${printed.join(" ")}`;
}

function printHaving(
  { column, op, value }: Having,
  { groupBy = [], aggregates = [] }: Query,
  groups: readonly PrintedGroup[],
  printColumn: PrintColumn,
): string {
  const group = groups.find(({ name }) => name === column);
  // What is called as a column that is grouped by is written out, for its name means that column.
  const isColumn = group === undefined && groupBy.some((one) => columnOfGroup(one) === column);
  const call = isColumn ? aggregates.find((spec) => aggregateName(spec) === column) : undefined;
  const written = call === undefined ? printName(column) : printAggregateCall(call, printColumn);
  const left = group?.isAmbiguous === true ? group.text : written;
  if (value !== undefined) return `${left} ${op} ${printValue(value)}`;
  return `${left} ${op === "is missing" ? "IS NULL" : "IS NOT NULL"}`;
}

function printOrder({ by, desc, nulls }: OrderBy): string {
  const order = printName(by) + (desc === true ? " DESC" : "");
  return nulls === undefined ? order : `${order} NULLS ${nulls.toUpperCase()}`;
}

function printTails(query: Query, columns: FilterColumns): readonly string[] {
  const options = [
    ...(query.exact === true ? ["exact"] : []),
    ...lengthOption("timeout", query.timeoutMs),
    ...lengthOption("freshness", query.freshnessMs),
    ...(query.cache === undefined || query.cache === "use" ? [] : [`cache = '${query.cache}'`]),
  ];
  return [
    ...(query.limit === undefined ? [] : [`LIMIT ${query.limit}`]),
    ...(query.offset === undefined ? [] : [`OFFSET ${query.offset}`]),
    ...(typeof query.series === "number" ? [`SERIES ${query.series}`] : []),
    ...printCompare(query, columns),
    ...(query.timeZone === undefined ? [] : [`TIME ZONE ${printString(query.timeZone)}`]),
    ...(options.length === 0 ? [] : [`WITH (${options.join(", ")})`]),
  ];
}

function lengthOption(name: string, ms: number | null | undefined): readonly string[] {
  return typeof ms === "number" ? [`${name} = '${printMs(ms)}'`] : [];
}

function printCompare({ compare }: Query, columns: FilterColumns): readonly string[] {
  if (compare === undefined || compare === null) return [];
  const { offset, filter } = compare;
  const to = offset === undefined ? "" : ` TO INTERVAL ${printString(printInterval(offset))}`;
  if (filter === undefined) return [`COMPARE${to}`];
  const conditions = printConditions(filter, columns);
  return [`COMPARE${to} WHERE (${conditions.length === 0 ? "TRUE" : conditions.join(" AND ")})`];
}

function clause(word: string, parts: readonly string[], separator: string): readonly string[] {
  return parts.length === 0 ? [] : [`${word} ${parts.join(separator)}`];
}
