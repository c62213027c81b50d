import {
  checkInteger,
  checkKeys,
  checkObject,
  createProblemList,
  type JsonObject,
  kindOf,
  type ProblemList,
} from "../problem/problemList.js";
import { whyInvalidCalendarLength } from "../time/calendarLength.js";
import { changesLimitMax, changeValuesMax, type WhatChangedRequest } from "../whatChanged.js";
import { checkColumnNames, checkRowsAsked } from "./checkFacets.js";
import { checkFilters } from "./checkFilter.js";
import { checkTime } from "./checkTimes.js";

const keys: readonly (keyof WhatChangedRequest)[] = [
  "table",
  "from",
  "to",
  "timeZone",
  "filter",
  "derive",
  "selection",
  "against",
  "columns",
  "without",
  "limit",
  "values",
  "pairs",
  "timeoutMs",
];

/**
 * Reads a request for what changed from anywhere. Throws a `HadalError` that lists everything wrong
 * with it.
 */
export function checkWhatChanged(input: unknown): WhatChangedRequest {
  const problems = createProblemList();
  const request = checkObject(input, "", problems);
  if (request === null) throw problems.toError();
  checkKeys(request, "", keys, problems);
  checkRowsAsked(request, problems);
  const selects = checkSelection(request.selection, problems);
  const offsets = checkAgainst(request.against, problems);
  if (!selects && !offsets && problems.count === 0) {
    const detail = 'Nothing separates the sets: give a selection, or against {"offset": "7d"}.';
    problems.add("selection", "missing", detail);
  }
  checkColumnNames(request.columns, "columns", problems);
  checkColumnNames(request.without, "without", problems);
  checkInteger(request.limit, "limit", { max: changesLimitMax }, problems);
  checkInteger(request.values, "values", { max: changeValuesMax }, problems);
  const { pairs } = request;
  if (pairs !== undefined && typeof pairs !== "boolean") {
    problems.add("pairs", "type-mismatch", `pairs is true or false; found ${kindOf(pairs)}.`);
  }
  if (problems.count > 0) throw problems.toError();
  return request as unknown as WhatChangedRequest;
}

/** Whether it selects anything. */
function checkSelection(value: unknown, problems: ProblemList): boolean {
  if (value === undefined) return false;
  const selection = checkObject(value, "selection", problems);
  if (selection === null) return false;
  checkKeys(selection, "selection", ["filter", "from", "to"], problems);
  checkFilters(selection.filter, "selection.filter", problems);
  for (const end of ["from", "to"] as const) {
    if (selection[end] !== undefined) checkTime(selection[end], `selection.${end}`, problems);
  }
  return hasFilter(selection) || selection.from !== undefined || selection.to !== undefined;
}

/** Whether the offset alone distinguishes the sets. */
function checkAgainst(value: unknown, problems: ProblemList): boolean {
  if (value === undefined || value === "rest") return false;
  if (typeof value === "string") {
    problems.add("against", "type-mismatch", 'against is "rest", or an object.');
    return false;
  }
  const against = checkObject(value, "against", problems);
  if (against === null) return false;
  checkKeys(against, "against", ["offset", "filter"], problems);
  if (against.offset === undefined && against.filter === undefined) {
    const detail = 'against needs an offset, such as "7d", or a filter, or both; or it is "rest".';
    problems.add("against", "missing", detail);
  }
  if (against.offset !== undefined) {
    const fault = whyInvalidCalendarLength(against.offset);
    if (fault !== null) problems.add("against.offset", fault.code, fault.detail);
  }
  checkFilters(against.filter, "against.filter", problems);
  return against.offset !== undefined || hasFilter(against);
}

function hasFilter({ filter }: JsonObject): boolean {
  return Array.isArray(filter) && filter.length > 0;
}
