import {
  type ColumnFilter,
  exactAmount,
  exactNumber,
  type Filter,
  type FilterValue,
  type GroupBy,
  type NumberBucket,
} from "@hadal/sdk";
import { allOf, restOf } from "./filterTree.js";

/** One column's value of a group, as a chart or a cell shows it. */
export interface GroupValue {
  readonly column: string;
  readonly value: string | number | bigint | null;
  /** Its elements, where a whole list is one value. */
  readonly list?: readonly string[];
}

/**
 * Filters for the rows of a group; the query's `groupBy` shows which columns are elements of lists
 * or ranges of numbers. null: no filter can select exactly these elements of a list.
 */
export function filtersOfGroup(
  group: readonly GroupValue[],
  groupBy: readonly GroupBy[],
): Filter[] | null {
  if (group.some(({ list = [] }) => list.length > 0)) return null;
  return group.flatMap((cell) => {
    const spec = groupBy.find((one) => resultName(one) === cell.column) ?? cell.column;
    return filtersOfCell(cell, spec);
  });
}

/** The result column of a group. */
export function resultName(group: GroupBy): string {
  if (typeof group === "string") return group;
  if (group.as !== undefined || "time" in group) return group.as ?? "time";
  if ("column" in group) return group.column;
  return "element" in group ? group.element : group.bucket;
}

/** All rows except those that match all of these. */
export const notOf = (filters: readonly Filter[]): Filter => restOf(allOf(filters));

/** A missing value needs `is missing`: it equals nothing. */
function filtersOfCell(cell: GroupValue, spec: GroupBy): ColumnFilter[] {
  const { value } = cell;
  if (typeof spec === "string") return [equal(spec, cell)];
  if ("column" in spec) return [equal(spec.column, cell)];
  // Times are zoomed into, not filtered.
  if ("time" in spec) return [];
  if ("element" in spec) {
    if (value === null) return [{ column: spec.element, op: "is missing" }];
    return [{ column: spec.element, op: "includes any", value: [plainValue(value)] }];
  }
  return value === null ? [equal(spec.bucket, cell)] : filtersOfBucket(spec, value);
}

function equal(column: string, { value, list }: GroupValue): ColumnFilter {
  // Of lists only the empty one has come so far.
  if (list !== undefined) return { column, op: "is empty" };
  return value === null
    ? { column, op: "is missing" }
    : { column, op: "=", value: plainValue(value) };
}

export interface BucketBounds {
  /** null: without end. */
  readonly low: number | bigint | null;
  readonly high: number | bigint | null;
}

/** From the first up to the second. */
export function boundsOfBucket(spec: NumberBucket, low: number | bigint): BucketBounds {
  const isBelowAll = spec.edges !== undefined && low < exactAmount(spec.edges[0] ?? 0);
  return { low: isBelowAll ? null : low, high: upperBound(spec, low) };
}

function filtersOfBucket(spec: NumberBucket, low: string | number | bigint): ColumnFilter[] {
  const { bucket: column } = spec;
  // No number is below the last digit: the bucket of 0 contains only 0.
  if (spec.scale === "log" && Number(low) === 0) return [{ column, op: "=", value: 0 }];
  const bounds = typeof low === "string" ? boundsOfText(spec, low) : boundsOfBucket(spec, low);
  return filtersOfRange(column, bounds.low, bounds.high);
}

/** Rows whose number is at least the first and below the second; null: no bound. */
export function filtersOfRange(
  column: string,
  low: string | number | bigint | null,
  high: string | number | bigint | null,
): ColumnFilter[] {
  // No number of 64 bits is beyond: the range needs no such bound, and the server has none.
  const hasLow = low !== null && comparable(low) > -(2 ** 63);
  const hasHigh = high !== null && comparable(high) < 2 ** 63;
  // Open at both ends: all rows that have a number.
  if (!hasLow && !hasHigh) return [{ column, op: "is present" }];
  return [
    ...(hasLow ? [{ column, op: ">=" as const, value: plainValue(low) }] : []),
    ...(hasHigh ? [{ column, op: "<" as const, value: plainValue(high) }] : []),
  ];
}

/** BigInts compare with numbers exactly; a decimal's text is near enough. */
const comparable = (bound: string | number | bigint): number | bigint =>
  typeof bound === "string" ? Number(bound) : bound;

/** A decimal with more digits than a double arrives as text. */
function boundsOfText(spec: NumberBucket, low: string) {
  const near = boundsOfBucket(spec, Number(low));
  const width = String(spec.width ?? 1);
  const isStep = spec.edges === undefined && spec.scale !== "log";
  const isSum = isStep && [low, width].every((text) => /^-?\d+(\.\d+)?$/.test(text));
  return { low: near.low === null ? null : low, high: isSum ? textSum(low, width) : near.high };
}

/** Where the bucket that starts here ends; null: nowhere. */
function upperBound(spec: NumberBucket, low: number | bigint): number | bigint | null {
  if (spec.edges !== undefined)
    return spec.edges.map(exactAmount).find((edge) => edge > low) ?? null;
  if (spec.scale === "log") return nextOfLog(Number(low));
  const width = exactAmount(spec.width ?? 1);
  // Of whole numbers beyond 2^53 a fraction more takes in none but the next.
  const step = typeof low === "bigint" && typeof width === "number" ? Math.ceil(width) : width;
  if (isWhole(low) && isWhole(step)) return exactAmount(String(BigInt(low) + BigInt(step)));
  return exactSum(Number(low), Number(step));
}

const isWhole = (amount: number | bigint): boolean =>
  typeof amount === "bigint" || Number.isInteger(amount);

/** The bounds 1, 2, 5, 10, 20 … to either side of 0: the one after this. */
function nextOfLog(low: number): number {
  const [digits = "1", exponent = "0"] = Math.abs(low).toExponential().split("e");
  const first = Number(digits[0]);
  const up: Readonly<Record<number, number>> = { 1: 2, 2: 5, 5: 10 };
  const down: Readonly<Record<number, number>> = { 1: 0.5, 2: 1, 5: 2 };
  const next = (low > 0 ? up : down)[first] ?? first;
  return Math.sign(low) * Number(`${next}e${exponent}`);
}

/** Rounds away binary error: 0.1 + 0.2 is 0.3. */
const exactSum = (a: number, b: number): number => Number((a + b).toPrecision(15));

/** The sum of two decimals, digit by digit. */
function textSum(a: string, b: string): string {
  const digitsOf = (text: string): string => text.split(".")[1] ?? "";
  const digits = Math.max(digitsOf(a).length, digitsOf(b).length);
  const unitsOf = (text: string): bigint =>
    BigInt(text.replace(".", "") + "0".repeat(digits - digitsOf(text).length));
  const sum = unitsOf(a) + unitsOf(b);
  const text = String(sum < 0n ? -sum : sum).padStart(digits + 1, "0");
  const point = text.length - digits;
  const whole = `${sum < 0n ? "-" : ""}${text.slice(0, point)}`;
  return digits === 0 ? whole : `${whole}.${text.slice(point)}`;
}

/** Addresses and JSON have no BigInt, and their numbers lose digits: beyond 2^53 an integer is its digits. */
function plainValue(value: string | number | bigint): FilterValue {
  if (typeof value === "string") return value;
  return exactNumber(typeof value === "bigint" ? String(value) : value);
}
