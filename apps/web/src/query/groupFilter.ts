import type { ColumnFilter, Filter, FilterValue, NumberBucket } from "@hadal/sdk";
import { printFilter } from "./filterUrl.js";
import { type GroupSpec, groupName } from "./groupSpec.js";

/** One column's value of a group, as a chart or a cell shows it. */
export interface GroupValue {
  readonly column: string;
  readonly value: string | number | bigint | null;
}

/** Rows of a group. `groupBy` tells which of its columns are elements of lists or ranges of numbers. */
export function filtersOfGroup(
  group: readonly GroupValue[],
  groupBy: readonly GroupSpec[],
): Filter[] {
  return group.flatMap((cell) => {
    const spec = groupBy.find((one) => groupName(one) === cell.column) ?? cell.column;
    return filtersOfCell(cell, spec);
  });
}

/** All rows but those of which all of these hold. */
export function notOf(filters: readonly Filter[]): Filter {
  const [first] = filters;
  if (filters.length !== 1 || first === undefined) return { not: { all: filters } };
  if ("column" in first) {
    const { column, op, value } = first;
    if (op === "is missing") return { column, op: "is present" };
    if (op === "=" && value !== undefined) return { column, op: "!=", value };
    if (op === "includes any" && value !== undefined) return { column, op: "includes none", value };
  }
  return { not: first };
}

export const sameFilter = (a: Filter, b: Filter): boolean => printFilter(a) === printFilter(b);

/** Missing values have no equal: they are asked for by name. */
function filtersOfCell({ value }: GroupValue, spec: GroupSpec): ColumnFilter[] {
  if (typeof spec === "string") return [equal(spec, value)];
  if ("element" in spec) {
    if (value === null) return [{ column: spec.element, op: "is missing" }];
    return [{ column: spec.element, op: "includes any", value: [plainValue(value)] }];
  }
  if (value === null || typeof value === "string") return [equal(spec.bucket, value)];
  return filtersOfBucket(spec, value);
}

function equal(column: string, value: GroupValue["value"]): ColumnFilter {
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
  const isBelowAll = spec.edges !== undefined && Number(low) < (spec.edges[0] ?? 0);
  return { low: isBelowAll ? null : low, high: upperBound(spec, low) };
}

function filtersOfBucket(spec: NumberBucket, low: number | bigint): ColumnFilter[] {
  const { bucket: column } = spec;
  // Below the last digit there is nothing: the bucket of 0 holds 0 alone.
  if (spec.scale === "log" && Number(low) === 0) return [{ column, op: "=", value: 0 }];
  const bounds = boundsOfBucket(spec, low);
  const { high } = bounds;
  return [
    ...(bounds.low === null ? [] : [{ column, op: ">=" as const, value: plainValue(bounds.low) }]),
    ...(high === null ? [] : [{ column, op: "<" as const, value: plainValue(high) }]),
  ];
}

/** Where the bucket that starts here ends; null: nowhere. */
function upperBound(spec: NumberBucket, low: number | bigint): number | bigint | null {
  if (spec.edges !== undefined) return spec.edges.find((edge) => edge > Number(low)) ?? null;
  if (spec.scale === "log") return nextOfLog(Number(low));
  const width = spec.width ?? 1;
  if (typeof low === "bigint" && Number.isInteger(width)) return low + BigInt(width);
  return exactSum(Number(low), width);
}

/** The bounds 1, 2, 5, 10, 20 … to either side of 0: the one after this. */
function nextOfLog(low: number): number {
  const [digits = "1", exponent = "0"] = Math.abs(low).toExponential().split("e");
  const first = Number(digits[0]);
  const up: Readonly<Record<number, number>> = { 1: 2, 2: 5, 5: 10 };
  const down: Readonly<Record<number, number>> = { 1: 0.5, 2: 1, 5: 2 };
  const next = (low > 0 ? up : down)[first] ?? first;
  return Math.sign(low) * Number(`${next}e${exponent}`);
}

/** 0.1 + 0.2 as people add. */
const exactSum = (a: number, b: number): number => Number((a + b).toPrecision(15));

/** Addresses and JSON have no BigInt: beyond 2^53 an integer is its digits. */
function plainValue(value: string | number | bigint): FilterValue {
  return typeof value === "bigint" ? String(value) : value;
}
