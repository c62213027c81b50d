import type { Result, ResultRow, ResultValue } from "@hadal/sdk";
import type { Measure } from "../../../format/value.js";
import { type BucketCovers, baseCoversOf, coversOf, isUnknown } from "./coverage.js";
import { type Difference, differencesOf } from "./difference.js";
import type { GroupCell } from "./intent.js";
import { type Interval, intervalAt } from "./interval.js";
import { bucketStarts } from "./timeBuckets.js";

export type Amount = number | bigint | string | null;

/** One aggregate as a chart needs to know it. */
export interface ChartMeasure {
  /** Name of its result column. */
  readonly name: string;
  readonly label: string;
  readonly measure: Measure;
  /** No rows means 0 of it (counts and sums), not "unknown". */
  readonly zeroWhenAbsent: boolean;
  /** Stacking the groups of it means something. */
  readonly additive: boolean;
  /**
   * How the total follows from the buckets; a count is a sum of numbers that are never below 0.
   * null: only the server can compute it.
   */
  readonly total: "count" | "sum" | "min" | "max" | null;
  /** What the reader calls side B of it: `1 week earlier`, `IN`. */
  readonly baseName?: string;
  /** And side A: `now`, `DE`. */
  readonly ownName?: string;
}

/** What side B of a number is called. */
export const baseNameOf = (measure: Pick<ChartMeasure, "baseName"> | undefined): string =>
  measure?.baseName ?? "side B";

export const ownNameOf = (measure: Pick<ChartMeasure, "ownName"> | undefined): string =>
  measure?.ownName ?? "side A";

/** The count of rows, for views that always count. */
export const countMeasure: ChartMeasure = {
  name: "count",
  label: "count",
  measure: {},
  zeroWhenAbsent: true,
  additive: true,
  total: "count",
};

/** For a lower bound in a final result: the share of the rows that answered. Partial results are not marked. */
export function shareOfBound(result: Result, name: string): Pick<Measure, "shareOfRows"> {
  const isLowerBound = result.final && result.lowerBounds?.includes(name) === true;
  return isLowerBound ? { shareOfRows: result.completeness.fraction } : {};
}

/** Texts for the values of columns, by column name. */
export type CellTexts = ReadonlyMap<string, (value: number | bigint) => string>;

/** A result, and what charts need to know about its query. */
export interface ChartInput {
  readonly result: Result;
  readonly groupColumns: readonly string[];
  readonly measures: readonly ChartMeasure[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly bucketMs: number | null;
  readonly compared: boolean;
  /** For columns whose values are not shown as they are. */
  readonly texts?: CellTexts;
  /** The column with the row's message. */
  readonly message?: string | null;
  /** The query is live. */
  readonly live: boolean;
  readonly timeZone: string;
}

export interface Series {
  /** Identifies the group, also across results. */
  readonly key: string;
  readonly group: readonly GroupCell[];
  readonly label: string;
  /** For several groups together: why no filter selects their rows. */
  readonly noFilter?: string;
  /** Per measure, per bucket. */
  readonly values: readonly (readonly Amount[])[];
  /** The same of side B; null when nothing is compared. */
  readonly compare: readonly (readonly Amount[])[] | null;
  /** Error bars of the values, per measure, per bucket. */
  readonly intervals: readonly (readonly (Interval | null)[])[];
  /** Side A less side B, per measure, per bucket; null where neither has rows, and when nothing is compared. */
  readonly differences: readonly (readonly (Difference | null)[])[] | null;
}

export interface SeriesSet {
  readonly timesMs: readonly number[];
  readonly series: readonly Series[];
}

const missingLabel = "(missing)";
const allLabel = "all rows";

/** The rows of an answer over time as one line per group, gaps filled, in the order of first appearance. */
export function buildSeries(input: ChartInput): SeriesSet {
  const { result, measures, groupColumns } = input;
  const timeIndex = timeColumnOf(result);
  const timesMs = knownTimes(input);
  const indexOfTime = new Map(timesMs.map((timeMs, i) => [timeMs, i]));
  const valueIndexes = measures.map((m) => indexOfColumn(result, m.name));
  const compareIndexes = measures.map((m) => indexOfColumn(result, `${m.name}.compare`));
  const groupIndexes = groupColumns.map((name) => indexOfColumn(result, name));
  const differencesIn = measures.map((m) => differencesOf(result, m.name));
  const gaps = gapsOf(timesMs, coversOf(input));
  const baseGaps = gapsOf(timesMs, baseCoversOf(input));
  const made = new Map<string, Draft>();
  for (const [rowIndex, row] of result.rows.entries()) {
    const group = groupOf(row, groupColumns, groupIndexes, input.texts);
    const key = keyOfGroup(group);
    let draft = made.get(key);
    if (draft === undefined) {
      draft = {
        group,
        values: blank(input, timesMs.length, gaps),
        compare: blank(input, timesMs.length, baseGaps),
        intervals: measures.map(() => new Array<Interval | null>(timesMs.length).fill(null)),
        differences: measures.map(() => new Array<Difference | null>(timesMs.length).fill(null)),
      };
      made.set(key, draft);
    }
    const at = indexOfTime.get(Number(row[timeIndex]));
    if (at === undefined) continue;
    put(draft.values, amountsOf(row, valueIndexes, { isGap: gaps.has(at) }), at);
    for (const [m, measure] of measures.entries()) {
      const line = draft.intervals[m];
      if (line !== undefined) line[at] = intervalAt(result, measure.name, rowIndex);
    }
    if (!input.compared) continue;
    put(draft.compare, amountsOf(row, compareIndexes, { isGap: baseGaps.has(at) }), at);
    for (const [m, differenceAt] of differencesIn.entries()) {
      const line = draft.differences[m];
      if (line !== undefined) line[at] = differenceAt(rowIndex);
    }
  }
  const series = [...made].map(([key, draft]) => ({
    key,
    group: draft.group,
    label: labelOfGroup(draft.group),
    values: draft.values,
    compare: input.compared ? draft.compare : null,
    intervals: draft.intervals,
    differences: input.compared ? draft.differences : null,
  }));
  return { timesMs, series };
}

/** Starts of all time buckets of an answer, gaps filled. */
export const timesOf = (input: ChartInput): number[] => bucketStarts(foundTimes(input), input);

function foundTimes({ result }: ChartInput): number[] {
  const timeIndex = timeColumnOf(result);
  const found = new Set<number>();
  for (const row of result.rows) found.add(Number(row[timeIndex]));
  return [...found].sort((a, b) => a - b);
}

/** Whether the answer has too many points for its limit: those of the last times are not in it. */
export const isCut = ({ truncated }: Pick<Result, "truncated">): boolean =>
  (truncated?.groups ?? 0) > 0;

/** An answer of too many rows ends somewhere: from there on nothing is known, which is not nothing. */
function knownTimes(input: ChartInput): number[] {
  if (!isCut(input.result)) return timesOf(input);
  const found = foundTimes(input);
  const toMs = found.pop() ?? input.toMs;
  return bucketStarts(found, { ...input, toMs });
}

export const timeColumnOf = ({ columns }: Pick<Result, "columns">): number =>
  columns.findIndex((column) => column.role === "group" && column.type === "time");

/** The group of a row. */
export function groupOf(
  row: ResultRow,
  columns: readonly string[],
  indexes: readonly number[],
  texts?: CellTexts,
): GroupCell[] {
  return columns.map((column, i) => {
    const value = row[indexes[i] ?? -1] ?? null;
    const textOf = texts?.get(column);
    if (textOf !== undefined && (typeof value === "number" || typeof value === "bigint")) {
      return { column, value, text: textOf(value) };
    }
    // Elements may contain any character: JSON distinguishes lists that look alike.
    if (Array.isArray(value)) {
      const text = labelOfValue(value.join(", "));
      return { column, value: JSON.stringify(value), text, list: value };
    }
    return { column, value: value as GroupCell["value"] };
  });
}

/**
 * Names may contain anything: JSON distinguishes a missing value from the text "null", and a list
 * from the text of one.
 */
export const keyOfGroup = (group: readonly GroupCell[]): string =>
  JSON.stringify(
    group.map(({ value, list }) => list ?? (typeof value === "bigint" ? `${value}n` : value)),
  );

export function labelOfGroup(group: readonly GroupCell[]): string {
  return group.length === 0 ? allLabel : group.map(labelOfCell).join(" · ");
}

export const labelOfCell = ({ value, text }: Pick<GroupCell, "value" | "text">): string =>
  text ?? labelOfValue(value);

export function labelOfValue(value: GroupCell["value"]): string {
  if (value === null) return missingLabel;
  return value === "" ? "(empty)" : String(value);
}

export const indexOfColumn = (result: Result, name: string): number =>
  result.columns.findIndex((column) => column.name === name);

export const asAmount = (value: ResultValue | undefined): Amount =>
  value === undefined || Array.isArray(value) ? null : (value as Amount);

export const asNumber = (amount: Amount): number | null =>
  amount === null ? null : Number(amount);

interface Draft {
  readonly group: readonly GroupCell[];
  readonly values: Amount[][];
  readonly compare: Amount[][];
  readonly intervals: (Interval | null)[][];
  readonly differences: (Difference | null)[][];
}

/** Without rows a count is 0, but where nothing is known. */
function blank(input: ChartInput, count: number, gaps: ReadonlySet<number>): Amount[][] {
  return input.measures.map((m) => {
    const line = new Array<Amount>(count).fill(m.zeroWhenAbsent ? 0 : null);
    for (const at of gaps) line[at] = null;
    return line;
  });
}

/** Numbers of the buckets that nothing is known of. */
function gapsOf(timesMs: readonly number[], covers: BucketCovers): ReadonlySet<number> {
  if (covers.size === 0) return new Set();
  return new Set(timesMs.flatMap((startMs, at) => (isUnknown(covers.get(startMs)) ? [at] : [])));
}

/** A sum without rows is missing in the result: the chart keeps the value that it has there. */
function put(into: Amount[][], amounts: readonly Amount[], at: number): void {
  amounts.forEach((amount, m) => {
    const line = into[m];
    if (line !== undefined && amount !== null) line[at] = amount;
  });
}

/** Where nothing is known, rows of the other side alone make a count 0. */
const amountsOf = (
  row: ResultRow,
  indexes: readonly number[],
  { isGap }: { readonly isGap: boolean },
): Amount[] =>
  indexes.map((index) => {
    const amount = asAmount(row[index]);
    return isGap && Number(amount) === 0 ? null : amount;
  });
