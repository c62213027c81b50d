import { type Difference, sumOfDifferences } from "../../answer/difference.js";
import { type Interval, intervalOfSum } from "../../answer/interval.js";
import { type PartErrors, partErrorsOf } from "../../answer/partErrors.js";
import {
  type Amount,
  asNumber,
  type ChartInput,
  type ChartMeasure,
  type Series,
  type SeriesSet,
} from "../../answer/series.js";

/**
 * Each bucket as the average of itself and the buckets before it, `count` in all; a gap among them
 * is a gap.
 */
export function averagedSet(
  set: SeriesSet,
  { result }: Pick<ChartInput, "result">,
  count: number,
): SeriesSet {
  if (count <= 1) return set;
  const partErrors = partErrorsOf(result);
  const averages = (lines: readonly (readonly Amount[])[]) =>
    lines.map((line) => overWindows(line, count, averageOf));
  const series = set.series.map(
    (one): Series => ({
      ...one,
      values: averages(one.values),
      compare: one.compare === null ? null : averages(one.compare),
      intervals: one.intervals.map((bars, m) =>
        barsOf(bars, one.values[m] ?? [], count, partErrors),
      ),
      differences:
        one.differences?.map((line) =>
          overWindows(line, count, (parts) => differenceOf(parts, partErrors)),
        ) ?? null,
    }),
  );
  return { timesMs: set.timesMs, series };
}

export const averagedMeasure = (measure: ChartMeasure, count: number): ChartMeasure =>
  count <= 1 ? measure : { ...measure, label: `${measure.label}, average of ${count}` };

/**
 * The value of `of` for each window of `count` buckets, at its last one; null if one of them is
 * missing.
 */
export function overWindows<T, U>(
  line: readonly (T | null)[],
  count: number,
  of: (parts: readonly T[]) => U | null,
): (U | null)[] {
  let known = 0;
  return line.map((one, at) => {
    known = one === null ? 0 : known + 1;
    if (known < count) return null;
    return of(line.slice(at - count + 1, at + 1).filter((part) => part !== null));
  });
}

const averageOf = (parts: readonly Exclude<Amount, null>[]): number =>
  parts.reduce<number>((sum, part) => sum + Number(part), 0) / parts.length;

function barsOf(
  bars: readonly (Interval | null)[],
  amounts: readonly Amount[],
  count: number,
  partErrors: PartErrors,
): (Interval | null)[] {
  const parts = bars.map((interval, at) => {
    const value = asNumber(amounts[at] ?? null);
    return value === null ? null : { value, interval };
  });
  return overWindows(parts, count, (window) => {
    const sum = intervalOfSum(window, partErrors);
    return sum === null ? null : [sum[0] / count, sum[1] / count];
  });
}

function differenceOf(parts: readonly Difference[], partErrors: PartErrors): Difference {
  const { value, error, size } = sumOfDifferences(parts, partErrors);
  const share = (sum: number): number => sum / parts.length;
  const own = typeof error === "string" ? error : ([share(error[0]), share(error[1])] as const);
  return { value: share(value), error: own, size: share(size) };
}
