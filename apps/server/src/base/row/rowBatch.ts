import type { ColumnType } from "@hadal/sdk";
import type { EncodedStrings } from "../bytes/stringList.js";

/** One column of a batch. A column whose values are all missing is left out of the batch. */
export type BatchColumn = DenseBatchColumn | SparseBatchColumn;

/** A cell for each row. */
export type DenseBatchColumn = IntBatchColumn | CodedBatchColumn;

/** Type and decimals that the table's settings define for a column: new rows are stored in this form. */
export type SetForm = "type" | "decimals" | "both";

interface BatchColumnBase {
  readonly name: string;
  readonly set?: SetForm;
}

/** Whole numbers, or decimals as trunc(x · 10^decimals). */
export interface IntBatchColumn extends BatchColumnBase {
  readonly type: "int";
  readonly decimals: number;
  /** One per row; 0 where missing. */
  readonly values: BigInt64Array;
  /** One byte per row, 1 = present; null when no value is missing. */
  readonly present: Uint8Array | null;
}

/** Strings or lists of strings, with a dictionary of distinct values. */
export interface CodedBatchColumn extends BatchColumnBase {
  readonly type: Exclude<ColumnType, "int">;
  /** Distinct values. A set or vector is the JSON text of its array (a set's sorted by code point, each element once). */
  readonly dictionary: readonly string[];
  /** The dictionary as bytes, if it was received so: not enumerable, set by `codedColumn`. */
  readonly encoded?: EncodedStrings;
  /** Sizes of the values, if measured; set and not enumerable like `encoded`. */
  readonly sizes?: ValueSizes;
  /** One per row; 0 = missing, k = dictionary[k - 1]. */
  readonly codes: Uint32Array;
}

/** A column that few rows have: memory grows with its values, not with rows × columns. */
export interface SparseBatchColumn {
  readonly type: "sparse";
  readonly name: string;
  /** The rows that have a value, in ascending order. */
  readonly rows: Uint32Array;
  /** The values of these rows, none missing, as a column of the same name. */
  readonly cells: DenseBatchColumn;
}

/** Number of present values of a coded column, and their size as UTF-8. */
export interface ValueSizes {
  readonly count: number;
  readonly bytes: number;
}

/** Rows that travel, are logged and become visible together; column-major. */
export interface RowBatch {
  readonly rowCount: number;
  /** Event time of each row in whole milliseconds since 1970. Not repeated among the columns. */
  readonly times: Float64Array;
  readonly columns: readonly BatchColumn[];
}

/** An open segment holds 65,536 rows: a batch always fits into a fresh one. */
export const batchRowsMax = 16_384;
/** 10,000 columns × 40 bytes of metadata per leaf and table stay under a megabyte. */
export const columnsMax = 10_000;

/** Memory of a column beside its values: a few objects and arrays. */
const columnBytesLeast = 512;

/** Memory of a batch. Strings that are not encoded count one byte per character. */
export function rowBatchBytes({ times, columns }: RowBatch): number {
  return columns.reduce((bytes, column) => bytes + columnBytes(column), times.byteLength);
}

function columnBytes(column: BatchColumn): number {
  if (column.type === "sparse") return column.rows.byteLength + columnBytes(column.cells);
  if (column.type === "int")
    return columnBytesLeast + column.values.byteLength + (column.present?.byteLength ?? 0);
  const { codes, encoded } = column;
  let bytes = columnBytesLeast + codes.byteLength;
  if (encoded !== undefined) bytes += encoded.text.byteLength + encoded.lengths.byteLength;
  else for (const text of column.dictionary) bytes += text.length;
  return bytes;
}
