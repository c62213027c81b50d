import type { Filter, Query } from "@hadal/sdk";
import type { BatchColumn, RowBatch } from "../../base/row/rowBatch.js";
import { denseColumn } from "../../base/row/sparseColumn.js";

/** Columns that tell a row from others; more make the query dearer. */
const columnsMax = 4;
/** Longer texts are no names. */
const textLengthMax = 200;

/** Counts the rows that are like one row of a batch: at its time, with its values in some columns. */
export function canaryQuery(table: string, batch: RowBatch, row: number): Query {
  const time = batch.times[row]!;
  const filter: Filter[] = [];
  for (const column of batch.columns) {
    if (filter.length === columnsMax) break;
    const value = cellOf(column, row, batch.rowCount);
    if (value !== null) filter.push({ column: column.name, op: "=", value });
  }
  return {
    ...{ table, from: time, to: time + 1, filter },
    aggregates: [{ fn: "count.raw" }],
    timeoutMs: 2_000,
  };
}

/** Null: missing, or of a kind that is not compared. */
function cellOf(given: BatchColumn, row: number, rowCount: number): string | number | null {
  const column = denseColumn(given, rowCount);
  if (column.type === "int") {
    // A fraction may be stored with fewer decimals.
    if (column.decimals > 0 || column.present?.[row] === 0) return null;
    const value = column.values[row]!;
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (column.type !== "string") return null;
  const code = column.codes[row]!;
  const text = code === 0 ? undefined : column.dictionary[code - 1];
  return text === undefined || text.length > textLengthMax ? null : text;
}
