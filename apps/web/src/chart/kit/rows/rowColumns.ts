import {
  bigintAsText,
  type HistogramBucket,
  type Result,
  type ResultColumn,
  type ResultRow,
  type ResultValue,
} from "@hadal/sdk";
import { formatExact } from "../../../format/number.js";
import { formatInstant, formatIso } from "../../../format/time.js";
import type { Mark } from "../answer/intent.js";
import { groupOf } from "../answer/series.js";
import { isLevelColumn } from "./valueTone.js";

/** Number of rows that determine a column's width. */
const measuredRows = 60;
const charPx = 7.2;

export interface ShownColumn {
  readonly index: number;
  readonly column: ResultColumn;
  readonly widthPx: number;
  /** The column takes the remaining width. */
  readonly grows?: true;
}

export const isTimeColumn = (column: ResultColumn): boolean =>
  column.type === "time" || column.name === "time";

/** Time first, then the result's order; widths follow the values within bounds. */
export function shownColumns(result: Result, timeZone: string): ShownColumn[] {
  const shown = result.columns.map((column, index) => ({
    index,
    column,
    widthPx: widthOf(column, index, result.rows, timeZone),
  }));
  return [
    ...shown.filter(({ column }) => isTimeColumn(column)),
    ...shown.filter(({ column }) => !isTimeColumn(column)),
  ];
}

/** Messages may be wider than other columns. */
const messageWidthPx = { min: 200, max: 640 };

/** Moves the message after the time, as wide as its longest line within bounds; a chosen order is kept. */
export function withMessageFirst(
  shown: readonly ShownColumn[],
  rows: readonly ResultRow[],
  { name, isChosen }: { readonly name: string | null; readonly isChosen: boolean },
): readonly ShownColumn[] {
  const message = shown.find(({ column }) => column.name === name);
  if (message === undefined) return shown;
  const { min, max } = messageWidthPx;
  const longest = longestText(message.column, message.index, rows, "UTC");
  const wide: ShownColumn = {
    ...message,
    widthPx: Math.round(Math.min(max, Math.max(min, longest * charPx + 20))),
    grows: true,
  };
  if (isChosen) return shown.map((one) => (one === message ? wide : one));
  const rest = shown.filter((one) => one !== message);
  const times = rest.filter(({ column }) => isTimeColumn(column));
  return [...times, wide, ...rest.filter(({ column }) => !isTimeColumn(column))];
}

/** Number of rows that decide whether a column differs. */
const comparedRows = 500;

/** Columns whose values differ between rows, and those that a log line always has; all columns if none differs. */
export function differingColumns(
  shown: readonly ShownColumn[],
  rows: readonly ResultRow[],
): readonly ShownColumn[] {
  const compared = rows.slice(0, comparedRows);
  const differs = ({ index }: ShownColumn): boolean => {
    const first = String(compared[0]?.[index] ?? null);
    return compared.some((row) => String(row[index] ?? null) !== first);
  };
  const differing = shown.filter((one) => !isTimeColumn(one.column) && differs(one));
  if (differing.length === 0) return shown;
  const isOfLine = ({ column, grows }: ShownColumn): boolean =>
    isTimeColumn(column) || grows === true || isLevelColumn(column);
  return shown.filter((one) => isOfLine(one) || differing.includes(one));
}

/** A stable key per row, also when newer rows come before it: its time, and its index among rows of that time. */
export function rowKeys(rows: readonly ResultRow[], timeIndex: number): readonly string[] {
  let [before, place] = ["", 0];
  return rows.map((row) => {
    const time = String(row[timeIndex] ?? "");
    place = time === before ? place + 1 : 0;
    before = time;
    return `${time} ${place}`;
  });
}

/** One cell in one line of text. */
export function cellText(value: ResultValue, column: ResultColumn, timeZone: string): string {
  if (value === null) return "–";
  if (isTimeColumn(column)) return formatInstant(Number(value), timeZone);
  if (isTexts(value)) return value.join(column.type === "vector" ? " › " : ", ");
  if (typeof value === "object") return bucketTexts(value).join(" · ");
  return column.type === "string" ? String(value) : formatExact(value);
}

/** The full value, for copying and tooltips. */
export function exactText(value: ResultValue, column: ResultColumn): string {
  if (value === null) return "";
  if (isTimeColumn(column)) return formatIso(Number(value));
  if (isTexts(value)) return value.join("\n");
  return typeof value === "object" ? bucketTexts(value).join("\n") : String(value);
}

/** An empty list has no texts and no buckets: it is shown as an empty set or vector. */
export const isTexts = (value: ResultValue): value is readonly string[] =>
  Array.isArray(value) && !Array.isArray(value[0]);

/** `[64, 72) 5`: how many from the first value up to, but not with, the second. */
const bucketTexts = (buckets: readonly HistogramBucket[]): string[] =>
  buckets.map(([low, high, count]) => `[${low}, ${high}) ${count}`);

function widthOf(
  column: ResultColumn,
  index: number,
  rows: readonly ResultRow[],
  timeZone: string,
): number {
  const longest = longestText(column, index, rows, timeZone);
  return Math.round(Math.min(300, Math.max(56, longest * charPx + 20)));
}

function longestText(
  column: ResultColumn,
  index: number,
  rows: readonly ResultRow[],
  timeZone: string,
): number {
  let longest = column.name.length;
  for (const row of rows.slice(0, measuredRows)) {
    longest = Math.max(longest, cellText(row[index] ?? null, column, timeZone).length);
  }
  return longest;
}

/** The row as JSON: times as ISO-8601, integers beyond 2^53 as their digits. */
export function rowJson(columns: readonly ShownColumn[], row: ResultRow): string {
  const pairs = columns.map(({ column, index }) => {
    const value = row[index] ?? null;
    if (value !== null && isTimeColumn(column)) return [column.name, formatIso(Number(value))];
    return [column.name, value];
  });
  return JSON.stringify(Object.fromEntries(pairs), bigintAsText, 2);
}

/** The filter of a cell and its text for copying. Times are zoomed into, not filtered; histograms have no filter. */
export function markOf(value: ResultValue, column: ResultColumn): Pick<Mark, "group" | "text"> {
  const isPlain = value === null || typeof value !== "object" || isTexts(value);
  const group = isPlain && !isTimeColumn(column) ? groupOf([value], [column.name], [0]) : [];
  return { group, text: exactText(value, column) };
}
