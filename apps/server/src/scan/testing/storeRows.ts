import { rescaleBatch } from "../../store/columns/rescaleBatch.js";
import { TableColumns } from "../../store/columns/tableColumns.js";
import { OpenSegment } from "../../store/open/openSegment.js";
import { sealSegment } from "../../store/seal/sealSegment.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { batchOfRows, type PlainRow } from "../../store/testing/plainRows.js";
import type { ScanMemory } from "./scanMemory.js";

/** Each part as a sealed segment; the last one stays as it is: unsorted, and of 64 bits. */
export function storeRows(
  parts: readonly (readonly PlainRow[])[],
  { leaf, kernel }: Pick<ScanMemory, "leaf" | "kernel">,
): SegmentView[] {
  const columns = new TableColumns();
  const layoutOf = (name: string) => columns.layoutOf(name);
  return parts.map((rows, index) => {
    const batch = batchOfRows(rows);
    const open = new OpenSegment(leaf, kernel);
    const ready = rescaleBatch(columns.take(batch), layoutOf);
    open.reserve(ready, layoutOf);
    open.append(ready);
    return index + 1 < parts.length
      ? sealSegment(open.view(), index + 1, { memory: leaf, kernel })
      : open.view();
  });
}
