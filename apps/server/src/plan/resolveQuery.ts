import {
  durationMs,
  type Filter,
  findTimeZone,
  type GroupBy,
  HadalError,
  limitDefault,
  type NumberBucket,
  nearestHint,
  parseCalendarLength,
  type Query,
  resolveTimeRange,
  type TimeBucket,
  type TimeZone,
  timeColumn,
  unitOfColumn,
} from "@hadal/sdk";
import { shiftRange } from "./bucket/compareRange.js";
import { resolveMonthBuckets } from "./bucket/monthBuckets.js";
import { resolveNumberBuckets } from "./bucket/numberBuckets.js";
import { lowerBounds, resolveTimeBuckets } from "./bucket/timeBuckets.js";
import { resolveDerive } from "./derive/resolveDerive.js";
import { resolveFilters } from "./filter/resolveFilter.js";
import { resolveGrant } from "./filter/resolveGrant.js";
import type { AggregateFunctions } from "./finish/aggregateFunction.js";
import { type KnownFunctions, resolveAggregates } from "./finish/resolveAggregates.js";
import { resolveCalculations } from "./finish/resolveCalculation.js";
import { resolveHaving } from "./finish/resolveHaving.js";
import { leafRank, resolveOrders, seriesRank } from "./finish/resolveOrder.js";
import type { FinishGroup, FinishPlan, FinishSeries } from "./query/finishPlan.js";
import type { LeafCut, Rank, ResolvedGroup, ResolvedSide } from "./query/resolvedQuery.js";
import type { SplitQuery } from "./query/splitQuery.js";
import { resolveSample } from "./resolveSample.js";
import { withBareNames } from "./schema/bareNames.js";
import { bindColumns } from "./schema/bindColumns.js";
import { checkBounds } from "./schema/checkBounds.js";
import {
  describeColumn,
  findColumn,
  type SchemaColumn,
  type TableSchema,
  typeMismatch,
} from "./schema/tableSchema.js";
import { noFunctions, type UserFunctions } from "./schema/userFunctions.js";

/** Binds queries to absolute times and to the columns of their tables. */
export interface QueryResolver {
  /** Throws a HadalError that names the path at fault. */
  resolveQuery(
    query: Query,
    table: TableSchema,
    nowMs: number,
    functions?: UserFunctions,
  ): SplitQuery;
  /** The same with all that it derives, of which others will read more than it does, and to be bound by them. */
  resolveRows(
    query: Query,
    table: TableSchema,
    nowMs: number,
    functions: UserFunctions,
  ): SplitQuery;
}

/** A resolver that knows these aggregates: what they are made of is no concern of a plan. */
export function createResolver(aggregates: AggregateFunctions): QueryResolver {
  const resolver: QueryResolver = {
    resolveQuery(query, table, nowMs, functions = noFunctions) {
      const { resolved, finish } = resolver.resolveRows(query, table, nowMs, functions);
      return { resolved: bindColumns(resolved, table), finish };
    },
    resolveRows: (query, table, nowMs, functions) =>
      resolveRows(query, table, nowMs, { aggregates, functions }),
  };
  return resolver;
}

function resolveRows(
  asked: Query,
  stored: TableSchema,
  nowMs: number,
  functions: KnownFunctions,
): SplitQuery {
  const query = withBareNames(asked, stored);
  const zone = timeZoneOf(query);
  const { table, derived } = resolveDerive(
    query.derive ?? [],
    stored,
    zone.name,
    functions.functions,
  );
  const split = splitDerived(query, { table, nowMs, zone }, functions);
  const granted = resolveGrant(stored, nowMs, new Set(derived.map(({ name }) => name)));
  const resolved = {
    ...split.resolved,
    ...(derived.length === 0 ? {} : { derived }),
    ...(granted === null ? {} : { granted }),
  };
  const found = { ...split, resolved };
  if (stored.grant?.bounds !== undefined) checkBounds(found, stored.grant.bounds);
  return found;
}

/** What a query is resolved with. */
interface QueryPlace {
  readonly table: TableSchema;
  readonly nowMs: number;
  readonly zone: TimeZone;
}

/** Derived columns are among the table's. */
function splitDerived(query: Query, place: QueryPlace, functions: KnownFunctions): SplitQuery {
  const { table, nowMs, zone } = place;
  const main = resolveMainSide(query, place);
  const sides = [main, ...resolveBaseSide(query, place, main)];
  if (query.sampleView !== undefined && query.sampleView !== null) {
    return resolveSample(query, table, sides);
  }
  const isTime = (group: GroupBy): group is TimeBucket =>
    typeof group !== "string" && "time" in group;
  const firstTime = (query.groupBy ?? []).find(isTime);
  let further = 0;
  const groups = (query.groupBy ?? []).map((group, i) =>
    isTime(group) && group !== firstTime
      ? furtherTimeGroup(group, main, further++)
      : resolveGroup(group, table, i),
  );
  const finishGroups = groups.map((group) => group.finish);
  const { states, aggregates: stated } = resolveAggregates(
    query.aggregates ?? [],
    table,
    functions,
  );
  const calculated = resolveCalculations(query.calculate ?? [], finishGroups, stated, zone.name);
  const aggregates = [...stated, ...calculated];
  const names = [...finishGroups, ...aggregates].map(({ name }) => name);
  checkNames(names);

  const groupBy = groups.map((group) => group.resolved);
  const timeGroupIndex = groupBy.findIndex((group) => group.kind === "time");
  const orderBy = query.orderBy ?? [];
  const show = resolveShow(query, names);
  const compare = sides.length > 1;
  const orders = resolveOrders(orderBy, finishGroups, aggregates, {
    timeGroupIndex,
    compare,
    show,
  });
  const offset = query.offset ?? 0;
  const limit = offset + (query.limit ?? limitDefault);
  const finish: FinishPlan = {
    groups: finishGroups,
    aggregates,
    orders,
    defaultOrder: orderBy.length === 0,
    having: resolveHaving(query.having ?? [], finishGroups, aggregates, {
      compare,
      clock: { nowMs, timeZone: zone.name },
    }),
    limit,
    offset,
    series: resolveSeries(query, { orders, aggregates, timeGroupIndex, show }),
    sample: null,
    show,
  };
  const cut = leafCut(finish, { cutsBuckets: timeGroupIndex >= 0, isExact: query.exact === true });
  return { resolved: { table: table.name, sides, groupBy, states, sample: null, cut }, finish };
}

/**
 * Only the root has the final numbers for `having`, for an order by a calculation or function, and for `exact`. For these
 * a leaf sends as many groups as for a query without a limit: five times {@link limitDefault}.
 */
export const havingGroupsMax = 500_000;

/**
 * Each leaf sends five times the limit, so that a group that is large in total but first on no leaf is included. With
 * `exact` and an order that is not by key it sends as many as for `having`: it cannot know which groups are first.
 */
function leafCut(
  finish: FinishPlan,
  { cutsBuckets, isExact }: { readonly cutsBuckets: boolean; readonly isExact: boolean },
): LeafCut {
  const bySeries = finish.series !== null;
  const orders = finish.series === null ? finish.orders : [finish.series.rank];
  const ranks: Rank[] = [];
  for (const order of orders) {
    const rank = leafRank(order, finish.aggregates, { cutsBuckets: cutsBuckets && !bySeries });
    if (rank === null) break;
    ranks.push(rank);
  }
  const isByKey = !bySeries && orders[0]?.target.kind === "key";
  // What only the root can rank by has to get there.
  const isWhole = finish.having.length > 0 || ranks.length < orders.length || (isExact && !isByKey);
  const max = Math.max(5 * (finish.series?.max ?? finish.limit), isWhole ? havingGroupsMax : 100);
  return { max, bySeries, ranks };
}

function resolveMainSide(query: Query, { table, nowMs, zone }: QueryPlace): ResolvedSide {
  const { fromMs, toMs } = resolveTimeRange(query.from, query.to, nowMs, zone.name);
  const filter = resolveFilters(
    query.filter ?? [],
    table,
    { nowMs, timeZone: zone.name },
    "filter",
  );
  const times = (query.groupBy ?? []).filter(
    (group): group is TimeBucket => typeof group !== "string" && "time" in group,
  );
  const [buckets = null, ...furtherBuckets] = query.sampleView
    ? []
    : times.map((time) => bucketsOf(time, fromMs, toMs, zone));
  const further = furtherBuckets.length === 0 ? {} : { furtherBuckets };
  return { fromMs, toMs, filter, buckets, ...further };
}

function bucketsOf(
  { time }: TimeBucket,
  fromMs: number,
  toMs: number,
  zone: TimeZone,
): NonNullable<ResolvedSide["buckets"]> {
  const length = parseCalendarLength(time);
  return "months" in length
    ? resolveMonthBuckets(fromMs, toMs, length.months, zone)
    : resolveTimeBuckets(fromMs, toMs, durationMs(length), zone);
}

/** Time buckets beside the first: ranges of the column `time`, the last of which ends with the query's. */
function furtherTimeGroup(group: TimeBucket, main: ResolvedSide, further: number): GroupPair {
  const bounds = lowerBounds(main.furtherBuckets![further]!);
  return {
    resolved: {
      ...{ kind: "bucket", column: timeColumn, decimals: 0, further },
      buckets: { kind: "edges", bounds },
    },
    finish: { name: group.as ?? timeColumn, type: "time", decimals: 0, unit: undefined },
  };
}

/** The other side of a comparison; none without. */
function resolveBaseSide(
  query: Query,
  { table, nowMs, zone }: QueryPlace,
  main: ResolvedSide,
): ResolvedSide[] {
  const { compare } = query;
  if (compare === undefined || compare === null) return [];
  const filter =
    compare.filter === undefined
      ? main.filter
      : resolveFilters(
          compare.filter satisfies readonly Filter[],
          table,
          { nowMs, timeZone: zone.name },
          "compare.filter",
        );
  if (compare.offset === undefined) return [{ ...main, filter }];
  return [{ ...shiftRange(main, parseCalendarLength(compare.offset), zone), filter }];
}

function resolveGroup(group: GroupBy, table: TableSchema, index: number): GroupPair {
  const path = `groupBy[${index}]`;
  if (typeof group === "string") return resolveColumnGroup(group, table, path);
  const pair = resolveGroupKind(group, table, path);
  const name = group.as ?? pair.finish.name;
  return { ...pair, finish: { ...pair.finish, name } };
}

function resolveGroupKind(
  group: Exclude<GroupBy, string>,
  table: TableSchema,
  path: string,
): GroupPair {
  if ("bucket" in group) return resolveBucketGroup(group, table, path);
  if ("element" in group) return resolveElementGroup(group.element, table, path);
  if ("column" in group) return resolveColumnGroup(group.column, table, `${path}.column`);
  const finish = { name: timeColumn, type: "time", decimals: 0, unit: undefined } as const;
  return { resolved: { kind: "time" }, finish };
}

function resolveColumnGroup(group: string, table: TableSchema, path: string): GroupPair {
  const column = findColumn(table, group, path);
  const { name, type, decimals } = column;
  return {
    resolved: { kind: "column", column: name, type, decimals },
    finish: type === "int" ? finishInts(column) : { name, type, decimals, unit: undefined },
  };
}

interface GroupPair {
  readonly resolved: ResolvedGroup;
  readonly finish: FinishGroup;
}

function finishInts({ name, decimals }: SchemaColumn): FinishGroup {
  const number = decimals > 0 ? "decimal" : "int";
  const type = name === timeColumn ? "time" : number;
  return { name, type, decimals, unit: unitOfColumn(name) };
}

function resolveElementGroup(name: string, table: TableSchema, path: string): GroupPair {
  const column = findColumn(table, name, `${path}.element`);
  if (column.type !== "set" && column.type !== "vector") {
    const detail = `Column ${describeColumn(column)} has no elements: group by "${name}" itself.`;
    throw typeMismatch(`${path}.element`, detail);
  }
  return {
    resolved: { kind: "element", column: name },
    finish: { name, type: "string", decimals: 0, unit: undefined },
  };
}

function resolveBucketGroup(bucket: NumberBucket, table: TableSchema, path: string): GroupPair {
  const column = findColumn(table, bucket.bucket, `${path}.bucket`);
  if (column.type !== "int") {
    const detail = `Column ${describeColumn(column)} has no numbers to make buckets of.`;
    throw typeMismatch(`${path}.bucket`, detail);
  }
  const { name, decimals } = column;
  const buckets = resolveNumberBuckets(column, bucket, path);
  return {
    resolved: { kind: "bucket", column: name, decimals, buckets },
    finish: finishInts(column),
  };
}

function resolveSeries(
  query: Query,
  {
    orders,
    aggregates,
    timeGroupIndex,
    show,
  }: Pick<FinishPlan, "orders" | "aggregates" | "show"> & { readonly timeGroupIndex: number },
): FinishSeries | null {
  const { series } = query;
  if (series === undefined || series === null) return null;
  // Without a time bucket every group is a series of one point: `limit` says the same.
  if (timeGroupIndex < 0) {
    const detail =
      "`series` keeps the top groups over time: group by a time bucket, or use `limit`.";
    throw new HadalError("invalid-query", { detail }, [
      { path: "series", code: "unexpected", detail },
    ]);
  }
  const [first] = orders;
  const byTime = first?.target.kind === "key" && first.target.groupIndex === timeGroupIndex;
  const timeDesc = byTime === true && first?.desc === true;
  return { max: series, timeGroupIndex, timeDesc, ...seriesRank(orders, aggregates, show) };
}

function timeZoneOf(query: Query): TimeZone {
  const name = query.timeZone ?? "UTC";
  try {
    return findTimeZone(name);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const detail = `No time zone is called "${name}"; names look like Europe/Berlin.`;
    throw new HadalError("invalid-query", { detail }, [
      { path: "timeZone", code: "unknown-time-zone", detail },
    ]);
  }
}

function checkNames(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) {
      const detail = `Two result columns are called "${name}": give one another name with \`as\`.`;
      throw new HadalError("invalid-query", { detail }, [
        { path: "aggregates", code: "duplicate-name", detail },
      ]);
    }
    seen.add(name);
  }
}

/** The checks know the names of groups and aggregates, but not which are derived from what is saved. */
function resolveShow({ show }: Query, names: readonly string[]): FinishPlan["show"] {
  if (show === undefined) return null;
  const missing = show.findIndex((name) => !names.includes(name));
  if (missing < 0) return show;
  const detail = `The result has no column "${show[missing]}".${nearestHint(show[missing]!, names)}`;
  throw new HadalError("invalid-query", { detail }, [
    { path: `show[${missing}]`, code: "unknown-result-column", detail },
  ]);
}
