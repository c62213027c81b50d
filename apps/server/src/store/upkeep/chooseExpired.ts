import { chooseCut, type HeldBytes } from "../segment/byteBound.js";
import type { SealedSegment } from "../segment/sealedSegment.js";

/** Bounds of a table on one leaf; null: none. Bytes are all its memory there. */
export interface RetentionBounds {
  readonly beforeMs: number | null;
  readonly maxBytes: number | null;
}

/**
 * Segments to remove: those wholly before the time, and of the rest the oldest beyond the bound on
 * bytes.
 */
export function chooseExpired(
  segments: readonly SealedSegment[],
  held: HeldBytes,
  { beforeMs, maxBytes }: RetentionBounds,
): SealedSegment[] {
  const isOld = ({ maxMs }: SealedSegment): boolean => beforeMs !== null && maxMs < beforeMs;
  const old = segments.filter(isOld);
  if (maxBytes === null) return old;
  const rowBytes = old.reduce((sum, { bytes }) => sum - bytes, held.rowBytes);
  const young = segments.filter((segment) => !isOld(segment));
  return [...old, ...chooseCut(young, { ...held, rowBytes }, maxBytes).whole];
}
