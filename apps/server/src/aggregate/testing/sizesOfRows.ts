import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { LeafMinutes, minuteMs } from "../estimate/leafMinutes.js";
import { createTimeSizes, type TimeSizes } from "../estimate/timeSizes.js";

/** When a row was. */
interface TimedRow {
  readonly timeMs: number;
}

/** The rows of leaves that answered and of those that did not, as the row-count ledger would count them: by side. */
export function sizesOfRows(
  { sides }: ResolvedQuery,
  answered: readonly (readonly TimedRow[])[],
  missing: readonly (readonly TimedRow[])[],
): readonly TimeSizes[] {
  return sides.map(({ fromMs, toMs }) => {
    const minutesOf = (rows: readonly TimedRow[]): LeafMinutes =>
      countedMinutes(rows.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs));
    return createTimeSizes(answered.map(minutesOf), missing.map(minutesOf), toMs - fromMs);
  });
}

function countedMinutes(rows: readonly TimedRow[]): LeafMinutes {
  const found = new Map<number, number>();
  for (const { timeMs } of rows) {
    const minute = Math.floor(timeMs / minuteMs);
    found.set(minute, (found.get(minute) ?? 0) + 1);
  }
  const minutes = [...found.keys()].sort((a, b) => a - b);
  return new LeafMinutes({ minutes, counts: minutes.map((minute) => found.get(minute)!) });
}
