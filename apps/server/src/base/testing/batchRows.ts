import type { DenseBatchColumn, RowBatch } from "../row/rowBatch.js";
import { denseColumn } from "../row/sparseColumn.js";

/** A cell as a batch stores it: missing, integer with its decimals, string, or a list. */
export type StoredCell =
  | null
  | string
  | { readonly int: bigint; readonly decimals: number }
  | string[];

/** The rows of a batch, one object each, for comparison with what was sent. */
export function batchRows(batch: RowBatch): Record<string, StoredCell>[] {
  const dense = batch.columns.map((column) => denseColumn(column, batch.rowCount));
  return Array.from({ length: batch.rowCount }, (_, row) => {
    const cells: Record<string, StoredCell> = Object.create(null);
    for (const column of dense) {
      const cell = cellAt(column, row);
      if (cell !== null) cells[column.name] = cell;
    }
    return cells;
  });
}

function cellAt(column: DenseBatchColumn, row: number): StoredCell {
  if (column.type === "int") {
    if (column.present !== null && column.present[row] === 0) return null;
    return { int: column.values[row]!, decimals: column.decimals };
  }
  const code = column.codes[row]!;
  if (code === 0) return null;
  const text = column.dictionary[code - 1]!;
  return column.type === "string" ? text : (JSON.parse(text) as string[]);
}
