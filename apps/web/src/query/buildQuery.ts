import {
  type AggregateSpec,
  aggregateName,
  type Compare,
  durationMs,
  HadalError,
  type OrderBy,
  parseDuration,
  type Query,
  resolveTimeRange,
  type TimeRange,
} from "@hadal/sdk";
import { autoBucketMs } from "./bucket.js";
import { type ExploreState, isTimeView } from "./exploreState.js";

export interface BuiltQuery {
  readonly query: Query;
  /** Totals per series over the whole range, where they cannot be had from the buckets (percentiles, averages, rates). */
  readonly totals: Query | null;
  readonly range: TimeRange;
  readonly bucketMs: number | null;
}

/** Buckets of these add up to the whole range. */
export const addsUp = (spec: AggregateSpec): boolean =>
  spec.per === undefined && ["count", "count.raw", "sum", "min", "max"].includes(spec.fn);

/** The query of a state at this time. Throws a HadalError when its times cannot be read. */
export function buildQuery(state: ExploreState, timeZone: string, nowMs: number): BuiltQuery {
  const range = resolveTimeRange(state.from, state.to, nowMs);
  const base = {
    table: state.table,
    from: state.from,
    to: state.to,
    timeZone,
    filter: state.filters.filter((chip) => !chip.off).map((chip) => chip.filter),
  };
  if (state.view === "rows") {
    return { query: buildRowsQuery(state, base), totals: null, range, bucketMs: null };
  }
  const compare = buildCompare(state, range);
  const counted = { ...base, aggregates: state.aggregates, ...(compare && { compare }) };
  if (!isTimeView(state.view)) {
    const query = {
      ...counted,
      groupBy: state.groupBy,
      orderBy: [orderOf(state)],
      limit: state.limit,
    };
    return { query, totals: null, range, bucketMs: null };
  }
  const bucketMs = bucketOf(state, range);
  const bucket = state.bucket ?? `${bucketMs}ms`;
  const orderBy = [rankOf(state)];
  const query: Query = {
    ...counted,
    groupBy: [{ time: bucket }, ...state.groupBy],
    orderBy,
    series: state.series,
  };
  const totals: Query = { ...counted, groupBy: state.groupBy, orderBy, limit: state.series };
  return {
    query,
    totals: state.aggregates.every(addsUp) ? null : totals,
    range,
    bucketMs,
  };
}

/** Result columns that an answer of this state can be ordered by. */
export function orderNames(state: ExploreState): string[] {
  if (state.view === "rows") return ["time"];
  const names = state.aggregates.map(aggregateName);
  if (isTimeView(state.view)) return names;
  const compared = state.compare === null ? [] : ["compare", "delta", "delta_pct"];
  return [
    ...state.groupBy,
    ...names.flatMap((name) => [name, ...compared.map((suffix) => `${name}.${suffix}`)]),
    ...state.aggregates
      .filter((spec) => spec.fn === "count")
      .map((spec) => `${aggregateName(spec)}.raw`),
  ];
}

/** What the answer is ordered by, said or not. */
export function orderOf(state: ExploreState): OrderBy {
  const { order } = state;
  if (order !== null && orderNames(state).includes(order.by)) return order;
  if (state.view === "rows") return { by: "time", desc: true };
  const first = state.aggregates[0];
  if (first === undefined) return { by: state.groupBy[0] ?? "time", desc: false };
  return { by: aggregateName(first), desc: true };
}

/** Path of a problem in the query → the place of the form that it belongs to. */
export function placeOfPath(path: string, state: ExploreState): string {
  const filter = /^filter\[(\d+)\]/.exec(path);
  if (filter !== null) {
    const shown = state.filters.flatMap((chip, i) => (chip.off ? [] : [i]));
    return `filter ${shown[Number(filter[1])] ?? 0}`;
  }
  const group = /^groupBy\[(\d+)\]/.exec(path);
  if (group !== null) {
    const index = Number(group[1]) - (isTimeView(state.view) ? 1 : 0);
    return index < 0 ? "bucket" : `group ${index}`;
  }
  const otherRows = /^compare\.filter\[(\d+)\]/.exec(path);
  if (otherRows !== null) return `compare ${otherRows[1]}`;
  const aggregate = /^aggregates\[(\d+)\]/.exec(path);
  if (aggregate !== null) return `aggregate ${aggregate[1]}`;
  return /^[A-Za-z]+/.exec(path)?.[0] ?? "";
}

function buildRowsQuery(state: ExploreState, base: Omit<Query, "sampleView">): Query {
  return {
    ...base,
    sampleView: { columns: state.columns },
    orderBy: [orderOf(state)],
    limit: state.limit,
  };
}

/** Series are ranked by an aggregate; names and times would keep a chance selection. */
function rankOf(state: ExploreState): OrderBy {
  const order = orderOf(state);
  return { by: order.by, desc: order.desc ?? false };
}

function buildCompare(state: ExploreState, range: TimeRange): Compare | null {
  if (state.compare === null) return null;
  const { offset, filter } = state.compare;
  const back = offset === "previous" ? `${range.toMs - range.fromMs}ms` : offset;
  return { ...(back !== null && { offset: back }), ...(filter !== null && { filter }) };
}

function bucketOf(state: ExploreState, range: TimeRange): number {
  if (state.bucket === null) return autoBucketMs(range.toMs - range.fromMs);
  const bucketMs = durationMs(parseDuration(state.bucket));
  if (bucketMs > 0) return bucketMs;
  throw new HadalError("time-range-invalid", { detail: "A bucket must be longer than nothing." });
}
