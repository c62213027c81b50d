import type { TimeSpan } from "../../../query/state/exploreState.js";

/** A part of the line, in percent of its width. */
export interface SpanPercent {
  readonly left: number;
  readonly width: number;
}

export interface RetentionTimes {
  /** From the first to the last row. */
  readonly stored: TimeSpan;
  /** Rows before this time are expired; null: no age limit. */
  readonly expiredMs: number | null;
  /** The range of the query; null: unreadable. */
  readonly queried: TimeSpan | null;
  readonly nowMs: number;
}

/** The parts of a line from the earliest of these times to the latest; null: not shown. */
export function retentionSpans({ stored, expiredMs, queried, nowMs }: RetentionTimes) {
  const { fromMs, toMs } = stored;
  const startMs = Math.min(fromMs, queried?.fromMs ?? fromMs, expiredMs ?? fromMs);
  const endMs = Math.max(nowMs, toMs, queried?.toMs ?? nowMs);
  const percentAt = (timeMs: number) => ((timeMs - startMs) / Math.max(1, endMs - startMs)) * 100;
  const percentOf = (span: TimeSpan): SpanPercent => {
    const left = percentAt(span.fromMs);
    // A short span stays visible.
    return { left, width: Math.max(0.5, percentAt(span.toMs) - left) };
  };
  const isExpiredShown = expiredMs !== null && expiredMs > startMs;
  return {
    expired: isExpiredShown ? percentOf({ fromMs: startMs, toMs: expiredMs }) : null,
    stored: percentOf(stored),
    queried: queried === null ? null : percentOf(queried),
  };
}
