import type { Data, DataType } from "apache-arrow";
import { codedColumn } from "../../../base/row/codedColumn.js";
import type { BatchColumn } from "../../../base/row/rowBatch.js";
import { isSparse, sparseColumn } from "../../../base/row/sparseColumn.js";

/** Neighbouring rows of a record batch: [from, from + count). */
export interface RowRun {
  readonly from: number;
  readonly count: number;
}

/**
 * Builds the column of a run from its buffers, with no call for a cell: equal to what a
 * ColumnBuilder makes of the same cells. Empty where no row has a value. null where a cell needs a
 * closer look, as one that is refused: nothing was spent of the budget then.
 */
export type BuildRun = (name: string, run: RowRun) => readonly BatchColumn[] | null;

/** Event times of a run in milliseconds, read with no object for each. */
export interface RunTimes {
  /** Whether the column's type is a time: then no rule of units applies. */
  readonly isTyped: boolean;
  /** NaN where it is missing or not surely exact. */
  read(run: RowRun, timesMs: Float64Array): void;
}

/** Strings of which each begins where the one before ends: all are UTF-8, or `isUtf8` is false. */
export interface ConsecutiveTexts {
  readonly bytes: Uint8Array;
  readonly isUtf8: boolean;
  readonly offsets: Int32Array | BigInt64Array;
}

/** Which rows of a run have a value. */
export interface RunPresence {
  readonly count: number;
  /** One byte for each row; null: all have one. */
  readonly present: Uint8Array | null;
}

export function presenceOfRun(
  { nullBitmap, nullCount, offset }: Data<DataType>,
  { from, count: rowCount }: RowRun,
): RunPresence {
  // As in `presenceOf`: what the message says counts.
  if (nullCount === 0 || nullBitmap === undefined) return { count: rowCount, present: null };
  const present = new Uint8Array(rowCount);
  let count = 0;
  for (let i = 0, at = offset + from; i < rowCount; i++, at++) {
    const bit = (nullBitmap[at >> 3]! >> (at & 7)) & 1;
    present[i] = bit;
    count += bit;
  }
  return { count, present: count === rowCount ? null : present };
}

/** `values`: one for each row, anything where it is missing. They become the column's. */
export function intColumnOf(
  { name, decimals }: { readonly name: string; readonly decimals: number },
  values: BigInt64Array,
  { count, present }: RunPresence,
): readonly BatchColumn[] {
  if (count === 0) return [];
  const form = { name, type: "int", decimals } as const;
  if (present === null) return [{ ...form, values, present: null }];
  const halves = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  if (!isSparse(count, present.length)) {
    // No branch: which values are missing cannot be predicted.
    for (let i = 0; i < present.length; i++) {
      const mask = 0 - present[i]!;
      halves[2 * i] = halves[2 * i]! & mask;
      halves[2 * i + 1] = halves[2 * i + 1]! & mask;
    }
    return [{ ...form, values, present }];
  }
  const rows = rowsOf(present, count);
  const kept = new BigInt64Array(count);
  for (let i = 0; i < count; i++) kept[i] = values[rows[i]!]!;
  return [sparseColumn({ ...form, values: kept, present: null }, rows)];
}

/** `codes`: one for each row, 0 where it is missing. They become the column's. */
export function stringColumnOf(
  name: string,
  strings: Parameters<typeof codedColumn>[1],
  codes: Uint32Array,
  { count, present }: RunPresence,
): readonly BatchColumn[] {
  if (count === 0) return [];
  const head = { name, type: "string" } as const;
  if (present === null || !isSparse(count, present.length))
    return [codedColumn(head, strings, codes)];
  const rows = rowsOf(present, count);
  const kept = Uint32Array.from(rows, (row) => codes[row]!);
  return [sparseColumn(codedColumn(head, strings, kept), rows)];
}

function rowsOf(present: Uint8Array, count: number): Uint32Array {
  const rows = new Uint32Array(count);
  for (let i = 0, at = 0; i < present.length; i++) if (present[i] === 1) rows[at++] = i;
  return rows;
}
