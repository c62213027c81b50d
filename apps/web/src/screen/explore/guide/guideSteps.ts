import type { ColumnInfo, Filter } from "@hadal/sdk";
import type { ExploreState, FilterChip } from "../../../query/state/exploreState.js";
import { among, failed, type Incident } from "./findIncident.js";

/** The demo table, whose incidents the steps are about. */
const demoTable = "requests";
const neededColumns = [
  ...["service", "status", "latency_us", "stack"],
  ...["app_version", "country", "message"],
];
const fine: Filter = { column: "status", op: "<", value: 500 };

/** A step of the guided incident: what to look at, and the question that shows it. */
export interface GuideStep {
  readonly title: string;
  readonly text: string;
  readonly apply: (state: ExploreState) => ExploreState;
}

/** From the spike of this incident to its cause; each step is about its minutes, the first two with those around them. */
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
      text: "Dotted is the same time a day ago: the rise was not there. Any view can be compared, with another time or with other rows.",
      apply: (state) => ({ ...state, ...wide, compare: { offset: "1d", filter: null } }),
    },
    {
      title: "What changed",
      text: `Requests to ${service} that failed against those that did not, over all columns at once: what they have in common comes first. Look for the country, ${country}.`,
      apply: (state) => ({
        ...{ ...state, ...times, filters: chips([ofService, failed]), view: "changes" },
        compare: { offset: null, filter: [ofService, fine] },
      }),
    },
    {
      title: "Where in the code",
      text: "The stacks of the failed requests: the widest frames are where they ended. A click on a frame has more.",
      apply: (state) => ({
        ...{ ...state, ...times, filters: chips([ofService, failed]), view: "flame" },
        compare: null,
      }),
    },
    {
      title: "The cause",
      text: `${Math.round(share * 100)} % of them are version ${version} in ${country}, and say: “${message}”. That is the way from a spike to its cause; it is yours now.`,
      apply: (state) => ({
        ...{ ...state, ...times, filters: chips([...among(incident), failed]), view: "rows" },
        ...{ compare: null, columns: ["message", "endpoint", "status", "latency_us", "device"] },
      }),
    },
  ];
}

/** Beside the minutes of an incident: enough to see that it was calm before. */
const marginMs = 8 * 60_000;

const timesOf = (fromMs: number, toMs: number) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
  ...{ live: false, part: null, having: [], shape: null },
});

/** Whether the table is the one that the steps are about. */
export const canGuide = (table: string, columns: readonly ColumnInfo[]): boolean =>
  table === demoTable &&
  neededColumns.every((name) => columns.some((column) => column.name === name));

const chips = (filters: readonly Filter[]): readonly FilterChip[] =>
  filters.map((filter) => ({ filter, off: false }));
