import type { AggregateSpec } from "@hadal/sdk";
import { rateUnitMs } from "@hadal/sdk";
import type { Cell } from "../query/answer.js";
import { exact, float, missing } from "../query/answer.js";
import type { OracleRow, OracleTable } from "../table/oracleTable.js";
import { cellOf, columnOf } from "../table/oracleTable.js";

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);

/** Rows of one group and the time they cover. */
export interface GroupRows {
  readonly rows: readonly OracleRow[];
  readonly coveredMs: number;
}

export function weightOf(row: OracleRow): bigint {
  const rate = row.values.get("sample_rate");
  return typeof rate === "bigint" ? rate : 1n;
}

/** The aggregate over the rows, from its definition. `sketchError`: relative error that a percentile may have. */
export function naiveAggregate(
  table: OracleTable,
  spec: AggregateSpec,
  group: GroupRows,
  sketchError: number,
): Cell {
  const { column } = spec;
  const rows =
    column === undefined
      ? group.rows
      : group.rows.filter((row) => cellOf(row, column) !== undefined);
  if (spec.fn === "count.raw") return rate(spec, BigInt(rows.length), 0, group);
  const weight = rows.reduce((sum, row) => sum + weightOf(row), 0n);
  if (spec.fn === "count") return rate(spec, weight, 0, group);
  if (spec.fn === "distinct" && column !== undefined) {
    // A column is of one type, so its values differ where their texts do.
    return exact(
      BigInt(new Set(rows.map((row) => String(JSON.stringify(printable(row, column))))).size),
    );
  }
  if (rows.length === 0 || column === undefined) return missing;
  const { decimals } = columnOf(table, column);
  const values = rows.map((row) => intOf(row, column));
  const sum = rows.reduce((total, row) => total + intOf(row, column) * weightOf(row), 0n);
  switch (spec.fn) {
    case "sum":
      return rate(spec, sum, decimals, group);
    case "avg":
      return float(Number(sum) / Number(weight) / 10 ** decimals);
    case "min":
      return exact(smallest(values));
    case "max":
      return exact(-smallest(values.map((value) => -value)));
    case "percentile":
      return percentile(rows, column, spec.p ?? Number.NaN, weight, sketchError);
    case "stddev":
      return stddev(rows, column, weight, decimals);
    case "histogram":
      return histogram(rows, column);
    default:
      throw new Error(`the oracles do not know ${spec.fn}`);
  }
}

/** Buckets [low, high) of an eighth of a power of two, found by comparing: no logarithm, no bits of floats. */
function histogram(rows: readonly OracleRow[], column: string): Cell {
  const counts = new Map<bigint, { low: bigint; high: bigint; count: bigint }>();
  for (const row of rows) {
    const { low, high } = bucketAround(intOf(row, column));
    const bucket = counts.get(low) ?? { low, high, count: 0n };
    counts.set(low, { ...bucket, count: bucket.count + weightOf(row) });
  }
  const buckets = [...counts.values()].sort((a, b) => (a.low < b.low ? -1 : 1));
  return exact(buckets.map(({ low, high, count }) => `[${low}, ${high}) ${count}`));
}

function bucketAround(value: bigint): { low: bigint; high: bigint } {
  if (value < 0n) {
    const { low, high } = bucketAround(-value);
    // No value of 64 bits lies below.
    const least = -(2n ** 63n);
    return { low: 1n - high < least ? least : 1n - high, high: 1n - low };
  }
  if (value < 16n) return { low: value, high: value + 1n };
  let step = 1n;
  while (step * 16n <= value) step *= 2n;
  const low = (value / step) * step;
  return { low, high: low + step };
}

/** Of a sample, each row counted as often as its weight says. */
function stddev(
  rows: readonly OracleRow[],
  column: string,
  weight: bigint,
  decimals: number,
): Cell {
  if (weight < 2n) return missing;
  let [sum, squares] = [0n, 0n];
  for (const row of rows) {
    const value = intOf(row, column);
    sum += value * weightOf(row);
    squares += value * value * weightOf(row);
  }
  const variance = Number(weight * squares - sum * sum) / Number(weight) / Number(weight - 1n);
  const value = Math.sqrt(variance) / 10 ** decimals;
  // Other engines start from a rounded mean.
  const largest = rows.reduce((max, row) => Math.max(max, Math.abs(Number(intOf(row, column)))), 0);
  return float(value, 1e-9 * value + (1e-14 * largest) / 10 ** decimals);
}

function printable(row: OracleRow, column: string): unknown {
  const value = cellOf(row, column);
  return typeof value === "bigint" ? value.toString() : value;
}

/** Whether the aggregate's sum needs more than 64 bits. */
export function sumOverflows(spec: AggregateSpec, cell: Cell): boolean {
  return (
    spec.fn === "sum" &&
    spec.per === undefined &&
    typeof cell.value === "bigint" &&
    (cell.value > int64Max || cell.value < int64Min)
  );
}

/** Smallest value with at least p % of the weight at or below it (nearest rank). */
function percentile(
  rows: readonly OracleRow[],
  column: string,
  p: number,
  weight: bigint,
  sketchError: number,
): Cell {
  const sorted = [...rows].sort((a, b) => (intOf(a, column) < intOf(b, column) ? -1 : 1));
  const { numerator, denominator } = fractionOf(p);
  let below = 0n;
  for (const row of sorted) {
    below += weightOf(row);
    if (below * 100n * denominator >= numerator * weight) {
      const value = intOf(row, column);
      return { value, within: sketchError * Math.abs(Number(value)) };
    }
  }
  return missing;
}

/** 99.9 as 999/10, so that ranks are compared without rounding. */
export function fractionOf(p: number): { numerator: bigint; denominator: bigint } {
  const [whole = "0", fraction = ""] = String(p).split(".");
  return { numerator: BigInt(whole + fraction), denominator: 10n ** BigInt(fraction.length) };
}

/** Of big integers, which Math.min does not take. */
function smallest(values: readonly bigint[]): bigint {
  const [first = 0n, ...rest] = values;
  let least = first;
  for (const value of rest) if (value < least) least = value;
  return least;
}

function rate(spec: AggregateSpec, total: bigint, decimals: number, group: GroupRows): Cell {
  if (spec.per === undefined) return exact(total);
  // No rows are no rows a minute, also where a side has none of the group's time.
  if (total === 0n) return float(0);
  const value = Number(total) / 10 ** decimals / (group.coveredMs / rateUnitMs[spec.per]);
  return float(value);
}

function intOf(row: OracleRow, column: string): bigint {
  const value = cellOf(row, column);
  if (typeof value !== "bigint") throw new Error(`${column} is not an integer column`);
  return value;
}
