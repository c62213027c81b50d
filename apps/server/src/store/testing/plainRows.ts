import type { ColumnType } from "@hadal/sdk";
import type { BatchColumn, RowBatch } from "../../base/row/rowBatch.js";
import { columnOfPlace } from "../../column/columnPlace.js";
import { createColumnReader } from "../../column/readColumn.js";
import type { SegmentColumn } from "../../column/segmentColumn.js";
import { createTextReader, pageScratchBytes } from "../../column/textReader.js";
import { type StoredSegment, timesOf } from "../segment/segmentView.js";
import type { TableContext } from "../segment/tableContext.js";

/**
 * A row as tests write it: bigint = int column, string = string, array = vector, Set = set; absent
 * = missing.
 */
export type PlainValue = bigint | string | readonly string[] | ReadonlySet<string>;
export interface PlainRow {
  readonly time: number;
  readonly values: ReadonlyMap<string, PlainValue>;
}

export const plainRow = (time: number, values: Record<string, PlainValue>): PlainRow => ({
  time,
  values: new Map(Object.entries(values)),
});

/** A batch of the rows; every column has the type of its first value. */
export function batchOfRows(rows: readonly PlainRow[]): RowBatch {
  const names = new Set(rows.flatMap(({ values }) => [...values.keys()]));
  return {
    rowCount: rows.length,
    times: Float64Array.from(rows, ({ time }) => time),
    columns: [...names].map((name) => columnOf(name, rows)),
  };
}

function columnOf(name: string, rows: readonly PlainRow[]): BatchColumn {
  const first = rows.map(({ values }) => values.get(name)).find((value) => value !== undefined)!;
  const type = typeOf(first);
  if (type === "int") {
    const present = Uint8Array.from(rows, ({ values }) => (values.has(name) ? 1 : 0));
    const values = BigInt64Array.from(rows, (row) => (row.values.get(name) ?? 0n) as bigint);
    const complete = present.every((one) => one === 1);
    return { name, type, decimals: 0, values, present: complete ? null : present };
  }
  const dictionary: string[] = [];
  const codeOf = new Map<string, number>();
  const codes = Uint32Array.from(rows, ({ values }) => {
    const value = values.get(name);
    if (value === undefined) return 0;
    const text = textOf(value);
    const code = codeOf.get(text) ?? dictionary.push(text);
    codeOf.set(text, code);
    return code;
  });
  return { name, type, dictionary, codes };
}

function typeOf(value: PlainValue): ColumnType {
  if (typeof value === "bigint") return "int";
  if (typeof value === "string") return "string";
  return value instanceof Set ? "set" : "vector";
}

function textOf(value: PlainValue): string {
  if (typeof value === "bigint" || typeof value === "string") return String(value);
  return JSON.stringify(value instanceof Set ? [...value].sort() : value);
}

/** The same for a number that is stored with more decimals than it needs. */
function printInt(stored: bigint, decimals: number): string {
  let [digits, left] = [stored, decimals];
  for (; left > 0 && digits % 10n === 0n; left--) digits /= 10n;
  return left === 0 ? String(digits) : `${digits}e-${left}`;
}

/** Every row of the segments as text, sorted: what two stores with the same rows agree on. */
export function readPlainRows(
  views: readonly StoredSegment[],
  { memory, kernel }: Pick<TableContext, "memory" | "kernel">,
): string[] {
  const reader = createColumnReader(memory.memory);
  const address = memory.queries.allocate(pageScratchBytes)!;
  const texts = createTextReader(memory.memory, kernel, [{ address, holder: null }]);
  const valueAt = (column: SegmentColumn, row: number, rowCount: number): string | null => {
    if (column.kind === "coded") {
      const code = reader.storedCode(column, row, rowCount);
      return code === 0 ? null : column.dictionary.valueOf(code);
    }
    if (!reader.isPresent(column.present, row)) return null;
    return column.kind === "int"
      ? printInt(BigInt(reader.storedInt(column, row, rowCount)), column.decimals)
      : texts.text(column, row);
  };
  const rows: string[] = [];
  for (const view of views) {
    for (let row = 0; row < view.rowCount; row++) {
      const time = reader.storedInt(timesOf(view), row, view.rowCount);
      const cells = [...view.columns]
        .map(([name, column]) => [name, valueAt(column, row, view.rowCount)] as const)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => `${columnOfPlace(name)}=${value}`);
      rows.push([String(time), ...cells.sort()].join("|"));
    }
  }
  memory.queries.release(address);
  return rows.sort();
}

/** What {@link readPlainRows} gives for rows that were stored as they are. */
export function printPlainRows(rows: readonly PlainRow[]): string[] {
  return rows
    .map(({ time, values }) => {
      const cells = [...values].map(([name, value]) => `${name}=${textOf(value)}`);
      return [String(time), ...cells.sort()].join("|");
    })
    .sort();
}
