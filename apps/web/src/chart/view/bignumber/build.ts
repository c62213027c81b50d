import type { Result } from "@hadal/sdk";
import { formatMeasure } from "../../../format/value.js";
import { coversOf, isPartOf, looksOf } from "../../kit/answer/coverage.js";
import { differencesOf, whyUnsure } from "../../kit/answer/difference.js";
import { type Interval, intervalAt } from "../../kit/answer/interval.js";
import {
  type Amount,
  asAmount,
  asNumber,
  buildSeries,
  type ChartInput,
  type ChartMeasure,
  indexOfColumn,
} from "../../kit/answer/series.js";

/** One aggregate of the whole range, and what it is held against. */
export interface BigNumber {
  readonly measure: ChartMeasure;
  readonly value: Amount;
  readonly errorBar: Interval | null;
  /** Side B; undefined when nothing is compared. */
  readonly base: Amount | undefined;
  /** Why the change may be none; null: there is one, or nothing is compared. */
  readonly unsure: string | null;
  /** Over time, and side B's. */
  readonly line: readonly (number | null)[];
  readonly baseLine: readonly (number | null)[] | null;
  readonly normal: Normal | null;
}

/** A number compared with the same time of earlier periods. */
export interface Normal {
  readonly verdict: "higher" | "lower" | "usual";
  readonly low: number;
  readonly high: number;
  /** How many periods there were rows in. */
  readonly periods: number;
  readonly unit: "days" | "weeks";
}

/** Fewer earlier periods are not enough. */
const periodsMin = 3;

export function bigNumbers(
  input: ChartInput,
  extras: Readonly<Record<string, Result>>,
): BigNumber[] {
  const { result, measures, compared } = input;
  const [row] = result.rows;
  const series = extras.overTime === undefined ? null : lineOf(input, extras.overTime);
  return measures.map((measure, m) => {
    const value = asAmount(row?.[indexOfColumn(result, measure.name)]);
    const base = asAmount(row?.[indexOfColumn(result, `${measure.name}.compare`)]);
    return {
      measure,
      value,
      errorBar: intervalAt(result, measure.name, 0),
      base: compared ? base : undefined,
      unsure: compared ? whyUnsure(differencesOf(result, measure.name)(0)) : null,
      line: (series?.values[m] ?? []).map(asNumber),
      baseLine: series?.compare?.[m]?.map(asNumber) ?? null,
      normal: normalOf(asNumber(value), measure, intervalAt(result, measure.name, 0), extras),
    };
  });
}

/** Buckets that are covered in part only would end every line with a fall. */
function lineOf(input: ChartInput, overTime: Result) {
  const { timesMs, series } = buildSeries({ ...input, result: overTime, groupColumns: [] });
  const [first] = series;
  if (first === undefined) return null;
  const covers = coversOf({ ...input, result: overTime });
  const isPart = looksOf(covers, timesMs).map(isPartOf);
  const whole = (lines: readonly (readonly Amount[])[]) =>
    lines.map((line) => line.map((amount, at) => (isPart[at] === true ? null : amount)));
  return {
    values: whole(first.values),
    compare: first.compare === null ? null : whole(first.compare),
  };
}

/** Outside of all it was in earlier periods, by more than its error bar, is not normal. */
function normalOf(
  value: number | null,
  measure: ChartMeasure,
  errorBar: Interval | null,
  extras: Readonly<Record<string, Result>>,
): Normal | null {
  if (value === null) return null;
  const before = Object.entries(extras).flatMap(([name, result]) => {
    if (!name.startsWith("before ")) return [];
    const rows = asNumber(
      asAmount(result.rows[0]?.[indexOfColumn(result, `${measure.name}.compare`)]),
    );
    // A count of 0 then is more likely a time before the first row than a silent one.
    return rows === null || (rows === 0 && measure.zeroWhenAbsent) ? [] : [rows];
  });
  if (before.length < periodsMin) return null;
  const [low, high] = [Math.min(...before), Math.max(...before)];
  const [from, to] = errorBar ?? [value, value];
  const verdict = from > high ? "higher" : to < low ? "lower" : "usual";
  const unit = Object.hasOwn(extras, "before 1w") ? "weeks" : "days";
  return { verdict, low, high, periods: before.length, unit };
}

export function normalText(
  { verdict, low, high, periods, unit }: Normal,
  measure: ChartMeasure,
): string {
  const range =
    low === high
      ? formatMeasure(low, measure.measure)
      : `${formatMeasure(low, measure.measure)} – ${formatMeasure(high, measure.measure)}`;
  const times = `the ${periods} ${unit} before, at this time`;
  if (verdict === "usual") return `Usual: ${range} in ${times}.`;
  return `${verdict === "higher" ? "Higher" : "Lower"} than in ${times}: ${range}.`;
}
