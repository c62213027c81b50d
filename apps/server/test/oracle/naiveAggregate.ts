import type { AggregateSpec } from "@hadal/sdk";
import { rateUnitMs } from "@hadal/sdk";
import type { Cell } from "./answer.js";
import { exact, float, missing } from "./answer.js";
import type { OracleRow, OracleTable } from "./oracleTable.js";
import { cellOf, columnOf } from "./oracleTable.js";

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);

/** Rows of one group and the time they cover. */
export interface GroupRows {
  readonly rows: readonly OracleRow[];
  readonly coveredMs: number;
}

function weightOf(row: OracleRow): bigint {
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
  if (spec.fn === "count.raw") return exact(BigInt(rows.length));
  const weight = rows.reduce((sum, row) => sum + weightOf(row), 0n);
  if (spec.fn === "count") return rate(spec, weight, 0, group);
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
    default:
      throw new Error(`the oracles do not know ${spec.fn}`);
  }
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
  const value = Number(total) / 10 ** decimals / (group.coveredMs / rateUnitMs[spec.per]);
  return float(value);
}

function intOf(row: OracleRow, column: string): bigint {
  const value = cellOf(row, column);
  if (typeof value !== "bigint") throw new Error(`${column} is not an integer column`);
  return value;
}
