import type { LeafTable } from "../cluster/leafProtocol.js";
import type { SegmentColumn } from "../column/segmentColumn.js";
import type { SegmentView } from "../store/segmentView.js";
import type { Table } from "../store/table.js";

/** What a leaf tells about one of its tables. */
export function describeTable(table: Table): LeafTable {
  const segments = table.snapshot();
  const spans = segments.filter(({ rowCount }) => rowCount > 0);
  return {
    name: table.name,
    rows: table.rowCount,
    bytes: table.bytes,
    rawBytes: table.rawBytes,
    fromMs: spans.length === 0 ? null : Math.min(...spans.map(({ minMs }) => minMs)),
    toMs: spans.length === 0 ? null : Math.max(...spans.map(({ maxMs }) => maxMs)),
    columns: [...table.columns.names].map((name) => ({
      name,
      ...table.columns.typeOf(name),
      bytes:
        table.columns.dictionaryBytesOf(name) +
        segments.reduce((sum, segment) => sum + bytesOf(segment, segment.columns.get(name)), 0),
    })),
  };
}

function bytesOf({ rowCount }: SegmentView, column: SegmentColumn | undefined): number {
  if (column === undefined) return 0;
  if (column.kind === "text") return column.textBytes + rowCount * 4;
  const bitmap = column.kind === "int" && column.present !== 0 ? rowCount / 8 : 0;
  return rowCount * column.values.width + Math.ceil(bitmap);
}
