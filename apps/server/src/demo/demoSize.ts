import { rowsPerSecond, type Thinning, unthinned } from "./requests/requestWriter.js";

/** How much history the demo lays down, and how densely. */
export interface DemoSize {
  readonly historyMs: number;
  /** The newest stretch of it is as dense as the live rows. */
  readonly denseMs: number;
  /** Of everything older. */
  readonly thinning: Thinning;
}

const hourMs = 3_600_000;
/** Ten days: a week to look back from any hour of the last three days. */
const historyMs = 240 * hourMs;
const denseMsMax = 4 * hourMs;
/** At most this share of the rows is spent on the dense stretch. */
const denseShareMax = 0.4;
/** 3 M rows load in about a minute, show every hour of ten days and every minute of the last four hours. */
export const historyRowsDefault = 3_000_000;
/** Twenty rows an hour: fewer, and an hour could be empty by chance and look like a hole. */
const historyRowsMin = 4_800;

/** The densest whole-number thinning that keeps the history within about `rows`. */
export function demoSize(rows: number): DemoSize {
  if (!Number.isSafeInteger(rows) || rows < historyRowsMin) {
    throw new RangeError(`the demo's history needs at least ${historyRowsMin} rows, not ${rows}`);
  }
  const denseRows = rowsPerSecond(unthinned);
  const denseSeconds = Math.min(denseMsMax / 1_000, (rows * denseShareMax) / denseRows);
  const denseMs = Math.floor(denseSeconds / 60) * 60_000;
  const rowsLeft = rows - (denseRows * denseMs) / 1_000;
  const target = rowsLeft / ((historyMs - denseMs) / 1_000);
  let low = 1;
  let high = 1 << 20;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rowsPerSecond(thinningOf(middle)) > target) low = middle + 1;
    else high = middle;
  }
  return { historyMs, denseMs, thinning: thinningOf(low) };
}

/** Errors are thinned three times less: they are what people look for. */
function thinningOf(successes: number): Thinning {
  return { successes, notable: Math.max(1, Math.ceil(successes / 3)) };
}
