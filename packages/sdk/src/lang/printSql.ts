import {
  type AggregateSpec,
  aggregateName,
  type FunctionAggregate,
  isFunctionAggregate,
} from "../model/aggregate.js";
import type { Expression, ExpressionFn } from "../model/expression.js";
import type {
  BucketBound,
  DerivedColumn,
  GroupBy,
  Having,
  OrderBy,
  Query,
  TimeText,
} from "../model/query.js";
import { timeColumn } from "../model/schema.js";
import { hasCalendarSteps } from "../model/time/parseTime.js";
import { printInterval, printMs } from "./base/interval.js";
import { printName, printString } from "./base/names.js";
import {
  functionName,
  nameOfExpression,
  type PrintColumn,
  printExpression,
  printFunction,
  printNumber,
  printOperand,
} from "./base/printExpression.js";
import { sameText } from "./base/sameText.js";
import { defaultGroupName } from "./lower/lowerGroup.js";
import { canonicalQuery } from "./print/canonicalQuery.js";
import { type FilterColumns, printConditions, printValue } from "./print/printFilter.js";
import { readStatement } from "./readSql.js";

/**
 * A query as SQL. Reading it gives back the query, without the parts that say nothing: those at their
 * default and lists without entries.
 */
export function printSql(query: Query): string {
  const wanted = canonicalQuery(query);
  const { show } = wanted;
  // Derived columns stand where they are used, if reading finds them in the same order; else in front.
  const inPlace = (wanted.derive ?? []).filter(isNamedByItself);
  const places = new Map(inPlace.map((column) => [column.as, column]));
  const tries: (() => string)[] = [];
  // Selected is what is shown, if reading finds the same aggregates in the same order.
  if (show !== undefined) {
    tries.push(
      () => print(wanted, places, true),
      () => print(wanted, new Map(), true),
    );
  }
  if (inPlace.length > 0) tries.push(() => print(wanted, places, false));
  for (const attempt of tries) {
    const text = attempt();
    if (readsBackAs(text, wanted)) return text;
  }
  return print(wanted, new Map(), false);
}

function readsBackAs(text: string, wanted: Query): boolean {
  try {
    return sameText(readStatement(text).query) === sameText(wanted);
  } catch {
    // What is left out is missed: a group that a calculation names, say.
    return false;
  }
}

function isNamedByItself(column: DerivedColumn): boolean {
  if ("expression" in column) return column.as === nameOfExpression(column.expression);
  return "function" in column && column.as === functionName(column.function, column.args ?? []);
}

type InPlace = ReadonlyMap<string, DerivedColumn>;

/** `asShown`: SELECT has what is shown, and nothing else. */
function print(query: Query, inPlace: InPlace, asShown: boolean): string {
  const columns = columnPrinters(inPlace);
  const derive = (query.derive ?? []).filter(({ as }) => !inPlace.has(as));
  const groups = printGroups(query, columns.whole, asShown);
  const items = query.sampleView
    ? (query.sampleView.columns?.map(columns.whole) ?? ["*"])
    : selectedItems(query, groups, columns.whole, asShown);
  const lines = [
    `SELECT${items.length === 0 ? "" : " "}${items.join(", ")}`,
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
    ...(asShown || query.sampleView ? [] : clause("SHOW", (query.show ?? []).map(printName), ", ")),
    ...printTails(query, columns),
  ];
  return lines.join("\n");
}

interface PrintedGroup {
  readonly name: string;
  readonly text: string;
  readonly item: string;
  /** How GROUP BY says it. */
  readonly reference: string;
  /** How calculations say it. */
  readonly meant: string;
  /** Its name alone would mean a column that is grouped by beside it. */
  readonly isAmbiguous: boolean;
}

/** Groups as SELECT and GROUP BY have them. Where one is called as a column is, GROUP BY counts the items of SELECT. */
function printGroups(
  query: Query,
  printColumn: PrintColumn,
  asShown: boolean,
): readonly PrintedGroup[] {
  const { groupBy = [], show } = query;
  const used = usedColumns(query);
  const collides = groupBy.some(
    (group) => typeof group === "object" && group.as !== undefined && used.has(group.as),
  );
  const grouped = new Set(groupBy.map(columnOfGroup));
  return groupBy.map((group, i) => {
    const printed = printGroup(group, printColumn);
    const { name, text } = printed;
    const isAmbiguous = grouped.has(name) && columnOfGroup(group) !== name;
    const named = isAmbiguous ? { ...printed, isAmbiguous, meant: text } : printed;
    if (!collides) return named;
    const place = asShown && show !== undefined ? show.indexOf(name) : i;
    return { ...named, reference: place < 0 ? text : String(place + 1) };
  });
}

function columnOfGroup(group: GroupBy): string | null {
  if (typeof group === "string") return group;
  return "column" in group ? group.column : null;
}

function selectedItems(
  { aggregates = [], calculate = [], show }: Query,
  groups: readonly PrintedGroup[],
  printColumn: PrintColumn,
  asShown: boolean,
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
  if (!asShown || show === undefined) return [...items.values()];
  return show.flatMap((name) => items.get(name) ?? []);
}

function printOrder({ by, desc, nulls }: OrderBy): string {
  const order = printName(by) + (desc === true ? " DESC" : "");
  return nulls === undefined ? order : `${order} NULLS ${nulls.toUpperCase()}`;
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

function clause(word: string, parts: readonly string[], separator: string): readonly string[] {
  return parts.length === 0 ? [] : [`${word} ${parts.join(separator)}`];
}

function printTails(query: Query, columns: FilterColumns): readonly string[] {
  const options = [
    ...(query.exact === true ? ["exact"] : []),
    ...lengthOption("timeout", query.timeoutMs),
    ...lengthOption("freshness", query.freshnessMs),
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

function printDerived(column: DerivedColumn): string {
  const as = ` AS ${printName(column.as)}`;
  if ("expression" in column) return printExpression(column.expression) + as;
  if ("js" in column) return `JS ${printString(column.js)}${as}`;
  return printFunction(column.function, column.args ?? [], printName) + as;
}

/** A group as an item of SELECT, and how GROUP BY names it. */
function printGroup(group: GroupBy, printColumn: PrintColumn): PrintedGroup {
  const text = printGroupKind(group, printColumn);
  const as = typeof group === "string" ? undefined : group.as;
  if (as === undefined) {
    const name = typeof group === "string" ? group : defaultGroupName(group);
    return { name, text, item: text, reference: text, meant: text, isAmbiguous: false };
  }
  const reference = printName(as);
  return {
    name: as,
    text,
    item: `${text} AS ${reference}`,
    reference,
    meant: reference,
    isAmbiguous: false,
  };
}

/** Names that the query uses for columns. */
function usedColumns({ filter, derive, groupBy, aggregates, compare }: Query): ReadonlySet<string> {
  // The range is one of the time.
  const names = new Set([timeColumn, ...(derive ?? []).map(({ as }) => as)]);
  const add = (part: unknown, isName = false): void => {
    if (typeof part === "string" && isName) names.add(part);
    else if (Array.isArray(part)) for (const one of part) add(one, isName);
    else if (typeof part === "object" && part !== null) {
      for (const [key, one] of Object.entries(part)) add(one, keysOfNames.has(key));
    }
  };
  add([filter, derive, compare?.filter, aggregates]);
  add(groupBy, true);
  return names;
}

const keysOfNames: ReadonlySet<string> = new Set([
  ...["column", "columns", "args", "bucket", "element"],
]);

function printGroupKind(group: GroupBy, printColumn: PrintColumn): string {
  if (typeof group === "string") return printColumn(group);
  if ("column" in group) return printColumn(group.column);
  if ("time" in group) return `time_bucket(${printString(group.time)}, time)`;
  if ("element" in group) return `unnest(${printColumn(group.element)})`;
  const column = printColumn(group.bucket);
  if (group.scale === "log") return `log_bucket(${column})`;
  if (group.edges === undefined) return `bucket(${column}, ${printBound(group.width ?? 0)})`;
  return `bucket(${column}, ARRAY[${group.edges.map(printBound).join(", ")}])`;
}

function printBound(bound: BucketBound): string {
  return typeof bound === "number" ? printNumber(bound) : bound;
}

function printAggregate(spec: AggregateSpec | FunctionAggregate, printColumn: PrintColumn): string {
  const as = spec.as === undefined ? "" : ` AS ${printName(spec.as)}`;
  return printAggregateCall(spec, printColumn) + as;
}

function printAggregateCall(
  spec: AggregateSpec | FunctionAggregate,
  printColumn: PrintColumn,
): string {
  if (isFunctionAggregate(spec)) {
    return `AGGREGATE ${printFunction(spec.fn, spec.columns, printColumn)}`;
  }
  const per = spec.per === undefined ? "" : ` PER ${spec.per.toUpperCase()}`;
  return printCall(spec, printColumn) + per;
}

function printCall({ fn, column, p }: AggregateSpec, printColumn: PrintColumn): string {
  const arg = column === undefined ? "*" : printColumn(column);
  if (fn === "distinct") return `count(DISTINCT ${arg})`;
  return p === undefined ? `${fn}(${arg})` : `${fn}(${arg}, ${printNumber(p)})`;
}

/** Results of these are conditions, which WHERE takes as they are. */
const conditionFns: ReadonlySet<ExpressionFn> = new Set<ExpressionFn>([
  ...(["=", "!=", "<", "<=", ">", ">=", "in", "is missing", "is present", "contains"] as const),
  ...(["~", "like", "and", "or", "not", "starts_with", "ends_with"] as const),
]);

function columnPrinters(inPlace: InPlace): FilterColumns & { readonly whole: PrintColumn } {
  const write =
    (printOwn: (expression: Expression) => string): PrintColumn =>
    (name) => {
      const column = inPlace.get(name);
      if (column === undefined || "js" in column) return printName(name);
      if ("expression" in column) return printOwn(column.expression);
      return printFunction(column.function, column.args ?? [], write(printExpression));
    };
  return {
    whole: write((expression) => printExpression(expression)),
    operand: write((expression) => printOperand(expression)),
    condition(name) {
      const column = inPlace.get(name);
      if (column === undefined || !("expression" in column)) return null;
      const { expression } = column;
      const isCondition = "fn" in expression && conditionFns.has(expression.fn);
      return isCondition ? printExpression(expression) : null;
    },
  };
}
