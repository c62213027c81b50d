import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { MinuteRows } from "../../store/table/minuteRows.js";

const minuteMs = 60_000;

/** Rows of the whole minutes that cover each side's range, as the row-count ledger counts them. */
export function rowsOfMinutes(query: ResolvedQuery, rows: MinuteRows): number {
  let held = 0;
  for (const { fromMs, toMs } of query.sides) {
    held += rows.count(Math.floor(fromMs / minuteMs), Math.ceil(toMs / minuteMs));
  }
  return held;
}
