import {
  type Against,
  type DerivedColumn,
  type Filter,
  HadalError,
  type Query,
  timeColumn,
  type WhatChangedRequest,
} from "@hadal/sdk";
import { resolveQuery } from "../../aggregate/function/resolveQuery.js";
import type {
  ResolvedFilter,
  ResolvedQuery,
  ResolvedSide,
} from "../../plan/query/resolvedQuery.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import type { TableSchema } from "../../plan/schema/tableSchema.js";
import type { UserFunctions } from "../../plan/schema/userFunctions.js";

/** The question for the rows of both sets, A first; its sides are theirs. */
export function resolveSets(
  request: WhatChangedRequest,
  schema: TableSchema,
  nowMs: number,
  functions: UserFunctions,
): SplitQuery {
  const { table, from, to, timeZone, filter = [], derive, selection = {} } = request;
  const rows: Pick<Query, "table" | "aggregates" | "timeZone" | "derive"> = {
    ...{ table, aggregates: [{ fn: "count" }] },
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(derive === undefined ? {} : { derive }),
  };
  const selected = [...filter, ...(selection.filter ?? [])];
  const times = { from: selection.from ?? from, to: selection.to ?? to };
  const against = againstOf(request);
  if (against !== "rest") {
    const other = [...filter, ...(against.filter ?? selection.filter ?? [])];
    const compare = {
      filter: other,
      ...(against.offset === undefined ? {} : { offset: against.offset }),
    };
    return resolveQuery({ ...rows, ...times, filter: selected, compare }, schema, nowMs, functions);
  }
  const a = resolveQuery({ ...rows, ...times, filter: selected }, schema, nowMs, functions);
  const all = resolveQuery({ ...rows, from, to, filter }, schema, nowMs, functions);
  const [inA] = a.resolved.sides;
  const [inAll] = all.resolved.sides;
  if (inA === undefined || inAll === undefined) throw new Error("a query has a side");
  checkWithin(inA, inAll);
  const sides = [inA, { ...inAll, filter: restOf(inA, inAll) }];
  return { ...a, resolved: { ...a.resolved, sides } };
}

function againstOf({ against = "rest" }: WhatChangedRequest): "rest" | Against {
  return against;
}

/** Rows that are in all but not in A, for whatever reason. */
function restOf(inA: ResolvedSide, inAll: ResolvedSide): ResolvedFilter {
  const within: ResolvedFilter = {
    ...{ kind: "range", column: timeColumn, decimals: 0, negated: false },
    ...{ low: String(inA.fromMs), high: String(inA.toMs - 1) },
  };
  const isAllTime = inA.fromMs <= inAll.fromMs && inA.toMs >= inAll.toMs;
  const filters = isAllTime ? [inA.filter] : [inA.filter, within];
  return {
    kind: "all",
    filters: [inAll.filter, { kind: "otherwise", filter: { kind: "all", filters } }],
  };
}

function checkWithin(inA: ResolvedSide, inAll: ResolvedSide): void {
  if (inA.fromMs >= inAll.fromMs && inA.toMs <= inAll.toMs) return;
  const detail = "The selection's times lie within the request's: its rest is of these rows.";
  throw new HadalError("time-range-invalid", { detail }, [
    { path: "selection", code: "time-range-invalid", detail },
  ]);
}

/** Columns that separate the sets because the sets are defined by them. */
export function definingColumns(request: WhatChangedRequest, rows: ResolvedQuery): Set<string> {
  const { selection, derive = [] } = request;
  const against = againstOf(request);
  const names = new Set<string>();
  // The same rows at another time have the same filter on both sides.
  if (against !== "rest" && against.filter === undefined) return names;
  collectNames(selection?.filter ?? [], names);
  if (against !== "rest") collectNames(against.filter ?? [], names);
  addInputs(names, derive, rows);
  return names;
}

function collectNames(filters: readonly Filter[], into: Set<string>): void {
  for (const filter of filters) {
    if ("any" in filter) collectNames(filter.any, into);
    else if ("all" in filter) collectNames(filter.all, into);
    else if ("not" in filter) collectNames([filter.not], into);
    else into.add(filter.column);
  }
}

/** Of a derived column what it is computed from; it is after its inputs in the list. */
function addInputs(
  names: Set<string>,
  derive: readonly DerivedColumn[],
  { derived = [] }: ResolvedQuery,
): void {
  for (const { as } of derive.toReversed()) {
    if (!names.has(as)) continue;
    for (const { name } of derived.find((one) => one.name === as)?.inputs ?? []) names.add(name);
  }
}
