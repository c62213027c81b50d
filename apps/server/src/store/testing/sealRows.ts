import type { LeafMemory } from "../../memory/leafMemory.js";
import { rescaleBatch } from "../columns/rescaleBatch.js";
import { TableColumns } from "../columns/tableColumns.js";
import { OpenSegment } from "../open/openSegment.js";
import { sealSegment } from "../seal/sealSegment.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import type { TableContext } from "../segment/tableContext.js";
import { batchOfRows, type PlainRow } from "./plainRows.js";

/** A sealed segment of these rows, as a table makes it. */
export function sealRows(
  rows: readonly PlainRow[],
  memory: LeafMemory,
  kernel: TableContext["kernel"],
): SealedSegment {
  const columns = new TableColumns();
  const batch = batchOfRows(rows);
  const layoutOf = (name: string) => columns.layoutOf(name);
  const ready = rescaleBatch(columns.take(batch), layoutOf);
  const open = new OpenSegment(memory, kernel);
  open.reserve(ready, layoutOf);
  open.append(ready);
  return sealSegment(open.view(), 1, { memory, kernel });
}
