import { aggregateName, type Filter, isNumberAggregate, type Query } from "@hadal/sdk";

/** The smallest query found that still fails, by leaving out parts as long as the failure stays. */
export async function shrinkQuery(
  query: Query,
  fails: (query: Query) => Promise<boolean>,
): Promise<Query> {
  for (const smaller of smallerQueries(query)) {
    if (isSound(smaller) && (await fails(smaller))) return shrinkQuery(smaller, fails);
  }
  return query;
}

/** Leaving out one part may leave another without what it needs. */
function isSound(query: Query): boolean {
  const keys = (query.groupBy ?? []).map((by) =>
    typeof by === "string" ? by : "time" in by ? "time" : "",
  );
  if (query.series !== undefined && !keys.includes("time")) return false;
  const specs = query.aggregates ?? [{ fn: "count" as const }];
  if (query.series !== undefined && !specs.some(isNumberAggregate)) return false;
  const names = [...keys, ...specs.map(aggregateName)];
  const parts = query.compare === undefined ? [""] : ["", ".compare", ".delta", ".delta_pct"];
  const known = new Set(names.flatMap((name) => parts.map((part) => name + part)));
  for (const { name } of specs.map((spec) => ({ name: `${aggregateName(spec)}.raw` })))
    known.add(name);
  const asked = [...(query.orderBy ?? []).map(({ by }) => by)];
  return [...asked, ...(query.having ?? []).map(({ column }) => column)].every((name) =>
    known.has(name),
  );
}

function* smallerQueries(query: Query): Generator<Query> {
  const parts = ["compare", "series", "orderBy", "having", "limit", "filter", "timeZone"] as const;
  for (const part of parts) {
    if (query[part] === undefined) continue;
    const { [part]: _, ...rest } = query;
    yield rest;
  }
  for (const part of ["groupBy", "aggregates", "orderBy", "having"] as const) {
    const list = query[part];
    if (list === undefined || list.length < 2) continue;
    for (const index of list.keys()) yield { ...query, [part]: list.filter((_, i) => i !== index) };
  }
  if (query.groupBy?.length === 1) yield { ...query, groupBy: [] };
  for (const filter of smallerLists(query.filter ?? [])) yield { ...query, filter };
  if (query.compare?.filter !== undefined) {
    for (const filter of smallerLists(query.compare.filter)) {
      yield { ...query, compare: { ...query.compare, filter } };
    }
  }
}

/** One filter less, or one filter smaller. */
function* smallerLists(filters: readonly Filter[]): Generator<readonly Filter[]> {
  for (const [index, filter] of filters.entries()) {
    const others = filters.filter((_, i) => i !== index);
    if (others.length > 0) yield others;
    for (const smaller of smallerFilters(filter)) yield filters.with(index, smaller);
  }
}

function* smallerFilters(filter: Filter): Generator<Filter> {
  if ("not" in filter) {
    yield filter.not;
    for (const not of smallerFilters(filter.not)) yield { not };
  } else if ("any" in filter) {
    yield* filter.any;
    for (const any of smallerLists(filter.any)) yield { any };
  } else if ("all" in filter) {
    yield* filter.all;
    for (const all of smallerLists(filter.all)) yield { all };
  } else if (Array.isArray(filter.value) && filter.value.length > 1) {
    for (const index of filter.value.keys()) {
      yield { ...filter, value: filter.value.filter((_: unknown, i: number) => i !== index) };
    }
  }
}
