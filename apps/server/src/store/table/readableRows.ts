import type { StoredSegment } from "../segment/segmentView.js";
import { MinuteRows } from "./minuteRows.js";
import type { TableSegments } from "./tableSegments.js";

/**
 * The segments that can answer a query, and the rows left out because values that it reads are
 * lost.
 */
export interface ReadableRows {
  readonly segments: readonly StoredSegment[];
  /** Null: nothing. */
  readonly unreadable: UnreadableRows | null;
}

export interface UnreadableRows {
  readonly minuteRows: MinuteRows;
  /** Those of the query's columns that cannot be read of some of these rows. */
  readonly columns: readonly string[];
}

/** For a query that reads these columns; null: it may read any. */
export function readableRows(
  segments: readonly StoredSegment[],
  sealed: Pick<TableSegments, "list" | "minutesOf" | "lost">,
  columns: ReadonlySet<string> | null,
): ReadableRows {
  if (!sealed.lost.hasColumns) return { segments, unreadable: null };
  const isRead = (column: string): boolean => columns?.has(column) ?? true;
  const lacking = sealed.list.filter(({ lostColumns }) => [...lostColumns].some(isRead));
  if (lacking.length === 0) return { segments, unreadable: null };
  const left = new Set<StoredSegment>(lacking);
  const minuteRows = new MinuteRows();
  const { minutes, counts } = sealed.minutesOf(lacking);
  for (const [i, minute] of minutes.entries()) minuteRows.add(minute, counts[i]!);
  const lost = new Set(lacking.flatMap(({ lostColumns }) => [...lostColumns]));
  return {
    segments: segments.filter((segment) => !left.has(segment)),
    unreadable: { minuteRows, columns: [...lost].filter(isRead) },
  };
}
