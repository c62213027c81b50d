import { type AggregateSpec, aggregateName, isNumberAggregate, rawCountName } from "./aggregate.js";
import { nearestHint } from "./nearestName.js";
import {
  checkKeys,
  checkList,
  checkObject,
  type JsonObject,
  joinPath,
  kindOf,
  type ProblemList,
} from "./problemList.js";
import { aggregatesMax, groupByMax } from "./query.js";
import { timeColumn } from "./schema.js";

/** Result columns need names of their own, and the order must go by one of them. */
export function checkResultNames(
  query: JsonObject,
  groupNames: readonly string[],
  aggregates: readonly AggregateSpec[],
  problems: ProblemList,
): void {
  const isSample = query.sampleView !== undefined && query.sampleView !== null;
  const names = isSample ? new Set([timeColumn]) : new Set<string>();
  if (!isSample) {
    for (const name of groupNames) addName(names, name, "groupBy", problems);
    for (const spec of aggregates) addName(names, aggregateName(spec), "aggregates", problems);
    for (const spec of aggregates) if (spec.fn === "count") names.add(rawCountName(spec));
    addComparedNames(query, aggregates, names);
  }
  const orders = checkList(query.orderBy, "orderBy", groupByMax + aggregatesMax, problems) ?? [];
  // An aggregate that is wrong has no name: what it would have been called cannot be missed.
  const listed = Array.isArray(query.aggregates) ? query.aggregates.length : 0;
  const complete = aggregates.length === listed && listed > 0;
  const histograms = new Set(
    aggregates
      .filter((spec) => !isNumberAggregate(spec))
      .map(aggregateName)
      .flatMap((name) => [name, `${name}.compare`]),
  );
  for (const [i, order] of orders.entries()) {
    checkOrder(order, `orderBy[${i}]`, { names, histograms, isSample, complete }, problems);
  }
}

function addName(names: Set<string>, name: string, path: string, problems: ProblemList): void {
  if (names.has(name)) {
    problems.add(
      path,
      "duplicate-name",
      `Two result columns are called "${name}": give one another name with \`as\`.`,
    );
  }
  names.add(name);
}

function addComparedNames(
  query: JsonObject,
  aggregates: readonly AggregateSpec[],
  names: Set<string>,
): void {
  if (query.compare === undefined || query.compare === null) return;
  for (const spec of aggregates) {
    const name = aggregateName(spec);
    const compared = spec.fn === "count" ? [name, rawCountName(spec)] : [name];
    for (const base of compared) {
      names.add(`${base}.compare`);
      if (isNumberAggregate(spec)) names.add(`${base}.delta`).add(`${base}.delta_pct`);
    }
  }
}

function checkOrder(
  value: unknown,
  path: string,
  known: {
    readonly names: ReadonlySet<string>;
    /** Columns that hold lists, not numbers. */
    readonly histograms: ReadonlySet<string>;
    readonly isSample: boolean;
    readonly complete: boolean;
  },
  problems: ProblemList,
): void {
  const order = checkObject(value, path, problems);
  if (order === null) return;
  checkKeys(order, path, ["by", "desc"], problems);
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
    if (by !== timeColumn) {
      problems.addUnsupported(
        joinPath(path, "by"),
        "Ordering raw rows by a column other than time",
      );
    }
  } else if (known.histograms.has(by)) {
    problems.add(
      joinPath(path, "by"),
      "type-mismatch",
      `${by} is a histogram, which has no order: order by a number, such as a percentile.`,
    );
  } else if (known.complete && !known.names.has(by)) {
    const shown = by.length > 80 ? `${by.slice(0, 80)}…` : by;
    const hint = nearestHint(by, known.names);
    problems.add(
      joinPath(path, "by"),
      "unknown-result-column",
      `The result has no column "${shown}".${hint}`,
    );
  }
}
