import {
  type ColumnType,
  type ColumnValue,
  type Filter,
  HadalError,
  limitMax,
  type Query,
  type Result,
  resolveTime,
  type TableDetail,
  type TimeText,
  timeColumn,
} from "@hadal/sdk";
import { allTime } from "../../base/row/allTime.js";

export interface ValuesRequest {
  readonly column: string;
  readonly prefix: string;
  readonly from: TimeText | undefined;
  readonly to: TimeText | undefined;
  readonly limit: number;
}

export const valuesLimitDefault = 100;
export const valuesLimitMax = 10_000;
/** Of an int64. */
const magnitudeMax = 2n ** 63n;

type Times = Pick<ValuesRequest, "from" | "to">;

/** Without an end it is now; without a beginning the longest range that may be asked. Left out: every range may. */
export function withinLongest(
  { from, to }: Times,
  longestMs: number | undefined,
  nowMs: number,
): Times {
  if (longestMs === undefined) return { from, to };
  const end = to ?? nowMs;
  return { from: from ?? resolveTime(end, nowMs) - longestMs, to: end };
}

/** The query that counts the values of a column: there is one way to count rows, not two. */
export function valuesQuery(table: TableDetail, request: ValuesRequest): Query {
  const { column, prefix, from, to, limit } = request;
  const { type, decimals } = table.columns.find(({ name }) => name === column) ?? {};
  const isList = type === "set" || type === "vector";
  const isFraction = type === "int" && decimals !== 0;
  return {
    table: table.name,
    from: from ?? allTime.from,
    to: to ?? allTime.to,
    filter: prefix === "" || isFraction || isList ? [] : prefixFilter(column, prefix, type),
    groupBy: [isList ? { element: column } : column],
    aggregates: [{ fn: "count" }],
    orderBy: [{ by: "count", desc: true }],
    // Elements and digits of fractions are compared afterwards: rarer values are not found by their prefix.
    limit: prefix === "" ? limit : isList ? limitMax : isFraction ? valuesLimitMax : limit,
  };
}

/** Filters by prefix before the limit, so that rare values are found. */
function prefixFilter(column: string, prefix: string, type: ColumnType | undefined): Filter[] {
  if (type === "string") return [{ column, op: "~", value: `^${escapePattern(prefix)}` }];
  if (prefix === "-") return [{ column, op: "<", value: 0 }];
  const match = /^(-?)(0|[1-9]\d*)$/.exec(prefix);
  // No integer starts with this: `readValues` finds none.
  if (match === null) return [];
  const any: Filter[] = [];
  const sign = match[1] === "-" ? -1n : 1n;
  const first = BigInt(match[2]!);
  // 12, 120 to 129, 1200 to 1299 …
  for (let power = 1n; first * power <= magnitudeMax; power *= 10n) {
    const ends = [first * power, (first + 1n) * power - 1n].map((end) => sign * end);
    const [low, high] = sign > 0n ? ends : ends.toReversed();
    any.push({
      all: [
        { column, op: ">=", value: String(low) },
        { column, op: "<=", value: String(high) },
      ],
    });
    if (first === 0n) break;
  }
  return [{ any }];
}

/** The values with their counts, most frequent first; a number's prefix is compared on its digits. */
export function readValues(result: Result, prefix: string, limit: number): ColumnValue[] {
  const valueIndex = result.columns.findIndex(({ role }) => role === "group");
  const countIndex = result.columns.findIndex(
    ({ name, role }) => role === "aggregate" && name === "count",
  );
  return result.rows
    .map((row) => {
      const value = row[valueIndex] ?? null;
      return {
        value: typeof value === "bigint" ? value.toString() : (value as string | number | null),
        count: Number(row[countIndex]),
      };
    })
    .filter(({ value }) => prefix === "" || (value !== null && String(value).startsWith(prefix)))
    .slice(0, limit);
}

/** The event time is not a column with values worth listing. */
export function checkValuesColumn(column: string): void {
  if (column !== timeColumn) return;
  throw new HadalError("unsupported", {
    what: "Listing the values of time",
    advice: "Group by a time bucket instead.",
  });
}

/** RE2: a backslash before any punctuation means the character itself. */
function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
