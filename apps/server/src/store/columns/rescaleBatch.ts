import type {
  BatchColumn,
  DenseBatchColumn,
  IntBatchColumn,
  RowBatch,
} from "../../base/row/rowBatch.js";
import { cellsOf, withCells } from "../../base/row/sparseColumn.js";
import { rescale } from "../../column/decimal.js";
import type { ColumnLayout } from "../open/openSegment.js";

/**
 * The batch with every column of integers at the decimals that its table stores, values unchanged
 * in meaning.
 */
export function rescaleBatch(
  batch: RowBatch,
  layoutOf: (column: string) => ColumnLayout,
): RowBatch {
  const columns = batch.columns.map((column) => storedColumn(column, layoutOf(column.name)));
  return { ...batch, columns };
}

function storedColumn(column: BatchColumn, layout: ColumnLayout): BatchColumn {
  return withCells(column, storedCells(cellsOf(column), layout));
}

function storedCells(column: DenseBatchColumn, layout: ColumnLayout): DenseBatchColumn {
  if (layout.kind === "int" && column.type === "int") {
    return column.decimals === layout.decimals ? column : rescaleColumn(column, layout.decimals);
  }
  const type = layout.kind === "coded" ? layout.type : layout.kind === "text" ? "string" : "int";
  if (column.type !== type) throw new Error(`column ${column.name} is of type ${type}`);
  return column;
}

function rescaleColumn(column: IntBatchColumn, decimals: number): IntBatchColumn {
  const values = column.values.map((value) => rescale(value, column.decimals, decimals));
  return { ...column, values, decimals };
}
