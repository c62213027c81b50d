import {
  type Filter,
  type GroupBy,
  HadalError,
  isRelativeTime,
  type OrderBy,
  type Query,
  type TimeBucket,
} from "@hadal/sdk";
import { printSql } from "@hadal/sdk/sql";
import { usesField } from "../../chart/view/views.js";
import { sameFilter } from "../../query/filter/filterTree.js";
import type { GroupSpec } from "../../query/group/groupSpec.js";
import { numbersOfQuery } from "../../query/number/askedNumbers.js";
import type {
  CompareState,
  ExploreState,
  FilterChip,
  ViewId,
} from "../../query/state/exploreState.js";
import { shapeOf } from "../../query/state/queryShape.js";
import { buildQuery } from "../ask/buildQuery.js";

/** Loaded on demand, like all code for SQL. */

export interface ReadQuery {
  readonly state: ExploreState;
  /** What the form adds to the written query, in words. */
  readonly added: readonly string[];
}

/** The current time and the time zone. */
export interface ReadAt {
  readonly timeZone: string;
  readonly nowMs: number;
}

/**
 * The state with this query that is nearest to the current one: the same view if it can express the query, else
 * another, else the view `query`, which can express any. No part of the query is dropped.
 */
export function stateOfQuery(query: Query, before: ExploreState, at: ReadAt): ReadQuery {
  const common = { ...before, ...commonParts(query, before, at) };
  for (const candidate of candidates(query, common, before)) {
    const missing = missingParts(query, candidate, at);
    if (missing !== null) return { state: candidate, added: missing };
  }
  return { state: { ...common, view: "query", shape: shapeOf(query) }, added: [] };
}

/** The part of the state that all views use in the same way. */
function commonParts(query: Query, before: ExploreState, at: ReadAt): Partial<ExploreState> {
  const zone = query.timeZone ?? "UTC";
  const to = String(query.to);
  return {
    table: query.table,
    from: String(query.from),
    to,
    part: String(query.from) === before.from && to === before.to ? before.part : null,
    live: before.live && isRelativeTime(to),
    timeZone: zone === at.timeZone ? before.timeZone : zone,
    filters: mergedChips(query.filter ?? [], before.filters),
    derive: query.derive ?? [],
    exact: query.exact === true,
    timeoutMs: query.timeoutMs ?? null,
    freshnessMs: query.freshnessMs ?? null,
    compare: compareOf(query, before, at),
  };
}

/** Disabled filters, which no query has, keep their places. */
function mergedChips(
  filters: readonly Filter[],
  before: readonly FilterChip[],
): readonly FilterChip[] {
  const rest = [...filters];
  const kept = before.flatMap((chip): FilterChip[] => {
    if (chip.off) return [chip];
    const filter = rest.shift();
    if (filter === undefined) return [];
    return [sameFilter(filter, chip.filter) ? chip : { filter, off: false }];
  });
  return [...kept, ...rest.map((filter) => ({ filter, off: false }))];
}

function compareOf(query: Query, before: ExploreState, at: ReadAt): CompareState | null {
  const { compare } = query;
  if (compare == null) return null;
  const filter = compare.filter ?? null;
  const asked = { ...before, from: String(query.from), to: String(query.to) };
  const previous = { offset: "previous", filter };
  // Written out, the period before is as long as the range.
  const isPrevious = buildQuery(
    { ...asked, view: "table", compare: previous },
    { timeZone: at.timeZone, nowMs: at.nowMs },
  ).query.compare?.offset;
  return isPrevious === compare.offset && before.compare?.offset === "previous"
    ? previous
    : { offset: compare.offset ?? null, filter };
}

/** Candidate states: the current view first, with as few changes as possible. */
function candidates(
  query: Query,
  common: ExploreState,
  before: ExploreState,
): readonly ExploreState[] {
  const parts = formParts(query, common);
  const same = inView(common, common.view, before);
  if (parts === null) return [same];
  const views: readonly ViewId[] =
    query.sampleView != null ? ["rows"] : [common.view, "timeseries", "table"];
  return [
    same,
    ...views.flatMap((view) => {
      const shown = inView({ ...common, ...parts }, view, before);
      return [{ ...shown, order: common.order }, shown];
    }),
  ];
}

/** A view that compares nothing keeps for the others what they would compare with. */
function inView(state: ExploreState, view: ViewId, before: ExploreState): ExploreState {
  return { ...state, view, compare: usesField(view, "compare") ? state.compare : before.compare };
}

/** The parts that the form has fields for; null where it has none for one of them. */
function formParts(query: Query, before: ExploreState): Partial<ExploreState> | null {
  const groups = query.groupBy ?? [];
  const [time, ...moreTimes] = groups.filter(isTime);
  const others = groups.filter((group) => !isTime(group));
  if (moreTimes.length > 0 || !others.every(isGroupSpec)) return null;
  const { sampleView } = query;
  const aggregates = numbersOfQuery(query);
  if (aggregates === null) return null;
  if (sampleView != null) return { columns: sampleView.columns ?? null, ...numbers(query, before) };
  return {
    groupBy: others,
    // Without numbers the form still counts: a query without any has the view `query`.
    ...(aggregates.length > 0 && { aggregates }),
    having: query.having ?? [],
    bucket: time?.time ?? null,
    ...numbers(query, before),
  };
}

function numbers(query: Query, before: ExploreState): Partial<ExploreState> {
  const [order] = query.orderBy ?? [];
  return {
    order: order === undefined ? null : { by: order.by, desc: order.desc === true },
    limit: query.limit ?? before.limit,
    series: query.series ?? before.series,
  };
}

const isTime = (group: GroupBy): group is TimeBucket =>
  typeof group !== "string" && "time" in group;

const isGroupSpec = (group: GroupBy): group is GroupSpec =>
  typeof group === "string" || "element" in group || "bucket" in group;

/** What the state adds to the query, in words; null: its query differs. */
function missingParts(query: Query, state: ExploreState, at: ReadAt): readonly string[] | null {
  const built = builtQuery(state, at);
  if (built === null) return null;
  const zoned = { ...query, timeZone: query.timeZone ?? "UTC" };
  if (isSame(built, zoned)) return [];
  const filled: Query = {
    ...zoned,
    ...(query.orderBy === undefined && built.orderBy !== undefined && { orderBy: built.orderBy }),
    ...(query.limit === undefined && built.limit !== undefined && { limit: built.limit }),
    ...(query.series == null && built.series != null && { series: built.series }),
  };
  if (!isSame(built, filled)) return null;
  return [
    ...(query.orderBy === undefined && built.orderBy !== undefined
      ? [`ORDER BY ${built.orderBy.map(orderText).join(", ")}`]
      : []),
    ...(query.limit === undefined && built.limit !== undefined ? [`LIMIT ${built.limit}`] : []),
    ...(query.series == null && built.series != null ? [`SERIES ${built.series}`] : []),
  ];
}

/** null: the form cannot express it (buckets of months). */
function builtQuery(state: ExploreState, at: ReadAt): Query | null {
  try {
    return buildQuery(state, { timeZone: state.timeZone ?? at.timeZone, nowMs: at.nowMs }).query;
  } catch (error) {
    if (error instanceof HadalError) return null;
    throw error;
  }
}

const orderText = ({ by, desc }: OrderBy): string => `${by}${desc === true ? " DESC" : ""}`;

/** SQL omits defaults: two queries with the same SQL are equal. */
const isSame = (one: Query, other: Query): boolean => printSql(one) === printSql(other);
