import { HadalError } from "@hadal/sdk";
import { inTurns } from "../base/schedule/steps.js";
import type { LeafQueryStats } from "../cluster/leafReply.js";
import { createColumnReader } from "../column/readColumn.js";
import { createTextReader } from "../column/textReader.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import { storedColumnOf } from "../plan/schema/bindColumns.js";
import type { StoredSegment } from "../store/segment/segmentView.js";
import type { ReadableRows } from "../store/table/readableRows.js";
import type { Table } from "../store/table/table.js";
import { answerFollowUp } from "./answer/followUpAnswer.js";
import type { LeafAnswer, LeafQuery } from "./leafAnswer.js";
import { QueryMemory } from "./memory/queryMemory.js";
import { type ScannedSegments, scanSegments } from "./scanSegments.js";
import { castSegments, columnsToCast } from "./segment/castColumns.js";
import { keyThinnedSpan } from "./segment/keyThinnedSpan.js";
import { valueReaders } from "./segment/placedValues.js";
import { rowsOfMinutes } from "./segment/rowsOfMinutes.js";
import { createStringReader } from "./value/stringReader.js";

/**
 * Answers a query from one table: prunes, lowers and scans; partial answers are passed on, and the
 * last one is returned.
 */
export async function scanTable(asked: LeafQuery, table: Table | undefined): Promise<LeafAnswer> {
  const { query, snapshot, onPartial } = asked;
  const known = await answerFromKept(asked);
  if (known !== null) return known;
  const found = table?.readable(columnsRead(query), snapshot) ?? noRows;
  const { segments: readable, leaving, ofUnits } = found;
  const rowsOfUnits = ofUnits === null ? 0 : rowsOfMinutes(query, ofUnits);
  const rowsLeaving = (leaving === null ? 0 : rowsOfMinutes(query, leaving)) - rowsOfUnits;
  const marks = marksOf(query, found);
  const rowsUnread = (marks?.unreadable?.rows ?? 0) + rowsLeaving;
  if (marks === null) return scanReadable(asked, table, { readable, rowsUnread });
  const mark = (answer: LeafAnswer): LeafAnswer => ({
    ...answer,
    stats: { ...answer.stats, ...marks },
  });
  const marked: LeafQuery = { ...asked, onPartial: (part) => onPartial(mark(part)) };
  return mark(await scanReadable(marked, table, { readable, rowsUnread }));
}

/** What the root has to know of the rows beside their number; null: nothing. */
function marksOf(
  query: ResolvedQuery,
  { segments, unreadable }: ReadableRows,
): Pick<LeafQueryStats, "unreadable" | "thinnedByKey"> | null {
  const thinnedByKey = keyThinnedSpan(query, segments);
  if (unreadable === null && thinnedByKey === null) return null;
  return {
    ...(unreadable !== null && {
      unreadable: {
        rows: rowsOfMinutes(query, unreadable.minuteRows),
        columns: unreadable.columns,
      },
    }),
    ...(thinnedByKey !== null && { thinnedByKey }),
  };
}

const noRows: ReadableRows = { segments: [], unreadable: null, leaving: null, ofUnits: null };

/** The stored columns that the query reads, beside the time; null: unknown. */
function columnsRead({ bound }: ResolvedQuery): ReadonlySet<string> | null {
  if (bound === undefined) return null;
  return new Set(bound.map(storedColumnOf));
}

/** The segments that the query can read, and how many rows of its ranges are in others. */
interface Readable {
  readonly readable: readonly StoredSegment[];
  readonly rowsUnread: number;
}

async function scanReadable(
  asked: LeafQuery,
  table: Table | undefined,
  { readable, rowsUnread }: Readable,
): Promise<LeafAnswer> {
  const { query, context, signal } = asked;
  // No leaf column is read where none is lost.
  const segments = query.only?.groupCount === 0 ? [] : readable;
  const held = table === undefined ? 0 : rowsOfMinutes(query, table.minuteRows) - rowsUnread;
  const totals = table?.totals ?? null;
  totals?.follow(segments);
  const stored: ScannedSegments = { segments, totals, held, isCast: false };
  const toCast = table === undefined ? [] : columnsToCast(query, table.columns, segments);
  if (table === undefined || toCast.length === 0) {
    return scanSegments(asked, stored);
  }
  for (const { pins } of segments) pins.pin();
  const memory = new QueryMemory(context.memory, () => context.kept.releaseOldest());
  try {
    const means = { memory, readers: valueReaders(context) };
    const wanted = { bound: toCast, columns: table.columns };
    const steps = castSegments(query, wanted, segments, means);
    const cast = await inTurns(steps, signal);
    // Other queries may have changed the totals meanwhile.
    totals?.follow(segments);
    const seen = cast.totals === null ? stored : { ...cast, held, isCast: true };
    return await scanSegments(asked, seen);
  } finally {
    memory.release();
    for (const { pins } of segments) pins.unpin();
  }
}

/** The groups of a follow-up are mostly in the tables of the scan before it. */
async function answerFromKept({
  query,
  snapshot,
  context: { memory, kernel, scratch, kept },
  signal,
}: LeafQuery): Promise<LeafAnswer | null> {
  if (query.only === undefined) return null;
  const scan = kept.take(query, snapshot);
  if (scan === null) return null;
  try {
    const texts = createTextReader(memory.memory, kernel, scratch.pages);
    const strings = createStringReader(createColumnReader(memory.memory), texts);
    const context = { memory: memory.memory, kernel, scratch, strings };
    const partial = await inTurns(answerFollowUp(scan, query.only, context), signal);
    return { partial, isCut: true, stats: scan.stats };
  } catch (error) {
    // The tables have no room for the wanted keys: a scan looks them up.
    if (error instanceof HadalError && !signal.aborted) return null;
    throw error;
  } finally {
    scan.memory.release();
  }
}
