import { aggregateName, isFunctionAggregate, type Query, type Result } from "@hadal/sdk";
import { differencesOf, isUnsure } from "../../kit/answer/difference.js";
import { intervalAt } from "../../kit/answer/interval.js";
import {
  asAmount,
  type ChartInput,
  type ChartMeasure,
  indexOfColumn,
  type Series,
  type SeriesSet,
  timeColumnOf,
  timesOf,
} from "../../kit/answer/series.js";
import type { GroupTotal } from "../../kit/answer/totals.js";

/** One percentile of the question: how it is called, and its result column. */
export interface Percentile {
  readonly label: string;
  readonly name: string;
  readonly p: number;
}

/** Side B of all would be a thicket: of these it is drawn. */
const comparedP = [50, 95];

const percentilesOf = ({ aggregates = [] }: Query): Percentile[] =>
  aggregates.flatMap((spec) =>
    isFunctionAggregate(spec) || spec.p === undefined
      ? []
      : [{ label: `p${spec.p}`, name: aggregateName(spec), p: spec.p }],
  );

/** The column that they are of, as the one measure of the chart. */
export function percentileMeasure(query: Query, result: Result): ChartMeasure {
  const [first] = query.aggregates ?? [];
  const column = first !== undefined && "column" in first ? (first.column ?? "") : "";
  const name = percentilesOf(query)[0]?.name ?? "";
  const unit = result.columns.find((one) => one.name === name)?.unit;
  return {
    ...{ name, label: column, measure: { unit } },
    ...{ zeroWhenAbsent: false, additive: false, total: null },
  };
}

/** A line per percentile, the highest first: each reaches down over those below it. */
export function percentileSeries(input: ChartInput, query: Query): SeriesSet {
  const { result, compared } = input;
  const timesMs = timesOf(input);
  const indexOfTime = new Map(timesMs.map((timeMs, at) => [timeMs, at]));
  const timeIndex = timeColumnOf(result);
  const series = percentilesOf(query).map((one): Series => {
    const line = <T>(valueAt: (row: number) => T | null): (T | null)[] => {
      const values = new Array<T | null>(timesMs.length).fill(null);
      for (const [row, cells] of result.rows.entries()) {
        const at = indexOfTime.get(Number(cells[timeIndex]));
        if (at !== undefined) values[at] = valueAt(row);
      }
      return values;
    };
    const own = indexOfColumn(result, one.name);
    const base = indexOfColumn(result, `${one.name}.compare`);
    const hasBase = compared && comparedP.includes(one.p);
    return {
      key: one.label,
      group: [],
      label: one.label,
      values: [line((row) => asAmount(result.rows[row]?.[own]))],
      compare: hasBase ? [line((row) => asAmount(result.rows[row]?.[base]))] : null,
      intervals: [line((row) => intervalAt(result, one.name, row))],
      differences: hasBase ? [line(differencesOf(result, one.name))] : null,
    };
  });
  return { timesMs, series: series.reverse() };
}

/** The percentiles of the whole range, for the legend; null values until they have come. */
export function percentileTotals(query: Query, totals: Result | undefined): GroupTotal[] {
  return percentilesOf(query)
    .map(({ label, name }): GroupTotal => {
      const [row] = totals?.rows ?? [];
      const value = (column: string) =>
        totals === undefined ? null : asAmount(row?.[indexOfColumn(totals, column)]);
      return {
        key: label,
        group: [],
        label,
        values: [value(name)],
        compare: [value(`${name}.compare`)],
        intervals: [totals === undefined ? null : intervalAt(totals, name, 0)],
        unsure: [totals !== undefined && isUnsure(differencesOf(totals, name)(0))],
      };
    })
    .reverse();
}
