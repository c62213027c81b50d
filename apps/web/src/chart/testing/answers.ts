import type { Query, Result, ResultColumn, ResultRow } from "@hadal/sdk";
import { type ChartInput, countMeasure } from "../kit/answer/series.js";
import { otherHue } from "../kit/paint/color.js";
import type { ChartTheme } from "../kit/paint/theme.js";

/** Answers and pages as tests of charts need them. */
export const testTheme: ChartTheme = {
  ink: "#101010",
  quiet: "#606060",
  hairline: "#dddddd",
  edge: "#c3ccd6",
  ground: "#ffffff",
  sunken: "#eeeeee",
  accent: "#0088ff",
  less: "#0000ff",
  more: "#ff8800",
  good: "#008800",
  warn: "#aaaa00",
  bad: "#aa0000",
  series: Array.from({ length: otherHue + 1 }, (_, i) => `hue${i}`),
  font: "sans-serif",
  mono: "monospace",
};

/** The columns as text: `time`, `group service`, `count`, `count.compare`; a number group as `bin latency_us`. */
export function resultOf(
  columns: readonly string[],
  rows: readonly ResultRow[],
  more: Partial<Result> = {},
): Result {
  return {
    columns: columns.map(columnOf),
    rows,
    completeness: {
      fraction: 1,
      rowsExpected: 1,
      rowsAnswered: 1,
      leaves: { answered: 1, total: 1, missing: [] },
    },
    intervals: {},
    asOf: 0,
    final: true,
    truncated: null,
    stats: {
      rowsScanned: 0,
      rowsMatched: 0,
      bytesScanned: 0,
      segments: 0,
      segmentsSkipped: 0,
      cache: "miss",
      elapsedMs: 0,
      scanMs: 0,
      mergeMs: 0,
    },
    ...more,
  };
}

export const inputOf = (result: Result, more: Partial<ChartInput> = {}): ChartInput => ({
  result,
  groupColumns: result.columns
    .filter(({ role, type }) => role === "group" && type !== "time")
    .map(({ name }) => name),
  measures: [countMeasure],
  fromMs: 0,
  toMs: 240_000,
  bucketMs: 60_000,
  live: false,
  compared: result.columns.some(({ name }) => name.endsWith(".compare")),
  timeZone: "UTC",
  ...more,
});

export const queryOf = (groupBy: NonNullable<Query["groupBy"]>): Query => ({
  table: "requests",
  from: 0,
  to: 240_000,
  groupBy,
});

function columnOf(text: string): ResultColumn {
  if (text === "time") return { name: "time", type: "time", role: "group" };
  const [kind, name = text] = text.split(" ");
  if (kind === "group") return { name, type: "string", role: "group" };
  const unit = name.endsWith("_us") ? { unit: "us" } : {};
  if (kind === "bin") return { name: `bin of ${name}`, type: "int", role: "group", ...unit };
  return { name: text, type: "int", role: "aggregate", ...unit };
}
