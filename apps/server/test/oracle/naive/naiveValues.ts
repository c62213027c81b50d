import { sampleRateColumn } from "@hadal/sdk";
import type { OracleRow, OracleTable } from "../table/oracleTable.js";
import { columnOf } from "../table/oracleTable.js";

/** Rows that have a value, and the events they stand for. */
export interface Counted {
  readonly rows: number;
  readonly count: number;
}

export function countRows(rows: readonly OracleRow[]): Counted {
  const weights = rows.map(({ values }) => Number(values.get(sampleRateColumn) ?? 1n));
  return { rows: rows.length, count: weights.reduce((sum, weight) => sum + weight, 0) };
}

const known = new WeakMap<readonly OracleRow[], Map<string, Map<string | null, OracleRow[]>>>();

/** `naiveValues`, computed once for the same rows and column. */
export function knownValues(
  table: OracleTable,
  rows: readonly OracleRow[],
  name: string,
): ReadonlyMap<string | null, readonly OracleRow[]> {
  const columns = known.get(rows) ?? new Map<string, Map<string | null, OracleRow[]>>();
  known.set(rows, columns);
  const values = columns.get(name) ?? naiveValues(table, rows, name);
  columns.set(name, values);
  return values;
}

/** The rows of each value (or element) of a column; numbers by their digits, scaled. Rows without one are under null. */
export function naiveValues(
  table: OracleTable,
  rows: readonly OracleRow[],
  name: string,
): Map<string | null, OracleRow[]> {
  const found = new Map<string | null, OracleRow[]>();
  const { type } = columnOf(table, name);
  for (const row of rows) {
    const cell = row.values.get(name);
    for (const value of new Set(valuesOf(cell, type === "set" || type === "vector"))) {
      const rowsOfValue = found.get(value);
      if (rowsOfValue === undefined) found.set(value, [row]);
      else rowsOfValue.push(row);
    }
  }
  return found;
}

function valuesOf(
  cell: string | bigint | readonly string[] | undefined,
  isList: boolean,
): readonly (string | null)[] {
  if (cell === undefined) return [null];
  if (typeof cell === "object") return isList ? cell : [JSON.stringify(cell)];
  return [String(cell)];
}
