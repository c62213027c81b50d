import type { SealedSegment } from "./sealSegment.js";

/** Bounds of a table on one leaf; null: none. Bytes are those of its segments, without dictionaries. */
export interface RetentionBounds {
  readonly beforeMs: number | null;
  readonly maxBytes: number | null;
}

/** Segments to let go of: those wholly before the time, and then the oldest, until the rest is within the bytes. */
export function chooseExpired(
  segments: readonly SealedSegment[],
  openBytes: number,
  { beforeMs, maxBytes }: RetentionBounds,
): SealedSegment[] {
  const oldestFirst = segments.toSorted((a, b) => a.maxMs - b.maxMs);
  let bytes = segments.reduce((sum, segment) => sum + segment.bytes, openBytes);
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
