import type { AggregateSpec, FunctionAggregate } from "../aggregate.js";
import {
  checkInteger,
  checkKeys,
  checkList,
  checkObject,
  createProblemList,
  type JsonObject,
  kindOf,
  type ProblemList,
} from "../problem/problemList.js";
import {
  aggregatesMax,
  cacheUses,
  freshnessMsMax,
  limitMax,
  offsetMax,
  type Query,
  seriesMax,
  timeoutMsMax,
} from "../query.js";
import { whyInvalidCalendarLength } from "../time/calendarLength.js";
import { checkAggregate } from "./checkAggregate.js";
import { checkDerive } from "./checkDerive.js";
import { checkFilters, checkName } from "./checkFilter.js";
import { checkGroupBy } from "./checkGroupBy.js";
import { checkResultNames } from "./checkResultNames.js";
import { checkTimes, checkTimeZone } from "./checkTimes.js";

const queryKeys: readonly (keyof Query)[] = [
  "table",
  "from",
  "to",
  "timeZone",
  "filter",
  "derive",
  "groupBy",
  "aggregates",
  "calculate",
  "show",
  "having",
  "orderBy",
  "limit",
  "offset",
  "series",
  "compare",
  "sampleView",
  "exact",
  "timeoutMs",
  "freshnessMs",
  "cache",
];

/**
 * Reads a query from anywhere: a body, a frame, a URL, a file. Throws a `HadalError` that
 * lists everything wrong with it, each with its path (`filter[0].op`).
 */
export function checkQuery(input: unknown): Query {
  const problems = createProblemList();
  const query = checkObject(input, "", problems);
  if (query === null) throw problems.toError();
  checkKeys(query, "", queryKeys, problems);
  checkName(query.table, "table", problems);
  checkTimes(query, problems);
  checkTimeZone(query.timeZone, problems);
  checkFilters(query.filter, "filter", problems);
  checkDerive(query.derive, problems);
  const groupNames = checkGroupBy(query.groupBy, problems);
  const aggregates = checkAggregates(query.aggregates, problems);
  checkCompare(query.compare, problems);
  checkSampleView(query, problems);
  checkResultNames(query, groupNames, aggregates, problems);
  checkInteger(query.limit, "limit", { min: 0, max: limitMax }, problems);
  checkInteger(query.offset, "offset", { min: 0, max: offsetMax }, problems);
  if (query.series !== null) checkInteger(query.series, "series", { max: seriesMax }, problems);
  checkInteger(query.timeoutMs, "timeoutMs", { max: timeoutMsMax }, problems);
  if (query.exact !== undefined && typeof query.exact !== "boolean") {
    problems.add("exact", "type-mismatch", `exact is true or false; found ${kindOf(query.exact)}.`);
  }
  if (query.freshnessMs !== null) {
    checkInteger(query.freshnessMs, "freshnessMs", { min: 0, max: freshnessMsMax }, problems);
  }
  if (query.cache !== undefined && !cacheUses.some((use) => use === query.cache)) {
    const found =
      typeof query.cache === "string" ? `"${query.cache.slice(0, 50)}"` : kindOf(query.cache);
    problems.add("cache", "type-mismatch", `cache is ${cacheUses.join(" or ")}; found ${found}.`);
  }
  if (problems.count > 0) throw problems.toError();
  return query as unknown as Query;
}

function checkAggregates(
  value: unknown,
  problems: ProblemList,
): (AggregateSpec | FunctionAggregate)[] {
  const list = checkList(value, "aggregates", aggregatesMax, problems) ?? [];
  return list
    .map((spec, i) => checkAggregate(spec, `aggregates[${i}]`, problems))
    .filter((spec) => spec !== null);
}

function checkCompare(value: unknown, problems: ProblemList): void {
  if (value === undefined || value === null) return;
  const compare = checkObject(value, "compare", problems);
  if (compare === null) return;
  checkKeys(compare, "compare", ["offset", "filter"], problems);
  if (compare.offset === undefined && compare.filter === undefined) {
    problems.add(
      "compare",
      "missing",
      'compare needs an offset, such as "7d", or a filter, or both.',
    );
  }
  if (compare.offset !== undefined) checkDuration(compare.offset, "compare.offset", problems);
  checkFilters(compare.filter, "compare.filter", problems);
}

function checkDuration(value: unknown, path: string, problems: ProblemList): void {
  const fault = whyInvalidCalendarLength(value);
  if (fault !== null) problems.add(path, fault.code, fault.detail);
}

function checkSampleView(query: JsonObject, problems: ProblemList): void {
  const value = query.sampleView;
  if (value === undefined || value === null) return;
  const sampleView = checkObject(value, "sampleView", problems);
  if (sampleView === null) return;
  checkKeys(sampleView, "sampleView", ["columns"], problems);
  if (sampleView.columns !== null) {
    const columns = checkList(sampleView.columns, "sampleView.columns", limitMax, problems) ?? [];
    for (let i = 0; i < columns.length; i++)
      checkName(columns[i], `sampleView.columns[${i}]`, problems);
  }
}
