import { drawnValue, isStack, panelsOf, type TimeDrawing } from "../plot/build.js";
import type { TimePlot } from "../plot/plot.js";
import { pixelOfValue, timeAt } from "../plot/scale.js";

/** Largest distance between the pointer and its line. */
const touchPx = 24;

export interface Touched {
  readonly seriesIndex: number;
  readonly measureIndex: number;
  readonly at: number;
}

/** Index of the bucket that is nearest to a time. */
export function nearestIndex(timesMs: readonly number[], timeMs: number): number {
  let [low, high] = [0, timesMs.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timesMs[middle] ?? 0) < timeMs) low = middle + 1;
    else high = middle;
  }
  const before = low > 0 ? (timesMs[low - 1] ?? 0) : Number.NEGATIVE_INFINITY;
  return timeMs - before < (timesMs[low] ?? 0) - timeMs ? low - 1 : low;
}

/** A dragged range widened to whole buckets: times stay readable and no bucket is cut. */
export function bucketsAround(
  drawing: Pick<TimeDrawing, "input" | "set">,
  a: number,
  b: number,
): { fromMs: number; toMs: number } {
  const { timesMs } = drawing.set;
  const { fromMs, toMs } = drawing.input;
  const [low, high] = [Math.min(a, b), Math.max(a, b)];
  const start = timesMs.findLast((timeMs) => timeMs <= low) ?? fromMs;
  const end = timesMs.find((timeMs) => timeMs >= high) ?? toMs;
  return { fromMs: Math.max(fromMs, start), toMs: Math.min(toMs, end) };
}

/** The panel under a pixel. */
export function panelAt(drawing: TimeDrawing, y: number): number {
  const panels = panelsOf(drawing.input.measures.length, drawing.height);
  const index = panels.findIndex((panel) => y <= panel.top + panel.height + 8);
  return index < 0 ? panels.length - 1 : index;
}

/** The line or band near a pixel; null: none. */
export function seriesAt(plot: TimePlot, x: number, y: number): Touched | null {
  const { drawing } = plot;
  const m = panelAt(drawing, y);
  const panel = plot.panels[m];
  if (panel === undefined) return null;
  const at = nearestIndex(drawing.set.timesMs, timeAt(plot, x));
  const stacks = isStack(drawing, m);
  const isBelowZero = panel.floor < 0 && y > pixelOfValue(panel, 0);
  let best: { seriesIndex: number; distance: number } | null = null;
  for (let s = 0; s < drawing.set.series.length; s++) {
    const value = drawnValue(drawing, s, m, at);
    if (value === null) continue;
    const top = pixelOfValue(panel, value);
    // Bands stack from zero to both sides: the first one that ends beyond the pixel contains it.
    const contains = value < 0 ? isBelowZero && y <= top : !isBelowZero && y >= top;
    if (stacks && contains) return { seriesIndex: s, measureIndex: m, at };
    const distance = Math.abs(top - y);
    if (distance <= touchPx && (best === null || distance < best.distance)) {
      best = { seriesIndex: s, distance };
    }
  }
  return best === null ? null : { seriesIndex: best.seriesIndex, measureIndex: m, at };
}
