import { viewOf } from "../bytes/byteView.js";
import { type EncodedStrings, endsOf } from "../bytes/stringList.js";
import { codedColumn } from "./codedColumn.js";
import type {
  BatchColumn,
  CodedBatchColumn,
  DenseBatchColumn,
  IntBatchColumn,
  RowBatch,
  SparseBatchColumn,
} from "./rowBatch.js";
import { sparseColumn } from "./sparseColumn.js";

/** Some rows of a batch, in ascending order. Columns and dictionary values without rows are dropped. */
export function takeRows(batch: RowBatch, rows: Uint32Array): RowBatch {
  const { times: sent } = batch;
  const times = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) times[i] = sent[rows[i]!]!;
  const isSparse = batch.columns.some(({ type }) => type === "sparse");
  const places = isSparse ? placesOf(rows, batch.rowCount) : new Uint32Array(0);
  const columns = batch.columns
    .map((column) =>
      column.type === "sparse"
        ? takeSparse(column, places)
        : withoutFullMask(takeCells(column, rows)),
    )
    .filter(hasValues);
  return { rowCount: rows.length, times, columns };
}

/** The cells of some rows. */
export function takeCells(column: DenseBatchColumn, rows: Uint32Array): DenseBatchColumn {
  return column.type === "int" ? takeInts(column, rows) : takeCodes(column, rows);
}

/** By row of the batch: its number among the taken rows, from 1; 0: not taken. */
function placesOf(rows: Uint32Array, rowCount: number): Uint32Array {
  const places = new Uint32Array(rowCount);
  for (let i = 0; i < rows.length; i++) places[rows[i]!] = i + 1;
  return places;
}

function takeSparse({ rows, cells }: SparseBatchColumn, places: Uint32Array): SparseBatchColumn {
  const keptCells = new Uint32Array(rows.length);
  const keptRows = new Uint32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    const place = places[rows[i]!]!;
    if (place === 0) continue;
    keptCells[count] = i;
    keptRows[count++] = place - 1;
  }
  return sparseColumn(takeCells(cells, keptCells.subarray(0, count)), keptRows.slice(0, count));
}

function takeInts(column: IntBatchColumn, rows: Uint32Array): IntBatchColumn {
  const { present } = column;
  let kept: Uint8Array | null = null;
  if (present !== null) {
    kept = new Uint8Array(rows.length);
    for (let i = 0; i < rows.length; i++) kept[i] = present[rows[i]!]!;
  }
  return { ...column, values: takeInt64(column.values, rows), present: kept };
}

/** Copies halves of 32 bits: 64-bit values would become BigInts on the heap. */
function takeInt64(values: BigInt64Array, rows: Uint32Array): BigInt64Array {
  const kept = new BigInt64Array(rows.length);
  const from = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  const to = new Int32Array(kept.buffer);
  for (let i = 0; i < rows.length; i++) {
    const at = rows[i]! * 2;
    to[2 * i] = from[at]!;
    to[2 * i + 1] = from[at + 1]!;
  }
  return kept;
}

function takeCodes(column: CodedBatchColumn, rows: Uint32Array): CodedBatchColumn {
  const { encoded, codes: sent } = column;
  const valueCount = (encoded?.lengths ?? column.dictionary).length;
  const newCodes = new Uint32Array(valueCount + 1);
  const used = new Uint32Array(Math.min(valueCount, rows.length));
  const codes = new Uint32Array(rows.length);
  let usedCount = 0;
  for (let i = 0; i < rows.length; i++) {
    const code = sent[rows[i]!]!;
    if (code === 0) continue;
    if (newCodes[code] === 0) {
      used[usedCount++] = code - 1;
      newCodes[code] = usedCount;
    }
    codes[i] = newCodes[code]!;
  }
  const values = used.subarray(0, usedCount);
  if (encoded !== undefined) return codedColumn(column, takeStrings(encoded, values), codes);
  const dictionary = Array.from(values, (value) => column.dictionary[value]!);
  return { ...column, dictionary, codes };
}

/** The values with these indexes. */
export function takeStrings(strings: EncodedStrings, values: Uint32Array): EncodedStrings {
  const ends = endsOf(strings);
  const keptLengths = new Uint32Array(values.length);
  const keptEnds = new Uint32Array(values.length);
  let bytes = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    bytes += ends[value]! - (value === 0 ? 0 : ends[value - 1]!);
    keptEnds[i] = bytes;
    keptLengths[i] = strings.lengths[value]!;
  }
  const text = new Uint8Array(bytes);
  const [source, target] = [viewOf(strings.text), viewOf(text)];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    let from = value === 0 ? 0 : ends[value - 1]!;
    let at = i === 0 ? 0 : keptEnds[i - 1]!;
    const end = keptEnds[i]!;
    // For a few bytes a call to copy takes longer than a loop.
    for (; at + 4 <= end; at += 4, from += 4) target.setInt32(at, source.getInt32(from));
    for (; at < end; at++, from++) target.setUint8(at, source.getUint8(from));
  }
  return { text, lengths: keptLengths, ends: keptEnds };
}

function withoutFullMask(column: DenseBatchColumn): DenseBatchColumn {
  if (column.type !== "int" || column.present?.includes(0) !== false) return column;
  return { ...column, present: null };
}

function hasValues(column: BatchColumn): boolean {
  if (column.type === "sparse") return column.rows.length > 0;
  if (column.type === "int") return column.present?.includes(1) !== false;
  return (column.encoded?.lengths ?? column.dictionary).length > 0;
}
