import type { Result, ResultRow } from "@hadal/sdk";
import { hueCount } from "../color.js";
import { buildSeries, type ChartInput, type ChartMeasure } from "../series.js";
import type { ChartTheme } from "../theme.js";
import type { TimeDrawing } from "../timeseries/build.js";

export const minute = 60_000;
export const t0 = Date.UTC(2026, 10, 21, 9);
export const count: ChartMeasure = {
  name: "count",
  label: "count",
  measure: {},
  zeroWhenAbsent: true,
  additive: true,
  total: "sum",
};
export const p95: ChartMeasure = {
  name: "p95_latency_us",
  label: "p95 latency_us",
  measure: { unit: "us" },
  zeroWhenAbsent: false,
  additive: false,
  total: null,
};
export const theme: ChartTheme = {
  ink: "#000",
  quiet: "#666",
  hairline: "#ddd",
  edge: "#c3ccd6",
  ground: "#fff",
  sunken: "#eee",
  accent: "#08f",
  less: "#00f",
  more: "#f80",
  good: "#080",
  warn: "#aa0",
  bad: "#a00",
  series: Array.from({ length: hueCount }, (_, i) => `hue${i}`),
  font: "sans-serif",
  mono: "monospace",
};

export function resultOf(
  rows: ResultRow[],
  options: { compared?: boolean; final?: boolean } = {},
): Result {
  const { compared = false, final = true } = options;
  const aggregates = [count, p95].flatMap(({ name }) =>
    compared ? [name, `${name}.compare`] : [name],
  );
  return {
    columns: [
      { name: "time", type: "time", role: "group" },
      { name: "service", type: "string", role: "group" },
      ...aggregates.map((name) => ({ name, type: "int" as const, role: "aggregate" as const })),
    ],
    rows,
    completeness: {
      fraction: final ? 1 : 0.5,
      rowsExpected: 10,
      rowsAnswered: final ? 10 : 5,
      leaves: { answered: 1, total: 2, missing: [] },
    },
    intervals: {},
    asOf: t0 + 4 * minute,
    final,
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
  };
}

export function inputOf(result: Result, compared = false): ChartInput {
  return {
    result,
    groupColumns: ["service"],
    measures: [count, p95],
    fromMs: t0,
    toMs: t0 + 4 * minute,
    bucketMs: minute,
    compared,
    live: false,
    timeZone: "UTC",
  };
}

export const drawingOf = (input: ChartInput, more: Partial<TimeDrawing> = {}): TimeDrawing => ({
  input,
  set: buildSeries(input),
  hues: [3, 5],
  stacked: false,
  theme,
  width: 800,
  height: 400,
  ceilings: [],
  ...more,
});

export const rows: ResultRow[] = [
  [t0 + minute, "cart", 10, 900],
  [t0 + 3 * minute, "cart", 30, 1100],
  [t0 + minute, null, 2n ** 60n, 5],
];
