import {
  type AggregateSpec,
  aggregateName,
  type ColumnFilter,
  type Filter,
  isRelativeTime,
} from "@hadal/sdk";
import { orderNames } from "./buildQuery.js";
import type { CompareState, ExploreState, FilterChip, OrderState, View } from "./exploreState.js";
import { filterOfGroup, type GroupValue, notOfGroup, sameFilter } from "./groupFilter.js";

/** Everything that can happen to the question. Forms and charts ask for these and for nothing else. */
export type Edit =
  | { readonly kind: "open"; readonly state: ExploreState }
  | { readonly kind: "set time"; readonly from: string; readonly to: string }
  | { readonly kind: "zoom"; readonly fromMs: number; readonly toMs: number }
  | { readonly kind: "set live"; readonly live: boolean }
  | { readonly kind: "set zone"; readonly timeZone: string | null }
  | { readonly kind: "set compare"; readonly compare: CompareState | null }
  | { readonly kind: "add aggregate"; readonly spec: AggregateSpec }
  | { readonly kind: "replace aggregate"; readonly index: number; readonly spec: AggregateSpec }
  | { readonly kind: "remove aggregate"; readonly index: number }
  | { readonly kind: "group by"; readonly column: string }
  | { readonly kind: "ungroup"; readonly column: string }
  | { readonly kind: "set bucket"; readonly bucket: string | null }
  | { readonly kind: "add filter"; readonly filter: Filter }
  | { readonly kind: "replace filter"; readonly index: number; readonly filter: Filter }
  | { readonly kind: "remove filter"; readonly index: number }
  | { readonly kind: "switch filter"; readonly index: number; readonly off: boolean }
  | { readonly kind: "keep steps"; readonly count: number }
  | { readonly kind: "only this"; readonly group: readonly GroupValue[] }
  | { readonly kind: "not this"; readonly group: readonly GroupValue[] }
  /** The rows behind a group: its filters and the raw view in one step. */
  | { readonly kind: "see rows"; readonly group: readonly GroupValue[] }
  | { readonly kind: "set order"; readonly order: OrderState | null }
  | { readonly kind: "set limit"; readonly limit: number }
  | { readonly kind: "set series"; readonly series: number }
  | { readonly kind: "set view"; readonly view: View }
  | { readonly kind: "set columns"; readonly columns: readonly string[] | null };

/** The state after an edit; the same state when the edit changes nothing. */
export function applyEdit(state: ExploreState, edit: Edit): ExploreState {
  const next = changed(state, edit);
  if (next === state) return state;
  // An order by something that is no longer shown would be refused.
  const orphaned = next.order !== null && !orderNames(next).includes(next.order.by);
  return orphaned ? { ...next, order: null } : next;
}

function changed(state: ExploreState, edit: Edit): ExploreState {
  switch (edit.kind) {
    case "open":
      return edit.state;
    case "set time":
    case "zoom":
    case "set live":
    case "set zone":
    case "set bucket":
      return changedTime(state, edit);
    case "set compare":
      return { ...state, compare: edit.compare };
    case "add aggregate":
    case "replace aggregate":
    case "remove aggregate":
      return { ...state, aggregates: changedAggregates(state.aggregates, edit) };
    case "group by":
      if (state.groupBy.includes(edit.column)) return state;
      return { ...state, groupBy: [...state.groupBy, edit.column] };
    case "ungroup":
      return { ...state, groupBy: state.groupBy.filter((column) => column !== edit.column) };
    case "set order":
      return { ...state, order: edit.order };
    case "set limit":
      return { ...state, limit: edit.limit };
    case "set series":
      return { ...state, series: edit.series };
    case "set view":
      return state.view === edit.view ? state : { ...state, view: edit.view };
    case "set columns":
      return { ...state, columns: edit.columns };
    case "see rows": {
      const filters = edit.group.map(filterOfGroup).reduce(withFilter, state.filters);
      return { ...state, filters, view: "rows" };
    }
    default: {
      const filters = changedFilters(state.filters, edit);
      return filters === state.filters ? state : { ...state, filters };
    }
  }
}

function changedTime(
  state: ExploreState,
  edit: Extract<Edit, { kind: "set time" | "zoom" | "set live" | "set zone" | "set bucket" }>,
): ExploreState {
  switch (edit.kind) {
    case "set time": {
      const live = state.live && isRelativeTime(edit.to);
      return { ...state, from: edit.from.trim(), to: edit.to.trim(), live };
    }
    case "zoom": {
      const [from, to] = [edit.fromMs, edit.toMs].map((ms) => new Date(ms).toISOString());
      return { ...state, from: from ?? state.from, to: to ?? state.to, live: false };
    }
    case "set live":
      return edit.live ? startLive(state) : { ...state, live: false };
    case "set zone":
      return { ...state, timeZone: edit.timeZone };
    case "set bucket":
      return { ...state, bucket: edit.bucket };
  }
}

/** Live ends now: a range that ended before keeps its length. */
function startLive(state: ExploreState): ExploreState {
  if (isRelativeTime(state.to) && isRelativeTime(state.from)) {
    return { ...state, to: "now", live: true };
  }
  const lengthMs = Date.parse(state.to) - Date.parse(state.from);
  const from =
    Number.isFinite(lengthMs) && lengthMs > 0 ? `-${Math.ceil(lengthMs / 1000)}s` : "-3h";
  return { ...state, from, to: "now", live: true };
}

function changedAggregates(
  aggregates: readonly AggregateSpec[],
  edit: Extract<Edit, { kind: "add aggregate" | "replace aggregate" | "remove aggregate" }>,
): readonly AggregateSpec[] {
  const taken = (spec: AggregateSpec, except: number) =>
    aggregates.some((other, i) => i !== except && aggregateName(other) === aggregateName(spec));
  switch (edit.kind) {
    case "add aggregate":
      return taken(edit.spec, -1) ? aggregates : [...aggregates, edit.spec];
    case "replace aggregate":
      if (taken(edit.spec, edit.index)) return aggregates;
      return aggregates.map((spec, i) => (i === edit.index ? edit.spec : spec));
    case "remove aggregate":
      // Without any aggregate there would be nothing to draw.
      if (aggregates.length === 1) return aggregates;
      return aggregates.filter((_, i) => i !== edit.index);
  }
}

type FilterEdit = Extract<
  Edit,
  {
    kind:
      | "add filter"
      | "replace filter"
      | "remove filter"
      | "switch filter"
      | "keep steps"
      | "only this"
      | "not this";
  }
>;

function changedFilters(filters: readonly FilterChip[], edit: FilterEdit): readonly FilterChip[] {
  switch (edit.kind) {
    case "add filter":
      return withFilter(filters, edit.filter);
    case "replace filter":
      return filters.map((chip, i) => (i === edit.index ? { ...chip, filter: edit.filter } : chip));
    case "remove filter":
      return filters.filter((_, i) => i !== edit.index);
    case "switch filter":
      return filters.map((chip, i) => (i === edit.index ? { ...chip, off: edit.off } : chip));
    case "keep steps":
      return edit.count >= filters.length ? filters : filters.slice(0, edit.count);
    case "only this":
      return edit.group.map(filterOfGroup).reduce(withFilter, filters);
    case "not this":
      return withoutGroup(filters, edit.group);
  }
}

function withFilter(filters: readonly FilterChip[], filter: Filter): readonly FilterChip[] {
  const index = filters.findIndex((chip) => sameFilter(chip.filter, filter));
  if (index < 0) return [...filters, { filter, off: false }];
  if (filters[index]?.off !== true) return filters;
  return filters.map((chip, i) => (i === index ? { ...chip, off: false } : chip));
}

/** Values that are excluded one after the other gather in one chip. */
function withoutGroup(
  filters: readonly FilterChip[],
  group: readonly GroupValue[],
): readonly FilterChip[] {
  if (group.length === 0) return filters;
  const added = notOfGroup(group);
  if (!("column" in added) || added.op !== "!=" || added.value === undefined) {
    return withFilter(filters, added);
  }
  const index = filters.findIndex((chip) => !chip.off && excludesFrom(chip.filter, added.column));
  const before = filters[index]?.filter as ColumnFilter | undefined;
  if (before === undefined) return withFilter(filters, added);
  const values = [...new Set([before.value, added.value].flat())].filter((v) => v !== undefined);
  const gathered: Filter =
    values.length === 1 ? before : { column: added.column, op: "not in", value: values };
  return filters.map((chip, i) => (i === index ? { ...chip, filter: gathered } : chip));
}

function excludesFrom(filter: Filter, column: string): boolean {
  return "column" in filter && filter.column === column && ["!=", "not in"].includes(filter.op);
}
