import type { SealedSegment } from "../segment/sealedSegment.js";

/** The newest rows of a segment; rows of equal times in their stored order. */
export function newestRows({ rowCount }: SealedSegment, keepNewest: number): Uint32Array {
  const first = Math.max(0, rowCount - keepNewest);
  return Uint32Array.from({ length: rowCount - first }, (_, i) => first + i);
}
