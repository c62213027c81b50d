import type { Result, ResultRow } from "@hadal/sdk";
import { coversOf } from "../kit/answer/coverage.js";
import {
  buildSeries,
  type ChartInput,
  type ChartMeasure,
  countMeasure,
} from "../kit/answer/series.js";
import type { TimeDrawing } from "../kit/time/plot/build.js";
import { resultOf as answerOf, testTheme } from "./answers.js";

export const minute = 60_000;
export const t0 = Date.UTC(2026, 10, 21, 9);
export const p95: ChartMeasure = {
  name: "p95_latency_us",
  label: "p95 latency_us",
  measure: { unit: "us" },
  zeroWhenAbsent: false,
  additive: false,
  total: null,
};
export function resultOf(
  rows: ResultRow[],
  options: { compared?: boolean; final?: boolean } = {},
): Result {
  const { compared = false, final = true } = options;
  const aggregates = [countMeasure, p95].flatMap(({ name }) =>
    compared ? [name, `${name}.compare`] : [name],
  );
  return answerOf(["time", "group service", ...aggregates], rows, {
    completeness: {
      fraction: final ? 1 : 0.5,
      rowsExpected: 10,
      rowsAnswered: final ? 10 : 5,
      leaves: { answered: 1, total: 2, missing: [] },
    },
    asOf: t0 + 4 * minute,
    final,
  });
}

export function inputOf(result: Result, compared = false): ChartInput {
  return {
    result,
    groupColumns: ["service"],
    measures: [countMeasure, p95],
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
  covers: coversOf(input),
  hues: [3, 5],
  stacked: false,
  theme: testTheme,
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
