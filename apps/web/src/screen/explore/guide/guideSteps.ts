import type { ColumnInfo, Filter } from "@hadal/sdk";
import type { ExploreState, FilterChip } from "../../../query/state/exploreState.js";
import { causeFilters, failed, type Incident } from "./findIncident.js";

/** The demo table that contains the incidents. */
const demoTable = "requests";
const neededColumns = [
  ...["service", "status", "latency_us", "stack"],
  ...["app_version", "country", "message"],
];
const succeeded: Filter = { column: "status", op: "<", value: 500 };

/** A step of the guided incident: its text, and the query that shows it. */
export interface GuideStep {
  readonly title: string;
  readonly text: string;
  readonly apply: (state: ExploreState) => ExploreState;
}

/** From the spike of the incident to its cause. The first two steps show the time around it. */
export function guideSteps(incident: Incident): readonly GuideStep[] {
  const { service, version, country, share, message, fromMs, toMs } = incident;
  const wide = timesOf(fromMs - marginMs, toMs + marginMs);
  const times = timesOf(fromMs, toMs);
  const ofService: Filter = { column: "service", op: "=", value: service };
  return [
    {
      title: "See it",
      text: `The newest incident, as failed requests by service: the line of ${service} rises for some minutes.`,
      apply: (state) => ({
        ...{ ...state, ...wide, filters: chips([failed]), compare: null },
        ...{ view: "timeseries", groupBy: ["service"], aggregates: [{ fn: "count" }], order: null },
      }),
    },
    {
      title: "Compare",
      text: "The dotted lines are the same hours a day ago, without the rise. Every view can be compared with another time or with other rows.",
      apply: (state) => ({ ...state, ...wide, compare: { offset: "1d", filter: null } }),
    },
    {
      title: "What changed",
      text: `Failed requests to ${service} compared with successful ones, over all columns: what the failures share comes first. Look for the country, ${country}.`,
      apply: (state) => ({
        ...{ ...state, ...times, filters: chips([ofService, failed]), view: "changes" },
        compare: { offset: null, filter: [ofService, succeeded] },
      }),
    },
    {
      title: "Where in the code",
      text: "The stacks of the failed requests: the widest frames are the most frequent. Click a frame for its menu.",
      apply: (state) => ({
        ...{ ...state, ...times, filters: chips([ofService, failed]), view: "flame" },
        compare: null,
      }),
    },
    {
      title: "The cause",
      text: `${Math.round(share * 100)} % of them are version ${version} in ${country}, with the message “${message}”. This is how to get from a spike to its cause.`,
      apply: (state) => ({
        ...{
          ...state,
          ...times,
          filters: chips([...causeFilters(incident), failed]),
          view: "rows",
        },
        ...{ compare: null, columns: ["message", "endpoint", "status", "latency_us", "device"] },
      }),
    },
  ];
}

/** Time shown before and after an incident, to show the usual level. */
const marginMs = 8 * 60_000;

const timesOf = (fromMs: number, toMs: number) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
  ...{ live: false, part: null, having: [], shape: null },
});

/** Whether the table is the demo table and has the columns of the steps. */
export const canGuide = (table: string, columns: readonly ColumnInfo[]): boolean =>
  table === demoTable &&
  neededColumns.every((name) => columns.some((column) => column.name === name));

const chips = (filters: readonly Filter[]): readonly FilterChip[] =>
  filters.map((filter) => ({ filter, off: false }));
