import type { Result } from "@hadal/sdk";
import type { Change } from "../../../format/change.js";
import { alikeBuckets } from "./coverage.js";
import { differencesOf, isUnsure, sumOfDifferences } from "./difference.js";
import type { GroupCell } from "./intent.js";
import { type Interval, intervalAt, intervalOfSum } from "./interval.js";
import { type PartErrors, partErrorsOf } from "./partErrors.js";
import {
  type Amount,
  asAmount,
  asNumber,
  type ChartInput,
  type ChartMeasure,
  groupOf,
  indexOfColumn,
  isCut,
  keyOfGroup,
  labelOfGroup,
  type Series,
  type SeriesSet,
} from "./series.js";

/** One group over the whole range: per measure its number, and side B's. */
export interface GroupTotal {
  readonly key: string;
  readonly group: readonly GroupCell[];
  readonly label: string;
  /** Why no filter selects these rows. */
  readonly noFilter?: string;
  readonly values: readonly Amount[];
  readonly compare: readonly Amount[];
  /** Error bars of the values; null where none can be given. */
  readonly intervals: readonly (Interval | null)[];
  /** Per measure: the difference lies within its error bars. */
  readonly unsure: readonly boolean[];
  /**
   * What differences are of, where one side has no rows of a part of the time: the numbers of the time that both have.
   * Absent: values and compare.
   */
  readonly alike?: Sides;
  /** Per measure: what the number, of a part of the rows, says of all of them; null: it is of all. Absent: all are. */
  readonly bounds?: readonly (Bound | null)[];
}

interface Sides {
  readonly values: readonly Amount[];
  readonly compare: readonly Amount[];
}

/** The two numbers that a difference is of. */
export function sidesOf({ values, compare, alike }: GroupTotal, m: number) {
  const sides = alike ?? { values, compare };
  return { value: sides.values[m] ?? null, base: sides.compare[m] ?? null };
}

/** The number is a lower or an upper bound of that of all rows. */
export type Bound = "least" | "most";

/**
 * Totals of series: from their buckets if these add up, else from the result without buckets. A
 * truncated result lacks the last buckets: the total of the others is a bound, except for sums.
 */
export function totalsOfSeries(
  { series, timesMs }: SeriesSet,
  input: ChartInput,
  asked: readonly GroupTotal[],
): GroupTotal[] {
  const { measures, result } = input;
  const isAlike = input.compared ? alikeBuckets(input, timesMs) : null;
  const byKey = new Map(asked.map((total) => [total.key, total]));
  const cut = isCut(result);
  const partErrors = partErrorsOf(result);
  return series.map((one) => {
    const known = byKey.get(one.key);
    const isAsked = ({ total }: ChartMeasure): boolean =>
      total === null || (cut && (known !== undefined || total === "sum"));
    const totalOf = (lines: Series["values"] | null, whole: readonly Amount[] | undefined) =>
      measures.map((measure, m) =>
        isAsked(measure)
          ? (whole?.[m] ?? null)
          : lines === null
            ? null
            : addUp(lines[m] ?? [], measure.total),
      );
    const alike = isAlike === null ? null : whereAlike(one, isAlike);
    return {
      key: one.key,
      group: one.group,
      label: one.label,
      ...(one.noFilter !== undefined && { noFilter: one.noFilter }),
      values: totalOf(one.values, known?.values),
      compare: totalOf(one.compare, known?.compare),
      ...(alike !== null && {
        alike: {
          values: totalOf(alike.values, known?.values),
          compare: totalOf(alike.compare, known?.compare),
        },
      }),
      intervals: measures.map((measure, m) =>
        known !== undefined || isAsked(measure) || !addsUp(measure)
          ? (known?.intervals[m] ?? null)
          : barOfBuckets(one, m, partErrors),
      ),
      unsure: measures.map((measure, m) =>
        known !== undefined || isAsked(measure)
          ? (known?.unsure[m] ?? false)
          : isUnsureOverBuckets(alike ?? one, measure, m, partErrors),
      ),
      ...(cut && {
        bounds: measures.map((measure) => (isAsked(measure) ? null : boundOf(measure))),
      }),
    };
  });
}

/** A series without the buckets that one side alone has rows of. */
const whereAlike = (series: Series, isAlike: readonly boolean[]): Series => {
  const kept = <T>(line: readonly T[]): (T | null)[] =>
    line.map((one, at) => (isAlike[at] === true ? one : null));
  return {
    ...series,
    values: series.values.map(kept),
    compare: series.compare?.map(kept) ?? null,
    differences: series.differences?.map(kept) ?? null,
  };
};

const addsUp = ({ total }: ChartMeasure): boolean => total === "count" || total === "sum";

function barOfBuckets({ values, intervals }: Series, m: number, partErrors: PartErrors) {
  const bars = intervals[m] ?? [];
  const parts = (values[m] ?? []).map((value, at) => ({
    value: asNumber(value) ?? 0,
    interval: bars[at] ?? null,
  }));
  return intervalOfSum(parts, partErrors);
}

/** Extremes do not add up: unsure, unless every bucket is exact. */
function isUnsureOverBuckets(
  { differences }: Series,
  measure: ChartMeasure,
  m: number,
  partErrors: PartErrors,
): boolean {
  const known = (differences?.[m] ?? []).filter((difference) => difference !== null);
  if (addsUp(measure)) return isUnsure(sumOfDifferences(known, partErrors));
  return known.some(({ error }) => error !== "exact");
}

/** More rows only add to a count, raise a maximum and lower a minimum. */
const boundOf = ({ total }: ChartMeasure): Bound => (total === "min" ? "most" : "least");

/** One total per row of an answer that is not split by time. */
export function totalsOfResult(
  result: Result,
  input: Pick<ChartInput, "groupColumns" | "measures" | "texts">,
): GroupTotal[] {
  const groupIndexes = input.groupColumns.map((name) => indexOfColumn(result, name));
  const columns = input.measures.map((m) => [
    indexOfColumn(result, m.name),
    indexOfColumn(result, `${m.name}.compare`),
  ]);
  const differences = input.measures.map(({ name }) => differencesOf(result, name));
  return result.rows.map((row, at) => {
    const group = groupOf(row, input.groupColumns, groupIndexes, input.texts);
    return {
      key: keyOfGroup(group),
      group,
      label: labelOfGroup(group),
      values: columns.map(([index]) => asAmount(row[index ?? -1])),
      compare: columns.map(([, index]) => asAmount(row[index ?? -1])),
      intervals: input.measures.map(({ name }) => intervalAt(result, name, at)),
      unsure: differences.map((differenceAt) => isUnsure(differenceAt(at))),
    };
  });
}

/** Change against side B in percent of its size. Nothing and still nothing is no change. */
export function changeOf(value: Amount, base: Amount): Change {
  const [now, before] = [asNumber(value), asNumber(base)];
  if (now === null) return before === null ? null : "gone";
  if (before === null) return "new";
  if (before === 0) return now === 0 ? 0 : "new";
  return ((now - before) / Math.abs(before)) * 100;
}

/** The exact difference: integers beyond 2^53 are subtracted as integers. */
export function differenceOf(value: Amount, base: Amount): Amount {
  if (value === null || base === null) return null;
  if (typeof value === "bigint" || typeof base === "bigint") {
    return isWhole(value) && isWhole(base)
      ? BigInt(value) - BigInt(base)
      : Number(value) - Number(base);
  }
  return Number(value) - Number(base);
}

/** Keeps the order that is on the screen while parts arrive: known groups stay, new ones join at the end. */
export function holdOrder<T extends { readonly key: string }>(
  next: readonly T[],
  shownKeys: readonly string[],
): T[] {
  const byKey = new Map(next.map((one) => [one.key, one]));
  const kept = shownKeys.flatMap((key) => byKey.get(key) ?? []);
  const keptKeys = new Set(kept.map((one) => one.key));
  return [...kept, ...next.filter((one) => !keptKeys.has(one.key))];
}

/** The total of parts that are known; null: none is. */
export function addUp(amounts: readonly Amount[], how: ChartMeasure["total"]): Amount {
  const present = amounts.filter((amount) => amount !== null);
  if (present.length === 0) return null;
  if (how !== "min" && how !== "max") return sumOf(present);
  return present.reduce((best, amount) =>
    (how === "min" ? Number(amount) < Number(best) : Number(amount) > Number(best)) ? amount : best,
  );
}

/** Whole numbers are added exactly, however large. */
function sumOf(amounts: readonly (number | bigint | string)[]): Amount {
  if (!amounts.every(isWhole)) return amounts.reduce<number>((sum, a) => sum + Number(a), 0);
  const sum = amounts.reduce<bigint>((total, a) => total + BigInt(a), 0n);
  const number = Number(sum);
  return Number.isSafeInteger(number) ? number : sum;
}

function isWhole(amount: number | bigint | string): boolean {
  if (typeof amount === "number") return Number.isSafeInteger(amount);
  return typeof amount === "bigint" || /^-?\d+$/.test(amount);
}
