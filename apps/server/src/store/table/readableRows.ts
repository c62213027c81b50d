import type { SealedSegment } from "../segment/sealedSegment.js";
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
  /** Rows of a copy that do not count, because its leaf may have removed them; null: none. */
  readonly leaving: MinuteRows | null;
  /** Rows of units that the query sees beyond those that the table counts; negative: it does not. */
  readonly ofUnits: MinuteRows | null;
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
  leavingGenerations: readonly number[],
): Omit<ReadableRows, "ofUnits"> {
  const isLeaving = ({ generation }: SealedSegment): boolean =>
    leavingGenerations.includes(generation);
  const leaving = leavingGenerations.length === 0 ? [] : sealed.list.filter(isLeaving);
  const isRead = (column: string): boolean => columns?.has(column) ?? true;
  const lacking = sealed.lost.hasColumns
    ? sealed.list.filter((one) => !isLeaving(one) && [...one.lostColumns].some(isRead))
    : [];
  if (lacking.length === 0 && leaving.length === 0)
    return { segments, unreadable: null, leaving: null };
  const left = new Set<StoredSegment>([...lacking, ...leaving]);
  const lost = new Set(lacking.flatMap(({ lostColumns }) => [...lostColumns]));
  const minutesOf = (some: readonly SealedSegment[]): MinuteRows => addMinutes(sealed, some);
  return {
    segments: segments.filter((segment) => !left.has(segment)),
    unreadable:
      lacking.length === 0
        ? null
        : { minuteRows: minutesOf(lacking), columns: [...lost].filter(isRead) },
    leaving: leaving.length === 0 ? null : minutesOf(leaving),
  };
}

function addMinutes(
  sealed: Pick<TableSegments, "minutesOf">,
  segments: readonly SealedSegment[],
): MinuteRows {
  const rows = new MinuteRows();
  const { minutes, counts } = sealed.minutesOf(segments);
  for (const [i, minute] of minutes.entries()) rows.add(minute, counts[i]!);
  return rows;
}
