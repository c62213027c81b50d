import { timeColumn } from "@hadal/sdk";
import type { SegmentView } from "../../store/segment/segmentView.js";

/**
 * Smallest and largest value of a column of integers by its zone maps; null where a row lacks a
 * value, or a segment has another scale.
 */
export function completeRange(
  name: string,
  decimals: number,
  segments: readonly SegmentView[],
): { readonly least: bigint; readonly most: bigint } | null {
  if (name === timeColumn) return null;
  let least: bigint | null = null;
  let most: bigint | null = null;
  for (const { columns } of segments) {
    const column = columns.get(name);
    if (column?.kind !== "int" || column.present !== 0 || column.decimals !== decimals) return null;
    if (column.min > column.max) return null;
    if (least === null || column.min < least) least = column.min;
    if (most === null || column.max > most) most = column.max;
  }
  return least === null || most === null ? null : { least, most };
}
