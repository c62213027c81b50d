import type { ColumnDecode } from "./decodedView.js";
import type { ScanUnit, SegmentFilter } from "./scanTask.js";
import { neverMasked } from "./selection.js";
import { type SelectContext, selectRows } from "./selectRows.js";
import { valueOverflow } from "./valueOverflow.js";

/**
 * Ends the query when a row that counts has a value beyond 64 bits: for a column that the filter reads, a row of the
 * time range (whether it passes nobody can say); for others, a row that passes.
 */
export function checkOverflow(
  context: SelectContext,
  unit: ScanUnit,
  overflown: readonly ColumnDecode[],
): void {
  for (const { encoded, readBy } of overflown) {
    if (readBy === "others" || (encoded.kind !== "compiled" && encoded.kind !== "evaluated"))
      continue;
    const has: SegmentFilter = { op: "bitmap", bitmap: encoded.overflown, negated: false };
    const filter: SegmentFilter =
      readBy === "filter" ? has : { op: "all", filters: [has, unit.filter] };
    const { count } = selectRows(context, { ...unit, filter }, neverMasked);
    if (count > 0) throw valueOverflow(encoded.column.name);
  }
}

/** The same for rows that are listed: all of them are read. */
export function refuseOverflown(
  bytes: Uint8Array,
  overflown: readonly ColumnDecode[],
  rows: Uint32Array,
): void {
  for (const { encoded, readBy } of overflown) {
    if (readBy === "others" || (encoded.kind !== "compiled" && encoded.kind !== "evaluated"))
      continue;
    const bitmap = encoded.overflown;
    for (const row of rows) {
      if (((bytes[bitmap + (row >> 3)]! >> (row & 7)) & 1) === 1)
        throw valueOverflow(encoded.column.name);
    }
  }
}
