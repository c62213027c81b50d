import { type FacetsRequest, facetColumnsMax, facetLimitMax } from "../facets.js";
import {
  checkInteger,
  checkKeys,
  checkList,
  checkObject,
  createProblemList,
  type JsonObject,
  type ProblemList,
} from "../problem/problemList.js";
import { timeoutMsMax } from "../query.js";
import { checkDerive } from "./checkDerive.js";
import { checkFilters, checkName } from "./checkFilter.js";
import { checkTimes, checkTimeZone } from "./checkTimes.js";

const keys: readonly (keyof FacetsRequest)[] = [
  "table",
  "from",
  "to",
  "timeZone",
  "filter",
  "derive",
  "columns",
  "limit",
  "timeoutMs",
];

/**
 * Reads a request for facets from anywhere. Throws a `HadalError` that lists everything wrong with
 * it.
 */
export function checkFacets(input: unknown): FacetsRequest {
  const problems = createProblemList();
  const request = checkObject(input, "", problems);
  if (request === null) throw problems.toError();
  checkKeys(request, "", keys, problems);
  checkRowsAsked(request, problems);
  checkColumnNames(request.columns, "columns", problems);
  checkInteger(request.limit, "limit", { max: facetLimitMax }, problems);
  if (problems.count > 0) throw problems.toError();
  return request as unknown as FacetsRequest;
}

/** What says which rows are meant, and how long they may take. */
export function checkRowsAsked(request: JsonObject, problems: ProblemList): void {
  checkName(request.table, "table", problems);
  checkTimes(request, problems);
  checkTimeZone(request.timeZone, problems);
  checkFilters(request.filter, "filter", problems);
  checkDerive(request.derive, problems);
  checkInteger(request.timeoutMs, "timeoutMs", { max: timeoutMsMax }, problems);
}

export function checkColumnNames(value: unknown, path: string, problems: ProblemList): void {
  const names = checkList(value, path, facetColumnsMax, problems) ?? [];
  for (const [i, name] of names.entries()) checkName(name, `${path}[${i}]`, problems);
}
