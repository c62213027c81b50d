import { formatTick } from "../../../format/time.js";
import { timeTicks } from "../paint/axis.js";
import type { BinTick } from "./binScale.js";

/** Time buckets side by side, of the same length except at changes of clocks. */
export interface TimeCells {
  readonly startsMs: readonly number[];
  readonly endMs: number;
}

/** Labels of the time axis, in cells from the left. */
export function timeCellTicks(times: TimeCells, countMax: number, timeZone: string): BinTick[] {
  const { startsMs, endMs } = times;
  const [first] = startsMs;
  if (first === undefined) return [];
  const { stepMs, timesMs } = timeTicks(first, endMs, countMax, timeZone);
  return timesMs.map((timeMs) => ({
    at: timeCellAt(times, timeMs),
    text: formatTick(timeMs, timeZone, stepMs),
  }));
}

/** Times of cells, both ends included, within the range of the query. */
export function timesOfCells(
  { startsMs, endMs }: TimeCells,
  from: number,
  to: number,
  range: { readonly fromMs: number; readonly toMs: number },
): { fromMs: number; toMs: number } {
  const fromMs = Math.max(range.fromMs, startsMs[from] ?? range.fromMs);
  return { fromMs, toMs: Math.min(range.toMs, startsMs[to + 1] ?? endMs) };
}

function timeCellAt({ startsMs, endMs }: TimeCells, timeMs: number): number {
  const next = startsMs.findIndex((startMs) => startMs > timeMs);
  const at = (next < 0 ? startsMs.length : next) - 1;
  const start = startsMs[at] ?? 0;
  const end = startsMs[at + 1] ?? endMs;
  return at + Math.min(1, Math.max(0, (timeMs - start) / Math.max(1, end - start)));
}
