import {
  type ColumnInfo,
  type EmbedDraft,
  type Filter,
  HadalError,
  type Query,
  resolveTimeRange,
} from "@hadal/sdk";
import { checkEmbedScope } from "@hadal/sdk/checks";
import { buildQuery } from "../../draft/ask/buildQuery.js";
import { tileOfState } from "../../draft/tile/tileOfState.js";
import { columnsOfFilter, sameFilter } from "../../query/filter/filterTree.js";
import type { ExploreState } from "../../query/state/exploreState.js";
import { groupedColumns } from "./groupedColumns.js";
import { readHosts } from "./hosts.js";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Choices of the longest range; a query that is longer is one more. */
export const rangeChoicesMs: readonly number[] = [1, 3, 12].map((hours) => hours * hourMs);
export const longRangesMs: readonly number[] = [1, 7, 30, 90, 365].map((days) => days * dayMs);
export const expiryChoicesMs: readonly number[] = [hourMs / 4, hourMs, 8 * hourMs, dayMs];

/** An embed as the dialog has it. */
export interface EmbedForm {
  readonly title: string;
  readonly views: readonly string[];
  /** Only rows that pass, whatever a visitor asks. */
  readonly filter: readonly Filter[];
  readonly hiddenColumns: readonly string[];
  readonly groupBy: readonly string[];
  readonly rangeMsMax: number;
  /** Origins as they are typed, one a line. */
  readonly hosts: string;
  readonly expiresInMs: number;
}

export interface EmbedFormAt {
  readonly title: string;
  readonly timeZone: string;
  readonly nowMs: number;
  readonly columns: readonly ColumnInfo[];
}

/** Allows what the query shows, and nothing more. */
export function formOfState(state: ExploreState, at: EmbedFormAt): EmbedForm {
  return {
    title: at.title,
    views: [state.view],
    filter: activeFilters(state),
    hiddenColumns: [],
    groupBy: groupedColumns(askedQuery(state, at)),
    rangeMsMax: rangeMsOf(state, at),
    hosts: "",
    expiresInMs: hourMs,
  };
}

/** The state without the filters that the token adds: its query need not name their columns. */
const withoutForced = (state: ExploreState, forced: readonly Filter[]): ExploreState => ({
  ...state,
  filters: activeFilters(state)
    .filter((filter) => !forced.some((one) => sameFilter(one, filter)))
    .map((filter) => ({ filter, off: false })),
});

/** What a visitor sees first. */
export function previewState(state: ExploreState, { filter }: EmbedForm): ExploreState {
  const rest = withoutForced(state, filter);
  return {
    ...rest,
    filters: [...rest.filters, ...filter.map((one) => ({ filter: one, off: false }))],
  };
}

export function draftOfForm(form: EmbedForm, state: ExploreState): EmbedDraft {
  const { hosts, title, ...scope } = form;
  return {
    ...scope,
    title: title.trim(),
    table: state.table,
    frameAncestors: readHosts(hosts),
    query: tileOfState(withoutForced(state, form.filter)).query,
    view: state.view,
  };
}

export type EmbedField = keyof EmbedForm | "query";
export type EmbedFaults = Readonly<Partial<Record<EmbedField, string>>>;

/** What is wrong with the form, by field: the server's own rules, and what its query needs. */
export function faultsOfForm(form: EmbedForm, state: ExploreState): EmbedFaults {
  return { ...faultsOfScope(draftOfForm(form, state)), ...faultsOfQuery(form, state) };
}

function faultsOfScope(draft: EmbedDraft): EmbedFaults {
  try {
    checkEmbedScope(draft);
    return {};
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return faultsOfProblem(error);
  }
}

/** The first fault of each field. */
export function faultsOfProblem({ errors }: HadalError): EmbedFaults {
  const faults: Partial<Record<EmbedField, string>> = {};
  for (const { path = "", detail } of errors) {
    const head = /^\w*/.exec(path)?.[0] ?? "";
    const field = fieldOfPath[head] ?? "query";
    faults[field] ??= detail;
  }
  return faults;
}

const fieldOfPath: Readonly<Record<string, EmbedField>> = {
  ...{ title: "title", views: "views", view: "views", filter: "filter", groupBy: "groupBy" },
  ...{ hiddenColumns: "hiddenColumns", rangeMsMax: "rangeMsMax", frameAncestors: "hosts" },
  expiresInMs: "expiresInMs",
};

/** The chart itself must be within what is allowed. */
function faultsOfQuery(form: EmbedForm, state: ExploreState): EmbedFaults {
  const at = { timeZone: state.timeZone ?? "UTC", nowMs: Date.now(), columns: [] };
  const query = askedQuery(withoutForced(state, form.filter), at);
  const isHidden = (name: string): boolean => form.hiddenColumns.includes(name);
  const read = [...groupedColumns(query), ...columnsOfNumbers(query)].find(isHidden);
  const ungrouped = groupedColumns(query).filter((name) => !form.groupBy.includes(name));
  const isTooLong = rangeMsOf(state, at) > form.rangeMsMax;
  return {
    ...(read !== undefined && {
      hiddenColumns: `The chart shows ${read}: it cannot be hidden.`,
    }),
    ...(ungrouped.length > 0 && {
      groupBy: `The chart is grouped by ${ungrouped.join(", ")}: add ${ungrouped.length === 1 ? "it" : "them"}.`,
    }),
    ...(isTooLong && { rangeMsMax: "The chart's own time range is longer." }),
    ...(!form.views.includes(state.view) && { views: "The chart's own view must be among them." }),
  };
}

function columnsOfNumbers({ filter = [], aggregates = [] }: Query): readonly string[] {
  return [
    ...filter.flatMap(columnsOfFilter),
    ...aggregates.flatMap((one) => ("columns" in one ? one.columns : [one.column ?? ""])),
  ];
}

const activeFilters = ({ filters }: ExploreState): readonly Filter[] =>
  filters.filter(({ off }) => !off).map(({ filter }) => filter);

type AskedAt = Omit<EmbedFormAt, "title">;

/** With the groups that its view adds; a view that must ask first has those of the form. */
function askedQuery(state: ExploreState, at: AskedAt): Query {
  try {
    return buildQuery(state, at).query;
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return tileOfState(state).query;
  }
}

/** The shortest choice that has room for the query's own range; of a range that is longer, its length. */
function rangeMsOf(state: ExploreState, { nowMs, timeZone }: AskedAt): number {
  try {
    const { fromMs, toMs } = resolveTimeRange(state.from, state.to, nowMs, timeZone);
    const choices = [...rangeChoicesMs, ...longRangesMs];
    return choices.find((choice) => choice >= toMs - fromMs) ?? toMs - fromMs;
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return dayMs;
  }
}
