import { decimalsMax, timeColumn } from "@hadal/sdk";
import type { LeafTable } from "../cluster/leafProtocol.js";
import { columnForms } from "../store/columnForms.js";
import type { SegmentView } from "../store/segmentView.js";
import type { Table } from "../store/table.js";

/** What a leaf tells about one of its tables. The bytes of its columns are all that its segments and dictionaries take. */
export function describeTable(table: Table): LeafTable {
  const segments = table.snapshot();
  const { columns, rawSizes } = table;
  const bytesAt = (place: string): number =>
    segments.reduce((sum, { columnBytes }) => sum + (columnBytes.get(place) ?? 0), 0);
  const spans = segments.filter(({ rowCount }) => rowCount > 0);
  const time = {
    ...({ name: timeColumn, types: ["int"], decimals: 0, decimalsMax } as const),
    bytes: bytesAt(timeColumn),
  };
  const named = [...columns.names].map((name) => ({
    name,
    ...columnForms(columns, name, segments),
    bytes: columns
      .placesOf(name)
      .reduce((sum, place) => sum + bytesAt(place.name), columns.dictionaryBytesOf(name)),
  }));
  return {
    name: table.name,
    rows: table.rowCount,
    bytes: table.bytes,
    bookBytes: table.bookBytes,
    rawBytes: rawSizes.bytes,
    segments: segments.length,
    fromMs: spans.length === 0 ? null : Math.min(...spans.map(({ minMs }) => minMs)),
    toMs: spans.length === 0 ? null : Math.max(...spans.map(({ maxMs }) => maxMs)),
    ...(table.lost.isEmpty ? {} : { hasLost: true }),
    columns: [time, ...named].map((column) => ({
      ...column,
      rows: rawSizes.valuesOf(column.name),
      rawBytes: rawSizes.bytesOf(column.name),
      neverNegative:
        column.name !== timeColumn &&
        columns
          .placesOf(column.name)
          .every(({ name, type }) => type === "int" && neverNegative(segments, name)),
    })),
  };
}

function neverNegative(segments: readonly SegmentView[], name: string): boolean {
  return segments.every(({ columns }) => {
    const column = columns.get(name);
    // Without a value the least is above the greatest.
    return (
      column === undefined ||
      (column.kind === "int" && (column.min >= 0n || column.min > column.max))
    );
  });
}
