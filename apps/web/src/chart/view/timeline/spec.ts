import { type ColumnInfo, timeColumn } from "@hadal/sdk";
import { soundsLikeId } from "../../../query/group/idColumns.js";
import { groupFilterColumns } from "../../spec/keyFilter.js";
import type { ViewOption, ViewSpec } from "../../spec/viewSpec.js";

/** More bars than this are no story. */
const timelineRowsMax = 1_000;
const keysMax = 12;

const durationUnits = ["ns", "us", "ms", "s"];

const named = (columns: readonly ColumnInfo[]) =>
  columns.map(({ name }) => ({ value: name, label: name }));

const strings = (columns: readonly ColumnInfo[]) => columns.filter(({ type }) => type === "string");

const option = (
  name: string,
  label: string,
  choices: (columns: readonly ColumnInfo[]) => { value: string; label: string }[],
): ViewOption => ({ name, label, choices: (_, columns) => choices(columns) });

/** Candidate key columns: ids by name first, then all others. */
function keyColumns(columns: readonly ColumnInfo[]): ColumnInfo[] {
  const keys = columns.filter(
    ({ name, type, unit }) =>
      name !== timeColumn && (type === "string" || type === "int") && unit === undefined,
  );
  const rank = ({ name }: ColumnInfo): number => (soundsLikeId(name) ? 0 : 1);
  return keys.sort((a, b) => rank(a) - rank(b));
}

/** Columns of durations, for the widths of the rows. */
const durations = (columns: readonly ColumnInfo[]) =>
  columns.filter(
    ({ type, unit }) => type === "int" && unit !== undefined && durationUnits.includes(unit),
  );

export const timeline: ViewSpec = {
  id: "timeline",
  name: "Timeline",
  group: "over time",
  answers: "What happened in what order, for one id?",
  load: async () => (await import("./TimelineView.js")).TimelineView,
  fields: [],
  options: [
    option("key", "Of one", (columns) => named(keyColumns(columns))),
    option("lane", "Lanes", (columns) => [
      ...named(strings(columns)),
      { value: "", label: "one lane" },
    ]),
    option("length", "Length", (columns) => [
      ...named(durations(columns)),
      { value: "", label: "points" },
    ]),
    option("at", "Time is the", () => [
      { value: "start", label: "start" },
      { value: "end", label: "end" },
    ]),
    option("color", "Colour", (columns) => [
      ...named(strings(columns)),
      { value: "", label: "one colour" },
    ]),
  ],
  needsColumns: true,
  lacks: () => null,
  fill: (state) => state,
  orderNames: () => ["time"],
  build: (state, { base, option: chosen }) => {
    const key = chosen("key");
    const wanted = [timeColumn, key, chosen("lane"), chosen("length"), chosen("color")];
    const columns = [...new Set(wanted)].filter((name) => name !== "");
    const query = {
      ...base,
      sampleView: { columns },
      orderBy: [{ by: timeColumn }],
      limit: timelineRowsMax,
    };
    // One key is chosen already: its rows are the story, however many.
    if (key === "" || groupFilterColumns(state).includes(key)) return { query };
    const keys = {
      ...base,
      groupBy: [key],
      aggregates: [{ fn: "count.raw" as const }],
      orderBy: [{ by: "count.raw", desc: true }],
      limit: keysMax,
    };
    return { query, extras: { keys } };
  },
};
