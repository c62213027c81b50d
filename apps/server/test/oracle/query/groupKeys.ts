import { type GroupBy, type NumberBucket, timeColumn } from "@hadal/sdk";
import type { OracleRow, OracleTable, OracleValue } from "../table/oracleTable.js";
import { cellOf, columnOf, parseScaled } from "../table/oracleTable.js";

/** Name of the result column of a group. */
export function groupName(by: GroupBy): string {
  return typeof by !== "string" && by.as !== undefined ? by.as : columnOfGroup(by);
}

/** Name of the column whose values a group has. */
export function columnOfGroup(by: GroupBy): string {
  if (typeof by === "string") return by;
  if ("time" in by) return timeColumn;
  if ("column" in by) return by.column;
  return "bucket" in by ? by.bucket : by.element;
}

/** The keys of a row in a group that is not one by time: one, or with elements any number. Whole lists are their JSON text. */
export function keysOf(
  table: OracleTable,
  by: Exclude<GroupBy, { time: string }>,
  row: OracleRow,
): readonly OracleValue[] {
  const value = cellOf(row, columnOfGroup(by));
  if (value === undefined) return [null];
  if (typeof by === "string" || "column" in by)
    return [Array.isArray(value) ? JSON.stringify(value) : value];
  if ("element" in by) return [...new Set(value as readonly string[])];
  return [lowerBound(table, by, value as bigint)];
}

function lowerBound(table: OracleTable, by: NumberBucket, value: bigint): bigint {
  const step = bucketStep(table, by);
  if (step !== null) {
    const bound = value - (((value % step) + step) % step);
    return bound < smallest ? smallest : bound;
  }
  return boundsOf(table, by).findLast((bound) => bound <= value) ?? smallest;
}

const known = new WeakMap<NumberBucket, readonly bigint[]>();

function boundsOf(table: OracleTable, by: NumberBucket): readonly bigint[] {
  const bounds = known.get(by) ?? bucketBounds(table, by);
  known.set(by, bounds);
  return bounds;
}

export const smallest = -(2n ** 63n);

/** Width of even buckets in units of the column's last digit; null when they have edges. */
export function bucketStep(table: OracleTable, by: NumberBucket): bigint | null {
  const { decimals } = columnOf(table, by.bucket);
  return by.width === undefined ? null : parseScaled(String(by.width), decimals);
}

/** Ascending lower bounds but the lowest: given, or 1, 2, 5, 10, 20, 50 … to either side of 0. */
export function bucketBounds(table: OracleTable, by: NumberBucket): readonly bigint[] {
  const { decimals } = columnOf(table, by.bucket);
  if (by.edges !== undefined) return by.edges.map((edge) => parseScaled(String(edge), decimals));
  const ups: bigint[] = [];
  for (let power = 0n; power < 19n; power++) {
    ups.push(10n ** power, 2n * 10n ** power, 5n * 10n ** power);
  }
  return [...ups.map((up) => -up).reverse(), 0n, ...ups];
}
