import { dayOf, hashDays } from "../../base/row/minuteHash.js";
import type { MinuteRows } from "./minuteCounts.js";

/** Pairs of minute and rows, of all minutes or those of some days. */
export function* pairsOf(
  { minutes, counts }: MinuteRows,
  days?: ReadonlySet<number>,
): Iterable<readonly [minute: number, rowCount: number]> {
  for (let i = 0; i < minutes.length; i++) {
    if (days === undefined || days.has(dayOf(minutes[i]!))) yield [minutes[i]!, counts[i]!];
  }
}

/** Days on which the two sides differ, ascending. */
export function differingDays(
  counted: MinuteRows,
  reported: ReadonlyMap<number, number>,
): readonly number[] {
  const own = hashDays(pairsOf(counted));
  const days = new Set([...own.keys(), ...reported.keys()]);
  return [...days].filter((day) => own.get(day) !== reported.get(day)).sort((a, b) => a - b);
}

export interface MinuteDifference {
  /** Rows that the leaf has and that are not counted. */
  readonly short: MinuteRows;
  /** Rows that are counted and that the leaf does not have. */
  readonly rowsOver: number;
  /** Minutes that differ and that changed meanwhile: they are compared in a later round. */
  readonly undecided: readonly number[];
}

/** Compares the ledger's counts with a leaf's rows, minute by minute. */
export function compareMinutes(
  counted: Iterable<readonly [minute: number, rowCount: number]>,
  held: Iterable<readonly [minute: number, rowCount: number]>,
  touched: ReadonlySet<number>,
): MinuteDifference {
  const differences = new Map(held);
  for (const [minute, rows] of counted)
    differences.set(minute, (differences.get(minute) ?? 0) - rows);
  const short: [number, number][] = [];
  const undecided: number[] = [];
  let rowsOver = 0;
  for (const [minute, rows] of differences) {
    if (rows === 0) continue;
    if (touched.has(minute)) undecided.push(minute);
    else if (rows > 0) short.push([minute, rows]);
    else rowsOver -= rows;
  }
  short.sort(([a], [b]) => a - b);
  const minutes = short.map(([minute]) => minute);
  return { short: { minutes, counts: short.map(([, rows]) => rows) }, rowsOver, undecided };
}
