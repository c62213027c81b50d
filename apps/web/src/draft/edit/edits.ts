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

/** Rows that a reader pointed at: all of these hold, within the times where they have any. */
export interface Selection {
  readonly filters: readonly Filter[];
  readonly range: TimeSpan | null;
  /** The times that were looked at when these were chosen from them. */
  readonly of?: TimeSpan;
}

/** Everything that can happen to the question. Forms and charts ask for these and for nothing else. */
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
  /** The selection on side A, the other rows that match on side B. */
  | { readonly kind: "compare with rest"; readonly selection: Selection }
  /** The selection now and as long ago as this. */
  | {
      readonly kind: "compare with earlier";
      readonly selection: Selection;
      readonly offset: string;
    }
  /** The rows behind a selection: its filters and the raw view in one step. */
  | { readonly kind: "see rows"; readonly selection: Selection }
  /** The rows grouped by the template of a text column. */
  | { readonly kind: "see patterns"; readonly column: string }
  /** What tells the selection from the other rows. */
  | { readonly kind: "what is different"; readonly selection: Selection }
  | { readonly kind: "set order"; readonly order: OrderState | null }
  | { readonly kind: "set limit"; readonly limit: number }
  | { readonly kind: "set series"; readonly series: number }
  /** With the table's columns, what the view needs and the state lacks is filled in. */
  | { readonly kind: "set view"; readonly view: ViewId; readonly columns?: readonly ColumnInfo[] }
  /** null: as the view has it. */
  | { readonly kind: "set option"; readonly name: string; readonly value: string | null }
  | { readonly kind: "set columns"; readonly columns: readonly string[] | null }
  | { readonly kind: "set exact"; readonly exact: boolean };

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
      return { ...state, compare: edit.compare, part: null };
    case "add aggregate":
    case "replace aggregate":
    case "remove aggregate":
    case "move aggregate":
      return withPart(state, "aggregates", changedAggregates(state.aggregates, edit));
    case "set having":
      return { ...state, having: edit.having };
    case "group by":
    case "replace group":
    case "move group":
    case "ungroup":
      return withPart(state, "groupBy", changedGroups(state.groupBy, edit));
    case "set derive":
      return { ...state, derive: edit.derive };
    case "set order":
      return { ...state, order: edit.order };
    case "set limit":
      return { ...state, limit: edit.limit };
    case "set series":
      return { ...state, series: edit.series };
    case "set view":
      if (state.view === edit.view) return state;
      return viewOf(edit.view).fill({ ...state, view: edit.view }, edit.columns ?? []);
    case "set option":
      return { ...state, options: withOption(state.options, edit.name, edit.value) };
    case "set columns":
      return { ...state, columns: edit.columns };
    case "only this":
      return onlyThis(state, edit.selection);
    case "compare with rest": {
      const shown = state.filters.filter((chip) => !chip.off).map((chip) => chip.filter);
      const filter = [...shown, notOf(edit.selection.filters)];
      return { ...onlyThis(state, edit.selection), compare: { offset: null, filter } };
    }
    case "compare with earlier":
      return {
        ...onlyThis(state, edit.selection),
        compare: { offset: edit.offset, filter: null },
      };
    case "see rows":
      return { ...onlyThis(state, edit.selection), view: "rows" };
    case "see patterns":
      return withPatterns(state, edit.column);
    case "what is different":
      return { ...withDifference(state, edit.selection), view: "changes" };
    case "not this":
      return onBothSides(state, (filters) => withoutThese(filters, edit.selection.filters));
    case "set exact":
      return { ...state, exact: edit.exact };
    default:
      return withPart(state, "filters", changedFilters(state.filters, edit));
  }
}

/** Entries, not an assignment: an option may be called __proto__. */
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

/** Live ends now: a range that ended before keeps its length. A part of it would be left behind. */
function startLive(state: ExploreState): ExploreState {
  return { ...state, from: liveFrom(state), to: "now", live: true, part: null };
}

function liveFrom({ from, to }: ExploreState): string {
  // A range since then, or until now already.
  if (to.trim() === "now" || isRelativeTime(from) !== isRelativeTime(to)) return from;
  try {
    // Of two ends of one kind the clock does not change the distance.
    const { fromMs, toMs } = resolveTimeRange(from, to, 0);
    return `-${Math.ceil((toMs - fromMs) / 1000)}s`;
  } catch (error) {
    // Times that cannot be read are marked where they stand.
    if (error instanceof HadalError) return from;
    throw error;
  }
}

type GroupEdit = Extract<Edit, { kind: "group by" | "replace group" | "move group" | "ungroup" }>;

/** Result columns have one name each. */
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
      // Without any aggregate there would be nothing to draw.
      if (aggregates.length === 1) return aggregates;
      return aggregates.filter((_, i) => i !== edit.index);
    case "move aggregate":
      return moved(aggregates, edit.from, edit.to);
  }
}

/** Times alone are held against the rest of the times they were chosen from; rows against the others of their time. */
function withDifference(state: ExploreState, selection: Selection): ExploreState {
  const { filters, range, of } = selection;
  if (range === null || of === undefined || filters.length > 0) {
    return { ...changed(state, { kind: "compare with rest", selection }), part: null };
  }
  // The range may say "now": it stands still, or the part would leave it.
  return { ...changedTime(state, { kind: "zoom", ...of }), part: range };
}

function onlyThis(state: ExploreState, { filters, range }: Selection): ExploreState {
  const within = range === null ? state : changedTime(state, { kind: "zoom", ...range });
  return onBothSides(within, (chips) => filters.reduce(withFilter, chips));
}

/** A side B with filters of its own is narrowed like side A: the other filters keep them apart. */
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
