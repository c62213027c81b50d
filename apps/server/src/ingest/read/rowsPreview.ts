import {
  type PreviewColumn,
  previewRowsMax,
  type RowsPreview,
  type TimesReading,
  timeColumn,
} from "@hadal/sdk";
import type { BatchColumn, DenseBatchColumn, RowBatch } from "../../base/row/rowBatch.js";
import { cellsOf } from "../../base/row/sparseColumn.js";
import { printDecimal } from "../../column/decimal.js";
import type { CollectedRows } from "../row/rowCollector.js";

type Cell = RowsPreview["rows"][number][number];

/** A later one shows the values of those before it, too. */
const rank: Readonly<Record<PreviewColumn["type"], number>> = {
  ...{ time: 0, int: 1, string: 2, set: 3, vector: 4 },
};

/** The verdicts on rows, and the first of them as their batches would store them. */
export function rowsPreview(collected: CollectedRows, times: TimesReading): RowsPreview {
  const { batches, accepted, rejected, problems, csv } = collected;
  const shown = batches[0];
  return {
    accepted,
    rejected,
    problems,
    columns: [{ name: timeColumn, type: "time", decimals: 0 }, ...columnsOf(batches)],
    rows: shown === undefined ? [] : firstRows(shown, columnsOf(batches)),
    ...(csv === undefined ? {} : { csv }),
    times,
  };
}

/**
 * Of all batches. A batch has a column's values of each type by themselves: shown is the type that
 * queries over all of them see.
 */
function columnsOf(batches: readonly RowBatch[]): readonly PreviewColumn[] {
  const columns = new Map<string, PreviewColumn>();
  for (const column of batches.flatMap((batch) => batch.columns.map(cellsOf))) {
    const { name, type } = column;
    const decimals = column.type === "int" ? column.decimals : 0;
    const known = columns.get(name);
    if (known === undefined) columns.set(name, { name, type, decimals });
    else if (rank[type] > rank[known.type] || (known.type === type && decimals > known.decimals))
      columns.set(name, { name, type, decimals });
  }
  return [...columns.values()];
}

function firstRows(batch: RowBatch, columns: readonly PreviewColumn[]): RowsPreview["rows"] {
  const byName = new Map<string, BatchColumn[]>();
  for (const column of batch.columns)
    byName.set(column.name, [...(byName.get(column.name) ?? []), column]);
  const rowCount = Math.min(batch.rowCount, previewRowsMax);
  return Array.from({ length: rowCount }, (_, row): readonly Cell[] => [
    batch.times[row] ?? null,
    ...columns.map(({ name }) => valueAt(byName.get(name) ?? [], row)),
  ]);
}

/** A row has a value in one of them at most. */
function valueAt(columns: readonly BatchColumn[], row: number): Cell {
  for (const column of columns) {
    const cell = cellAt(column, row);
    if (cell !== null) return cell;
  }
  return null;
}

function cellAt(column: BatchColumn, row: number): Cell {
  if (column.type !== "sparse") return cellOf(column, row);
  const at = column.rows.indexOf(row);
  return at < 0 ? null : cellOf(column.cells, at);
}

function cellOf(column: DenseBatchColumn, row: number): Cell {
  if (column.type === "int") {
    const isMissing = column.present !== null && column.present[row] === 0;
    return isMissing ? null : printDecimal(column.values[row] ?? 0n, column.decimals);
  }
  const code = column.codes[row] ?? 0;
  if (code === 0) return null;
  const text = column.dictionary[code - 1] ?? "";
  return column.type === "string" ? text : (JSON.parse(text) as readonly string[]);
}
