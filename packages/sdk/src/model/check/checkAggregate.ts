import {
  type AggregateFn,
  type AggregateSpec,
  aggregateFns,
  type FunctionAggregate,
  rateUnitMs,
} from "../aggregate.js";
import { aggregateMeanings } from "../aggregateMeanings.js";
import { nearestHint } from "../problem/nearestName.js";
import {
  checkKeys,
  checkList,
  checkObject,
  type JsonObject,
  joinPath,
  kindOf,
  type ProblemList,
} from "../problem/problemList.js";
import { checkName } from "./checkFilter.js";

/** More than a person writes parameters for. */
export const functionColumnsMax = 20;
const rateUnits: readonly string[] = Object.keys(rateUnitMs);

/** Checks one aggregate; the typed one when nothing is wrong with it, else null. */
export function checkAggregate(
  value: unknown,
  path: string,
  problems: ProblemList,
): AggregateSpec | FunctionAggregate | null {
  const countBefore = problems.count;
  const spec = checkObject(value, path, problems);
  if (spec === null) return null;
  if (spec.columns !== undefined) return checkFunctionAggregate(spec, path, problems);
  checkKeys(spec, path, ["fn", "column", "p", "per", "as"], problems);
  const fn = checkFn(spec.fn, joinPath(path, "fn"), problems);
  if (fn !== null) {
    checkColumn(spec, fn, joinPath(path, "column"), problems);
    checkPercent(spec.p, fn, joinPath(path, "p"), problems);
    checkRate(spec.per, fn, joinPath(path, "per"), problems);
  }
  if (spec.as !== undefined) checkName(spec.as, joinPath(path, "as"), problems);
  return problems.count === countBefore ? (spec as unknown as AggregateSpec) : null;
}

/** The server checks whether there is a function of that name. */
function checkFunctionAggregate(
  spec: JsonObject,
  path: string,
  problems: ProblemList,
): FunctionAggregate | null {
  const countBefore = problems.count;
  checkKeys(spec, path, ["fn", "columns", "as"], problems);
  checkName(spec.fn, joinPath(path, "fn"), problems);
  const columnsPath = joinPath(path, "columns");
  const columns = checkList(spec.columns, columnsPath, functionColumnsMax, problems) ?? [];
  for (const [i, name] of columns.entries()) checkName(name, `${columnsPath}[${i}]`, problems);
  if (Array.isArray(spec.columns) && columns.length === 0) {
    problems.add(columnsPath, "missing", "A function aggregates the values of one column or more.");
  }
  if (typeof spec.fn === "string" && aggregateFns.includes(spec.fn as AggregateFn)) {
    problems.add(columnsPath, "unexpected", `${spec.fn} takes one column: write \`column\`.`);
  }
  if (spec.as !== undefined) checkName(spec.as, joinPath(path, "as"), problems);
  return problems.count === countBefore ? (spec as unknown as FunctionAggregate) : null;
}

function checkFn(value: unknown, path: string, problems: ProblemList): AggregateFn | null {
  if (typeof value !== "string") {
    problems.add(
      path,
      "missing",
      `An aggregate needs fn, such as "count"; found ${kindOf(value)}.`,
    );
    return null;
  }
  const fn = value as AggregateFn;
  if (aggregateFns.includes(fn)) return fn;
  const shown = value.length > 40 ? `${value.slice(0, 40)}…` : value;
  const hint = nearestHint(value, aggregateFns);
  problems.add(path, "unknown-function", `No aggregate is called "${shown}".${hint}`);
  return null;
}

function checkColumn(spec: JsonObject, fn: AggregateFn, path: string, problems: ProblemList): void {
  const column = spec.column;
  const meaning = aggregateMeanings[fn];
  if (meaning.column === "none") {
    if (column === undefined) return;
    problems.add(path, "unexpected", `${fn} counts rows and takes no column; count takes one.`);
  } else if (column !== undefined) {
    checkName(column, path, problems);
  } else if (meaning.column === "needed") {
    problems.add(path, "missing", `${fn} needs a column.`);
  }
}

function checkPercent(p: unknown, fn: AggregateFn, path: string, problems: ProblemList): void {
  if (fn !== "percentile") {
    if (p !== undefined) problems.add(path, "unexpected", `${fn} takes no p; percentile does.`);
  } else if (typeof p !== "number" || !(p > 0 && p < 100)) {
    const code = p === undefined ? "missing" : "out-of-range";
    problems.add(
      path,
      code,
      `percentile needs p above 0 and below 100, such as 95; found ${kindOf(p)}.`,
    );
  }
}

function checkRate(per: unknown, fn: AggregateFn, path: string, problems: ProblemList): void {
  if (per === undefined) return;
  if (typeof per !== "string" || !rateUnits.includes(per)) {
    problems.add(path, "out-of-range", `per is second, minute or hour; found ${kindOf(per)}.`);
  } else if (!aggregateMeanings[fn].addsUp) {
    problems.add(
      path,
      "unexpected",
      `${fn} does not add up over time: only count and sum go with per.`,
    );
  }
}
