import type { SealedSegment } from "./sealSegment.js";

/** Bounds of a table on one leaf; null: none. Bytes are those of its segments, without dictionaries. */
export interface RetentionBounds {
  readonly beforeMs: number | null;
  readonly maxBytes: number | null;
}

/**
 * Segments to let go of: those wholly before the time, and then the oldest, until the rest is within the bytes.
 * The open segment's rows count as what they will take once sealed: its room is several times that, and soon given back.
 */
export function chooseExpired(
  segments: readonly SealedSegment[],
  openRows: number,
  { beforeMs, maxBytes }: RetentionBounds,
): SealedSegment[] {
  const oldestFirst = segments.toSorted((a, b) => a.maxMs - b.maxMs);
  const sealedBytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
  const sealedRows = segments.reduce((sum, segment) => sum + segment.rowCount, 0);
  let bytes = sealedBytes * (sealedRows === 0 ? 1 : 1 + openRows / sealedRows);
  const expired: SealedSegment[] = [];
  for (const segment of oldestFirst) {
    const isOld = beforeMs !== null && segment.maxMs < beforeMs;
    const isTooMuch = maxBytes !== null && bytes > maxBytes;
    if (!isOld && !isTooMuch) break;
    expired.push(segment);
    bytes -= segment.bytes;
  }
  return expired;
}
