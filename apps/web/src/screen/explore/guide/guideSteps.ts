import type { ColumnInfo, Filter } from "@hadal/sdk";
import type { ExploreState, FilterChip } from "../../../query/exploreState.js";

/** The demo table, whose incidents the steps are about. */
const demoTable = "requests";
const neededColumns = ["service", "status", "latency_us", "stack"];
const failed: Filter = { column: "status", op: ">=", value: 500 };
const fine: Filter = { column: "status", op: "<", value: 500 };

/** A step of the guided incident: what to look at, and the question that shows it. */
export interface GuideStep {
  readonly title: string;
  readonly text: string;
  /** Builds on where the reader is: a range that was zoomed into stays. */
  readonly apply: (state: ExploreState) => ExploreState;
}

export const guideSteps: readonly GuideStep[] = [
  {
    title: "See it",
    text: "Every 48 minutes or so one service turns slow and fails. Find the line that rises, and drag over it to zoom in.",
    apply: (state) => ({
      ...state,
      view: "timeseries",
      live: false,
      compare: null,
      filters: [],
      groupBy: ["service"],
      aggregates: [{ fn: "percentile", column: "latency_us", p: 95 }, { fn: "count" }],
    }),
  },
  {
    title: "Compare",
    text: "Dotted is the same time a day ago: the rise was not there. Any view can be compared, with another time or with other rows.",
    apply: (state) => ({ ...state, compare: { offset: "1d", filter: null } }),
  },
  {
    title: "What changed",
    text: "Requests that failed against those that did not, over all columns at once: what they have in common comes first.",
    apply: (state) => ({
      ...state,
      view: "changes",
      filters: withFailed(state.filters),
      compare: { offset: null, filter: [fine] },
    }),
  },
  {
    title: "Where in the code",
    text: "The stacks of the failed requests: the widest frames are where they ended. A click on a frame has more.",
    apply: (state) => ({
      ...state,
      view: "flame",
      filters: withFailed(state.filters),
      compare: null,
    }),
  },
  {
    title: "The rows themselves",
    text: "Unfold one: its message says what went wrong. That is the way from a spike to its cause; it is yours now.",
    apply: (state) => ({
      ...state,
      view: "rows",
      filters: withFailed(state.filters),
      compare: null,
      columns: null,
    }),
  },
];

/** Whether the table is the one that the steps are about. */
export const canGuide = (table: string, columns: readonly ColumnInfo[]): boolean =>
  table === demoTable &&
  neededColumns.every((name) => columns.some((column) => column.name === name));

const withFailed = (filters: readonly FilterChip[]): readonly FilterChip[] =>
  filters.some(({ filter }) => JSON.stringify(filter) === JSON.stringify(failed))
    ? filters
    : [...filters, { filter: failed, off: false }];
