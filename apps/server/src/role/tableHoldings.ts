import { dayOf, hashDays, totalHash } from "../base/row/minuteHash.js";
import type { HeldDays, HeldMinutes, LostColumnRows, TableHoldings } from "../cluster/leafReply.js";
import type { LostColumn } from "../store/table/lostRows.js";
import type { Table } from "../store/table/table.js";

/** Days in one answer: 100 KB of JSON. */
const daysMax = 4_096;
/** A message with more columns would not be read. */
const lostColumnsMax = 100;

/**
 * The rows that a leaf should have of a table by its own counts, including rows that it knows to be
 * lost.
 */
export function holdingsOf(table: Table): TableHoldings {
  const { lost, name } = table;
  const hash = totalHash(hashDays(shouldHold(table)));
  let rowsLost = 0;
  for (const rows of lost.rows.minutes.values()) rowsLost += rows;
  return {
    name,
    hash,
    rowsLost,
    lostBecause: lost.reasons[0] ?? null,
    unknownLoss: lost.unknown[0] ?? null,
    ...(lost.torn === null ? {} : { tornLog: lost.torn }),
    ...(lost.hasColumns ? { lostColumns: lostColumnsOf(lost.columns) } : {}),
  };
}

/** Column by column, with the first reason of each. */
function lostColumnsOf(lost: readonly LostColumn[]): readonly LostColumnRows[] {
  const found = new Map<string, LostColumnRows>();
  for (const { column, rowCount, reason } of lost) {
    const before = found.get(column);
    const rows = (before?.rows ?? 0) + rowCount;
    found.set(column, { column, rows, reason: before?.reason ?? reason });
  }
  return [...found.values()].slice(0, lostColumnsMax);
}

/** Hashes of the days from `fromDay` on, in order, a page at a time. */
export function heldDays(table: Table | undefined, fromDay: number | null): HeldDays {
  if (table === undefined) return { days: [], hashes: [], nextDay: null };
  const all = [...hashDays(shouldHold(table))].sort(([a], [b]) => a - b);
  const left = fromDay === null ? all : all.filter(([day]) => day >= fromDay);
  const reported = left.slice(0, daysMax);
  return {
    days: reported.map(([day]) => day),
    hashes: reported.map(([, hash]) => hash),
    nextDay: left[daysMax]?.[0] ?? null,
  };
}

/** Rows of each minute of some days, including lost ones. */
export function heldMinutes(table: Table | undefined, days: readonly number[]): HeldMinutes {
  const wanted = new Set(days);
  const minutes: number[] = [];
  const counts: number[] = [];
  for (const [minute, rows] of table === undefined ? [] : shouldHold(table)) {
    if (!wanted.has(dayOf(minute))) continue;
    minutes.push(minute);
    counts.push(rows);
  }
  return { minutes, counts };
}

function* shouldHold(table: Table): Iterable<readonly [minute: number, rowCount: number]> {
  const lost = table.lost.rows.minutes;
  for (const [minute, rows] of table.minutes) yield [minute, rows + (lost.get(minute) ?? 0)];
  for (const [minute, rows] of lost) if (!table.minutes.has(minute)) yield [minute, rows];
}
