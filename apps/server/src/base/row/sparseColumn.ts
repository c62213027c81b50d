import { codedColumn } from "./codedColumn.js";
import type {
  BatchColumn,
  CodedBatchColumn,
  DenseBatchColumn,
  IntBatchColumn,
  SparseBatchColumn,
} from "./rowBatch.js";

/** A column is sparse while fewer than one in this many rows has a value. Each value then stores its row number; missing ones take nothing. */
export const sparseShare = 4;
/** With fewer rows all columns are dense: arrays have a fixed cost. */
const sparseRowsLeast = 64;

export const isSparse = (valueCount: number, rowCount: number): boolean =>
  rowCount >= sparseRowsLeast && valueCount * sparseShare < rowCount;

/** The type of a column and its values, without the rows that they belong to. */
export function cellsOf(column: BatchColumn): DenseBatchColumn {
  return column.type === "sparse" ? column.cells : column;
}

/** The column with other cells for the same rows. */
export function withCells(column: BatchColumn, cells: DenseBatchColumn): BatchColumn {
  if (column.type !== "sparse") return cells;
  return { type: "sparse", name: cells.name, rows: column.rows, cells };
}

/** The column with a cell for each of the batch's rows. */
export function denseColumn(column: BatchColumn, rowCount: number): DenseBatchColumn {
  if (column.type !== "sparse") return column;
  const { rows, cells } = column;
  return cells.type === "int"
    ? denseInts(cells, rows, rowCount)
    : denseCodes(cells, rows, rowCount);
}

/** A column of cells without missing values. */
export function sparseColumn(cells: DenseBatchColumn, rows: Uint32Array): SparseBatchColumn {
  return { type: "sparse", name: cells.name, rows, cells };
}

function denseInts(cells: IntBatchColumn, rows: Uint32Array, rowCount: number): IntBatchColumn {
  const values = new BigInt64Array(rowCount);
  const present = new Uint8Array(rowCount);
  for (let i = 0; i < rows.length; i++) {
    values[rows[i]!] = cells.values[i]!;
    present[rows[i]!] = 1;
  }
  return { ...cells, values, present };
}

function denseCodes(
  cells: CodedBatchColumn,
  rows: Uint32Array,
  rowCount: number,
): CodedBatchColumn {
  const codes = new Uint32Array(rowCount);
  for (let i = 0; i < rows.length; i++) codes[rows[i]!] = cells.codes[i]!;
  return withCodes(cells, codes);
}

/** The column with its codes mapped to others. */
function withCodes(column: CodedBatchColumn, codes: Uint32Array): CodedBatchColumn {
  const { encoded } = column;
  return encoded === undefined ? { ...column, codes } : codedColumn(column, encoded, codes);
}
