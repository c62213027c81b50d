import {
  type AggregateSpec,
  aggregateName,
  type FunctionAggregate,
  isFunctionAggregate,
  isNumberAggregate,
  rawCountName,
} from "../aggregate.js";
import {
  checkKeys,
  checkList,
  checkObject,
  type JsonObject,
  joinPath,
  kindOf,
  type ProblemList,
} from "../problem/problemList.js";
import { aggregatesMax, groupByMax } from "../query.js";
import { timeColumn } from "../schema.js";
import { checkCalculate, checkShow } from "./checkCalculate.js";
import { checkHaving } from "./checkHaving.js";
import { checkResultName, type ResultNames } from "./resultNames.js";

/** A query whose parts are checked, and the names that its result columns have so far. */
interface NamedQuery {
  readonly query: JsonObject;
  readonly groupNames: readonly string[];
  readonly aggregates: readonly (AggregateSpec | FunctionAggregate)[];
  /** Whether every aggregate of the query is right, and there is one. */
  readonly complete: boolean;
  readonly names: Set<string>;
}

/**
 * Result columns need distinct names, and the order and the conditions on groups have to use one of
 * them.
 */
export function checkResultNames(
  query: JsonObject,
  groupNames: readonly string[],
  aggregates: readonly (AggregateSpec | FunctionAggregate)[],
  problems: ProblemList,
): void {
  const isSample = query.sampleView !== undefined && query.sampleView !== null;
  const names = isSample ? new Set([timeColumn]) : new Set<string>();
  // An aggregate that is wrong has no name: what it would have been called cannot be missed.
  const listed = Array.isArray(query.aggregates) ? query.aggregates.length : 0;
  const complete = aggregates.length === listed && listed > 0;
  const named: NamedQuery = { query, groupNames, aggregates, complete, names };
  if (!isSample) {
    addNames(named, groupNames, "groupBy", problems);
    addNames(named, aggregates.map(aggregateName), "aggregates", problems);
    for (const spec of aggregates) if (isCount(spec)) names.add(rawCountName(spec));
  }
  const orders = checkList(query.orderBy, "orderBy", groupByMax + aggregatesMax, problems) ?? [];
  const calculated = isSample ? checkShownRows(query, problems) : checkCalculated(named, problems);
  if (!isSample) addComparedNames(named, calculated);
  const known: ResultNames = { names, histograms: histogramsOf(aggregates), isSample, complete };
  for (const [i, order] of orders.entries()) checkOrder(order, `orderBy[${i}]`, known, problems);
  checkHaving(query.having, known, problems);
}

/** Result columns that are histograms: nothing orders or compares them. */
function histogramsOf(aggregates: NamedQuery["aggregates"]): ReadonlySet<string> {
  const names = aggregates
    .filter((spec) => !isNumberAggregate(spec) && !isFunctionAggregate(spec))
    .map(aggregateName);
  return new Set(names.flatMap((name) => [name, `${name}.compare`]));
}

function checkCalculated(named: NamedQuery, problems: ProblemList): readonly string[] {
  const { query, groupNames, aggregates, complete } = named;
  // Without aggregates a query counts.
  const isBare = !Array.isArray(query.aggregates) || query.aggregates.length === 0;
  const own = isBare ? ["count"] : aggregates.map(aggregateName);
  const known = {
    groups: new Set(groupNames),
    aggregates: new Set(own),
    complete: complete || isBare,
  };
  const calculated = checkCalculate(query.calculate, known, problems);
  addNames(named, calculated, "calculate", problems);
  checkShow(query.show, known, calculated, problems);
  return calculated;
}

/** Of raw rows: what they show is among the columns that they have. */
function checkShownRows(query: JsonObject, problems: ProblemList): readonly string[] {
  if (query.calculate !== undefined) {
    const detail = "`calculate` is about groups: raw rows show the columns of sampleView.";
    problems.add("calculate", "unexpected", detail);
  }
  const columns = (query.sampleView as JsonObject).columns;
  const named = Array.isArray(columns) ? columns.filter((name) => typeof name === "string") : [];
  const known = {
    groups: new Set([timeColumn, ...named]),
    aggregates: new Set<string>(),
    complete: Array.isArray(columns),
  };
  checkShow(query.show, known, [], problems);
  return [];
}

function isCount(spec: AggregateSpec | FunctionAggregate): spec is AggregateSpec {
  return !isFunctionAggregate(spec) && spec.fn === "count";
}

function addNames(
  { names, query }: NamedQuery,
  added: readonly string[],
  key: "groupBy" | "aggregates" | "calculate",
  problems: ProblemList,
): void {
  const list = query[key];
  // Wrong entries have no name: then the places of the others in the list are unknown.
  const isWhole = Array.isArray(list) && list.length === added.length;
  for (const [i, name] of added.entries()) {
    if (names.has(name)) {
      problems.add(
        isWhole ? `${key}[${i}]` : key,
        "duplicate-name",
        `Two result columns are called "${name}": give one another name with \`as\`.`,
      );
    }
    names.add(name);
  }
}

function addComparedNames(
  { query, aggregates, names }: NamedQuery,
  calculated: readonly string[],
): void {
  if (query.compare === undefined || query.compare === null) return;
  for (const name of calculated) {
    names.add(`${name}.compare`).add(`${name}.delta`).add(`${name}.delta_pct`);
  }
  for (const spec of aggregates) {
    const name = aggregateName(spec);
    const compared = isCount(spec) ? [name, rawCountName(spec)] : [name];
    for (const base of compared) {
      names.add(`${base}.compare`);
      // What a function returns is known when it has: texts differ by nothing.
      const isNumber = isFunctionAggregate(spec) || isNumberAggregate(spec);
      if (isNumber) names.add(`${base}.delta`).add(`${base}.delta_pct`);
    }
  }
}

function checkOrder(value: unknown, path: string, known: ResultNames, problems: ProblemList): void {
  const order = checkObject(value, path, problems);
  if (order === null) return;
  checkKeys(order, path, ["by", "desc", "nulls"], problems);
  if (order.nulls !== undefined && order.nulls !== "first" && order.nulls !== "last") {
    const detail = `nulls is "first" or "last"; found ${kindOf(order.nulls)}.`;
    problems.add(joinPath(path, "nulls"), "type-mismatch", detail);
  }
  if (order.desc !== undefined && typeof order.desc !== "boolean") {
    problems.add(
      joinPath(path, "desc"),
      "type-mismatch",
      `desc is true or false; found ${kindOf(order.desc)}.`,
    );
  }
  const by = order.by;
  if (typeof by !== "string") {
    problems.add(
      joinPath(path, "by"),
      "missing",
      `Expected the name of a result column, found ${kindOf(by)}.`,
    );
  } else if (known.isSample) {
    // Whether the table has such a column is known when the query is resolved.
    return;
  } else if (known.histograms.has(by)) {
    problems.add(
      joinPath(path, "by"),
      "type-mismatch",
      `${by} is a histogram, which has no order: order by a number, such as a percentile.`,
    );
  } else {
    checkResultName(by, joinPath(path, "by"), known, problems);
  }
}
