import type { ResolvedQuery } from "../plan/resolvedQuery.js";

const minuteMs = 60_000;

/** Rows of the whole minutes that cover each side's range: what the row-count ledger counts too. */
export function rowsHeld(query: ResolvedQuery, minutes: ReadonlyMap<number, number>): number {
  let held = 0;
  for (const { fromMs, toMs } of query.sides) {
    const first = Math.floor(fromMs / minuteMs);
    const end = Math.ceil(toMs / minuteMs);
    if (end - first <= minutes.size) {
      for (let minute = first; minute < end; minute++) held += minutes.get(minute) ?? 0;
      continue;
    }
    for (const [minute, rowCount] of minutes) {
      if (minute >= first && minute < end) held += rowCount;
    }
  }
  return held;
}
