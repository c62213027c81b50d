import {
  type ColumnInfo,
  type Compare,
  durationMs,
  HadalError,
  parseDuration,
  type Query,
  type Result,
  resolveTimeRange,
  type TimeRange,
} from "@hadal/sdk";
import type { BuildContext } from "../../chart/spec/viewSpec.js";
import { usesField, viewOf } from "../../chart/view/views.js";
import { autoBucketMs } from "../../query/group/bucket.js";
import type { Aggregate } from "../../query/number/aggregate.js";
import { askedNumbers } from "../../query/number/askedNumbers.js";
import type { ExploreState } from "../../query/state/exploreState.js";
import { orderOf } from "./order.js";
import { optionsInForce } from "./viewOptions.js";

export interface BuiltQuery {
  readonly query: Query;
  /** The aggregates of the query, in the form's order. */
  readonly numbers: readonly Aggregate[];
  /** Extra queries of the view, by name. */
  readonly extras: Readonly<Record<string, Query>>;
  readonly range: TimeRange;
  /** Length of a time bucket; null: the view has none. */
  readonly bucketMs: number | null;
  /** The effective options of the view. */
  readonly options: Readonly<Record<string, string>>;
  /** The column without values, so that there is nothing to draw; null: there is something to draw. */
  readonly without: string | null;
}

/** Clock, time zone and table columns for building a query. */
export interface AskedAt {
  readonly timeZone: string;
  readonly nowMs: number;
  readonly columns?: readonly ColumnInfo[];
  readonly probed?: Result | null;
}

/** The query of a state at this time. Throws a HadalError if its times cannot be parsed. */
export function buildQuery(state: ExploreState, at: AskedAt): BuiltQuery {
  const { range, context, options } = contextOf(state, at);
  const { query, extras = {}, without = null, bucketMs } = viewOf(state.view).build(state, context);
  return {
    query: askedNumbers(query),
    extras: Object.fromEntries(
      Object.entries(extras).map(([name, extra]) => [name, askedNumbers(extra)]),
    ),
    numbers: query.aggregates ?? [],
    range,
    bucketMs: bucketMs ?? (usesField(state.view, "bucket") ? context.bucketMs : null),
    options,
    without,
  };
}

/** The query that the view needs first, or null. Throws like {@link buildQuery}. */
export function buildProbe(state: ExploreState, at: AskedAt): Query | null {
  const { probe } = viewOf(state.view);
  if (probe === undefined) return null;
  return askedNumbers(probe(state, contextOf(state, { ...at, probed: null }).context));
}

function contextOf(
  state: ExploreState,
  { timeZone, nowMs, columns = [], probed = null }: AskedAt,
): { range: TimeRange; context: BuildContext; options: Readonly<Record<string, string>> } {
  const range = resolveTimeRange(state.from, state.to, nowMs, timeZone);
  const base: Query = {
    table: state.table,
    from: state.from,
    to: state.to,
    timeZone,
    filter: state.filters.filter((chip) => !chip.off).map((chip) => chip.filter),
    ...(state.derive.length > 0 && { derive: state.derive }),
    ...(state.exact && { exact: true }),
    ...(state.timeoutMs !== null && { timeoutMs: state.timeoutMs }),
    ...(state.freshnessMs !== null && { freshnessMs: state.freshnessMs }),
  };
  const compare = buildCompare(state, range);
  const having = usesField(state.view, "having") ? state.having : [];
  const counted = {
    ...base,
    aggregates: state.aggregates,
    ...(having.length > 0 && { having }),
    ...(compare && { compare }),
  };
  const options = optionsInForce(state, columns);
  const bucketMs = bucketOf(state, range);
  const context: BuildContext = {
    base,
    counted,
    order: orderOf(state),
    rangeMs: range.toMs - range.fromMs,
    bucketMs,
    bucket: state.bucket ?? `${bucketMs}ms`,
    columns,
    option: (name) => options[name] ?? "",
    probed,
  };
  return { range, context, options };
}

/** The part of the form for the path of a problem in the query. */
export function placeOfPath(path: string, state: ExploreState): string {
  const filter = /^filter\[(\d+)\]/.exec(path);
  if (filter !== null) {
    const shown = state.filters.flatMap((chip, i) => (chip.off ? [] : [i]));
    return `filter ${shown[Number(filter[1])] ?? 0}`;
  }
  const group = /^groupBy\[(\d+)\]/.exec(path);
  if (group !== null) {
    const index = Number(group[1]) - (usesField(state.view, "bucket") ? 1 : 0);
    return index < 0 ? "bucket" : `group ${index}`;
  }
  const otherRows = /^compare\.filter\[(\d+)\]/.exec(path);
  if (otherRows !== null) return `compare ${otherRows[1]}`;
  const numbered = /^(aggregate|derive|having)s?\[(\d+)\]/.exec(path);
  if (numbered !== null) return `${numbered[1]} ${numbered[2]}`;
  return /^[A-Za-z]+/.exec(path)?.[0] ?? "";
}

function buildCompare(state: ExploreState, range: TimeRange): Compare | null {
  if (state.compare === null || !usesField(state.view, "compare")) return null;
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
