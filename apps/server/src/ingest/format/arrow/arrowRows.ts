import type { Data, DataType } from "apache-arrow";
import type { ColumnBuilder } from "../../column/columnBuilder.js";
import type { PathNode } from "../../column/rowPath.js";
import { brokenArrow } from "./arrowProblems.js";
import type { BuildRun, RunTimes } from "./arrowRun.js";

/**
 * Called with a cell that could not be written; throws an error that concerns more than that row.
 */
export type RefuseRow = (row: number, error: unknown) => void;

type WriteCell = (builder: ColumnBuilder, row: number, at: number) => void;

/**
 * Writes the cells of these rows as rows 0, 1 … of the builder: one call for many cells, as a call
 * costs more than a cell.
 */
export type WriteRows = (builder: ColumnBuilder, rows: Uint32Array, refuse: RefuseRow) => void;

/** The cells of one Arrow column of a record batch, by row. */
export interface ArrowCells {
  /** The value as in a JSON row; null where it is missing. */
  value(row: number): unknown;
  /** Writes what `value` returns as the cell of row `at`; throws RowRejected. */
  write(builder: ColumnBuilder, row: number, at: number): void;
  /** The same for many rows; absent where only `write` exists. */
  readonly writeRows?: WriteRows;
  /** The same for a whole column; absent where its type has no such way. */
  readonly buildRun?: BuildRun;
  /** Of the event time alone. */
  readonly times?: RunTimes;
}

const always = (): boolean => true;
const two32 = 2 ** 32;
/** |high half| below this: the integer is exact in an f64. */
const highSafe = 2 ** 21;

/** Whether a row has a value. The library's own method checks the column's type each time. */
export function presenceOf(data: Data<DataType>): (row: number) => boolean {
  const { nullBitmap, offset } = data;
  if (data.nullCount === 0 || nullBitmap === undefined) return always;
  return (row) => (nullBitmap[(offset + row) >> 3]! & (1 << ((offset + row) & 7))) !== 0;
}

type NumberValues = Exclude<Data<DataType>["values"], undefined>;

/**
 * Reads numbers from memory without making BigInts; NaN where a value of 64 bits is not surely a
 * safe integer.
 */
export function nearNumbers(values: NumberValues): (row: number) => number {
  if (values instanceof BigUint64Array) return () => Number.NaN;
  if (!(values instanceof BigInt64Array)) return (row) => values[row] as number;
  const halves = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  return (row) => {
    const high = halves[2 * row + 1]!;
    // Not -2^53, which is not safe.
    const isNear = high < highSafe && high > -highSafe;
    return isNear ? high * two32 + (halves[2 * row]! >>> 0) : Number.NaN;
  };
}

/** Writes numbers from memory; values that are no safe integers go through `write`. */
export function writeNumberRows(
  values: NumberValues,
  isPresent: (row: number) => boolean,
  write: WriteCell,
): WriteRows {
  const numberAt = nearNumbers(values);
  return (builder, rows, refuse) => {
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      if (!isPresent(row)) continue;
      const x = numberAt(row);
      if (Number.isSafeInteger(x)) builder.writeInteger(at, x);
      else writeOrRefuse(write, builder, row, at, refuse);
    }
  };
}

/**
 * Writes the remembered codes of dictionary keys; a key without a code, or an invalid one, goes
 * through `write`.
 */
export function writeKeyRows(
  keys: NumberValues,
  isPresent: (row: number) => boolean,
  codesFor: (builder: ColumnBuilder) => Uint32Array | null,
  write: WriteCell,
): WriteRows {
  const numbers = keys instanceof BigInt64Array || keys instanceof BigUint64Array ? null : keys;
  return (builder, rows, refuse) => {
    const codes = codesFor(builder);
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      if (!isPresent(row)) continue;
      // An index out of range, -1 too, reads undefined.
      const known = numbers === null || codes === null ? 0 : (codes[numbers[row] as number] ?? 0);
      if (known > 0) builder.writeKnown(at, known);
      else writeOrRefuse(write, builder, row, at, refuse);
    }
  };
}

/** Five parameters and no closure, as it is called for a cell. */
function writeOrRefuse(
  write: WriteCell,
  builder: ColumnBuilder,
  row: number,
  at: number,
  refuse: RefuseRow,
): void {
  try {
    write(builder, row, at);
  } catch (error) {
    refuse(row, error);
  }
}

/** Throws where a buffer is shorter than the length of its column. */
export function expectLength(length: number, data: Data<DataType>, node: PathNode): void {
  if (length < data.length) throw brokenArrow(node.name);
}
