import type { Result } from "@hadal/sdk";
import type { Difference } from "../../kit/answer/difference.js";
import { isOfSameLeaves } from "../../kit/answer/sameLeaves.js";
import {
  type Amount,
  asNumber,
  buildSeries,
  type ChartInput,
  type ChartMeasure,
  type SeriesSet,
} from "../../kit/answer/series.js";

/** By which an axis of shares is chosen. */
const nameOfShare = (name: string): string => `${name}.share`;

/** What a share measures. */
export const shareMeasure = (measure: ChartMeasure): ChartMeasure =>
  measure.additive
    ? {
        ...measure,
        name: nameOfShare(measure.name),
        label: `${measure.label}, % of all`,
        measure: { unit: "percent" },
      }
    : measure;

/** What a leaf sent for one of them alone makes no shares of the other. */
export const isWholeOf = (all: Result, { result }: ChartInput): boolean =>
  isOfSameLeaves(all.completeness, result.completeness);

/**
 * The amounts of each bucket in percent of all its rows, so groups without a line are the rest to
 * 100. Numbers that do not add up stay unchanged. A whole that is not above 0 has no shares, and a
 * whole of other leaves gives no series.
 */
export function sharesOfWhole(set: SeriesSet, input: ChartInput, all: Result): SeriesSet {
  if (!isWholeOf(all, input)) return { timesMs: set.timesMs, series: [] };
  const whole = buildSeries({ ...input, result: all, groupColumns: [] });
  const [line] = whole.series;
  const indexOfTime = new Map(whole.timesMs.map((timeMs, i) => [timeMs, i]));
  const sharesIn = (parts: readonly Amount[], wholes: readonly Amount[] | undefined): Amount[] =>
    parts.map((part, i) => {
      const own = asNumber(part);
      const total = asNumber(wholes?.[indexOfTime.get(set.timesMs[i] ?? 0) ?? -1] ?? null);
      if (own === null || total === null) return null;
      return total > 0 && own >= 0 ? (own / total) * 100 : own === 0 ? 0 : null;
    });
  const isShare = (m: number): boolean => input.measures[m]?.additive === true;
  const series = set.series.map((one) => ({
    ...one,
    values: one.values.map((parts, m) => (isShare(m) ? sharesIn(parts, line?.values[m]) : parts)),
    compare:
      one.compare?.map((parts, m) => (isShare(m) ? sharesIn(parts, line?.compare?.[m]) : parts)) ??
      null,
    intervals: one.intervals.map((bars, m) => (isShare(m) ? bars.map(() => null) : bars)),
    differences:
      one.differences?.map((line, m) => (isShare(m) ? line.map(differenceOfShares) : line)) ?? null,
  }));
  return { timesMs: set.timesMs, series };
}

/** A share changes with its whole too: where the part is an estimate, its error is unknown. */
const differenceOfShares = (part: Difference | null): Difference | null =>
  part === null || part.error === "exact" ? part : { ...part, error: "unknown" };
