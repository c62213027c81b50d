import {
  type ColumnInfo,
  type DerivedColumn,
  type Filter,
  HadalError,
  type Having,
  isRelativeTime,
  resolveTimeRange,
} from "@hadal/sdk";
import { viewOf } from "../../chart/view/views.js";
import { notOf } from "../../query/filter/groupFilter.js";
import { type GroupSpec, groupName } from "../../query/group/groupSpec.js";
import type { Aggregate } from "../../query/number/aggregate.js";
import { numberName } from "../../query/number/labels.js";
import type {
  CompareState,
  ExploreState,
  FilterChip,
  OrderState,
  TimeSpan,
  ViewId,
} from "../../query/state/exploreState.js";
import { orderNames } from "../ask/order.js";
import { changedFilters, type FilterEdit, withFilter, withoutThese } from "./filterEdits.js";
import { moved } from "./moved.js";
import { withPatterns } from "./patterns.js";

/** Rows that the user pointed at: they match all of these filters, within the range if there is one. */
export interface Selection {
  readonly filters: readonly Filter[];
  readonly range: TimeSpan | null;
  /** The time range of the chart in which the selection was made. */
  readonly of?: TimeSpan;
}

/** All edits of the state. Forms and charts change it only by these. */
export type Edit =
  | { readonly kind: "open"; readonly state: ExploreState }
  | { readonly kind: "set time"; readonly from: string; readonly to: string }
  | { readonly kind: "zoom"; readonly fromMs: number; readonly toMs: number }
  | { readonly kind: "set live"; readonly live: boolean }
  | { readonly kind: "set zone"; readonly timeZone: string | null }
  | { readonly kind: "set compare"; readonly compare: CompareState | null }
  | { readonly kind: "add aggregate"; readonly spec: Aggregate }
  | { readonly kind: "replace aggregate"; readonly index: number; readonly spec: Aggregate }
  | { readonly kind: "remove aggregate"; readonly index: number }
  | { readonly kind: "move aggregate"; readonly from: number; readonly to: number }
  | { readonly kind: "set having"; readonly having: readonly Having[] }
  | { readonly kind: "group by"; readonly group: GroupSpec }
  | { readonly kind: "replace group"; readonly index: number; readonly group: GroupSpec }
  | { readonly kind: "move group"; readonly from: number; readonly to: number }
  /** By the name of its result column. */
  | { readonly kind: "ungroup"; readonly name: string }
  | { readonly kind: "set derive"; readonly derive: readonly DerivedColumn[] }
  | { readonly kind: "set bucket"; readonly bucket: string | null }
  | FilterEdit
  | { readonly kind: "only this"; readonly selection: Selection }
  | { readonly kind: "not this"; readonly selection: Selection }
  /** Side A: the selection. Side B: the other matching rows. */
  | { readonly kind: "compare with rest"; readonly selection: Selection }
  /** The selection now, and the same shifted into the past by `offset`. */
  | {
      readonly kind: "compare with earlier";
      readonly selection: Selection;
      readonly offset: string;
    }
  /** The selection's filters and the view of raw rows in one step. */
  | { readonly kind: "see rows"; readonly selection: Selection }
  /** The rows grouped by the template of a text column. */
  | { readonly kind: "see patterns"; readonly column: string }
  /** Columns in which the selection differs from the other rows. */
  | { readonly kind: "what is different"; readonly selection: Selection }
  | { readonly kind: "set order"; readonly order: OrderState | null }
  | { readonly kind: "set limit"; readonly limit: number }
  | { readonly kind: "set series"; readonly series: number }
  /** With the table's columns, settings that the view needs are filled in. */
  | { readonly kind: "set view"; readonly view: ViewId; readonly columns?: readonly ColumnInfo[] }
  /** null: the view's default. */
  | { readonly kind: "set option"; readonly name: string; readonly value: string | null }
  | { readonly kind: "set columns"; readonly columns: readonly string[] | null }
  | { readonly kind: "set exact"; readonly exact: boolean };

/** The state after an edit; the same state when the edit changes nothing. */
export function applyEdit(state: ExploreState, edit: Edit): ExploreState {
  const next = changed(state, edit);
  if (next === state) return state;
  // The server would refuse an order by a column that is no longer shown.
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
    case "add aggregate":
    case "replace aggregate":
    case "remove aggregate":
    case "move aggregate":
      return withPart(state, "aggregates", changedAggregates(state.aggregates, edit));
    case "group by":
    case "replace group":
    case "move group":
    case "ungroup":
      return withPart(state, "groupBy", changedGroups(state.groupBy, edit));
    case "set view":
      if (state.view === edit.view) return state;
      return viewOf(edit.view).fill({ ...state, view: edit.view }, edit.columns ?? []);
    case "see patterns":
      return withPatterns(state, edit.column);
    case "set compare":
    case "set having":
    case "set derive":
    case "set order":
    case "set limit":
    case "set series":
    case "set option":
    case "set columns":
    case "set exact":
      return changedSetting(state, edit);
    case "only this":
    case "not this":
    case "compare with rest":
    case "compare with earlier":
    case "see rows":
    case "what is different":
      return changedBySelection(state, edit);
    default:
      return withPart(state, "filters", changedFilters(state.filters, edit));
  }
}

type SettingEdit = Extract<
  Edit,
  {
    kind:
      | "set compare"
      | "set having"
      | "set derive"
      | "set order"
      | "set limit"
      | "set series"
      | "set option"
      | "set columns"
      | "set exact";
  }
>;

/** Edits that replace one property of the state. */
function changedSetting(state: ExploreState, edit: SettingEdit): ExploreState {
  switch (edit.kind) {
    case "set compare":
      return { ...state, compare: edit.compare, part: null };
    case "set having":
      return { ...state, having: edit.having };
    case "set derive":
      return { ...state, derive: edit.derive };
    case "set order":
      return { ...state, order: edit.order };
    case "set limit":
      return { ...state, limit: edit.limit };
    case "set series":
      return { ...state, series: edit.series };
    case "set option":
      return { ...state, options: withOption(state.options, edit.name, edit.value) };
    case "set columns":
      return { ...state, columns: edit.columns };
    case "set exact":
      return { ...state, exact: edit.exact };
  }
}

/** Edits that start from rows or times which the user has pointed at. */
function changedBySelection(
  state: ExploreState,
  edit: Extract<Edit, { readonly selection: Selection }>,
): ExploreState {
  const { selection } = edit;
  switch (edit.kind) {
    case "only this":
      return onlyThis(state, selection);
    case "not this":
      return onBothSides(state, (filters) => withoutThese(filters, selection.filters));
    case "compare with rest":
      return compareWithRest(state, selection);
    case "compare with earlier":
      return { ...onlyThis(state, selection), compare: { offset: edit.offset, filter: null } };
    case "see rows":
      return { ...onlyThis(state, selection), view: "rows" };
    case "what is different":
      return { ...withDifference(state, selection), view: "changes" };
  }
}

function compareWithRest(state: ExploreState, selection: Selection): ExploreState {
  const shown = state.filters.filter((chip) => !chip.off).map((chip) => chip.filter);
  const filter = [...shown, notOf(selection.filters)];
  return { ...onlyThis(state, selection), compare: { offset: null, filter } };
}

/** By entries, not by assignment: an option may be named __proto__. */
function withOption(
  options: ExploreState["options"],
  name: string,
  value: string | null,
): ExploreState["options"] {
  const others = Object.entries(options).filter(([one]) => one !== name);
  return Object.fromEntries(value === null ? others : [...others, [name, value]]);
}

/** The same state when the part is the same. */
function withPart<K extends "filters" | "groupBy" | "aggregates">(
  state: ExploreState,
  key: K,
  part: ExploreState[K],
): ExploreState {
  return part === state[key] ? state : { ...state, [key]: part };
}

function changedTime(
  state: ExploreState,
  edit: Extract<Edit, { kind: "set time" | "zoom" | "set live" | "set zone" | "set bucket" }>,
): ExploreState {
  switch (edit.kind) {
    case "set time": {
      const live = state.live && isRelativeTime(edit.to);
      return { ...state, from: edit.from.trim(), to: edit.to.trim(), live, part: null };
    }
    case "zoom": {
      const [from, to] = [edit.fromMs, edit.toMs].map((ms) => new Date(ms).toISOString());
      return { ...state, from: from ?? state.from, to: to ?? state.to, live: false, part: null };
    }
    case "set live":
      return edit.live ? startLive(state) : { ...state, live: false };
    case "set zone":
      return { ...state, timeZone: edit.timeZone };
    case "set bucket":
      return { ...state, bucket: edit.bucket };
  }
}

/** A live range ends now: an absolute range keeps its length, and the selected part is cleared. */
function startLive(state: ExploreState): ExploreState {
  return { ...state, from: liveFrom(state), to: "now", live: true, part: null };
}

function liveFrom({ from, to }: ExploreState): string {
  // The range ends now already, or mixes relative and absolute ends.
  if (to.trim() === "now" || isRelativeTime(from) !== isRelativeTime(to)) return from;
  try {
    // Both ends are relative, or both absolute: any clock gives the same distance.
    const { fromMs, toMs } = resolveTimeRange(from, to, 0);
    return `-${Math.ceil((toMs - fromMs) / 1000)}s`;
  } catch (error) {
    // The time fields mark times that cannot be parsed.
    if (error instanceof HadalError) return from;
    throw error;
  }
}

type GroupEdit = Extract<Edit, { kind: "group by" | "replace group" | "move group" | "ungroup" }>;

/** Each result column needs its own name. */
function changedGroups(groups: readonly GroupSpec[], edit: GroupEdit): readonly GroupSpec[] {
  const taken = (spec: GroupSpec, except: number) =>
    groups.some((other, i) => i !== except && groupName(other) === groupName(spec));
  switch (edit.kind) {
    case "group by":
      return taken(edit.group, -1) ? groups : [...groups, edit.group];
    case "replace group":
      if (taken(edit.group, edit.index)) return groups;
      return groups.map((spec, i) => (i === edit.index ? edit.group : spec));
    case "move group":
      return moved(groups, edit.from, edit.to);
    case "ungroup":
      return groups.filter((spec) => groupName(spec) !== edit.name);
  }
}

function changedAggregates(
  aggregates: readonly Aggregate[],
  edit: Extract<
    Edit,
    { kind: "add aggregate" | "replace aggregate" | "remove aggregate" | "move aggregate" }
  >,
): readonly Aggregate[] {
  const taken = (spec: Aggregate, except: number) =>
    aggregates.some((other, i) => i !== except && numberName(other) === numberName(spec));
  switch (edit.kind) {
    case "add aggregate":
      return taken(edit.spec, -1) ? aggregates : [...aggregates, edit.spec];
    case "replace aggregate":
      if (taken(edit.spec, edit.index)) return aggregates;
      return aggregates.map((spec, i) => (i === edit.index ? edit.spec : spec));
    case "remove aggregate":
      // A query without an aggregate has nothing to draw.
      if (aggregates.length === 1) return aggregates;
      return aggregates.filter((_, i) => i !== edit.index);
    case "move aggregate":
      return moved(aggregates, edit.from, edit.to);
  }
}

/** A selection of times is compared with the rest of its range; a selection of rows with the other rows. */
function withDifference(state: ExploreState, selection: Selection): ExploreState {
  const { filters, range, of } = selection;
  if (range === null || of === undefined || filters.length > 0) {
    return { ...compareWithRest(state, selection), part: null };
  }
  // A range that ends at "now" is fixed, or the part would move out of it.
  return { ...changedTime(state, { kind: "zoom", ...of }), part: range };
}

function onlyThis(state: ExploreState, { filters, range }: Selection): ExploreState {
  const within = range === null ? state : changedTime(state, { kind: "zoom", ...range });
  return onBothSides(within, (chips) => filters.reduce(withFilter, chips));
}

/** Side B, if it has filters, is narrowed like side A; their other filters still differ. */
function onBothSides(
  state: ExploreState,
  narrow: (filters: readonly FilterChip[]) => readonly FilterChip[],
): ExploreState {
  const next = withPart(state, "filters", narrow(state.filters));
  const { compare } = next;
  if (compare === null || compare.filter === null) return next;
  const others = compare.filter.map((filter) => ({ filter, off: false }));
  const narrowed = narrow(others);
  if (narrowed === others) return next;
  return { ...next, compare: { ...compare, filter: narrowed.map(({ filter }) => filter) } };
}
