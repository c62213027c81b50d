import type { Points, TimeBand } from "../plot/lines.js";
import { faded } from "../plot/panelLines.js";
import type { TimePanel, TimePlot } from "../plot/plot.js";
import { placeOf } from "../plot/valueScale.js";
import { type PlotPen, withinPanel } from "./plotPen.js";

/** Opacity of bands while a group is pointed at. */
const paleBand = 0.04;
/** Opacity of a single band. */
const focusBand = 0.1;

/**
 * Fills error bands with one path each. As uPlot lines with a fill between them they took half of the time
 * of drawing a chart.
 */
export function drawBands(
  pen: PlotPen,
  { drawing }: TimePlot,
  panel: TimePanel,
  focusedKey: string | null,
): void {
  if (panel.bands.length === 0) return;
  const xs = drawing.set.timesMs.map(pen.x);
  // On a logarithmic axis a band below the lower end runs along it.
  const place = (value: number): number =>
    placeOf(panel, panel.isLog ? Math.max(panel.floor, value) : value);
  const y = (value: number): number => pen.top + (1 - place(value)) * pen.height;
  withinPanel(pen, (context) => {
    for (const { key, low, high, color, opacity, isOfFocus } of panel.bands) {
      if (isOfFocus === true && key !== focusedKey) continue;
      context.beginPath();
      for (const [from, end] of knownRuns(low, high)) {
        context.moveTo(xs[from] ?? pen.left, y(high[from] ?? 0));
        for (let at = from + 1; at < end; at++)
          context.lineTo(xs[at] ?? pen.left, y(high[at] ?? 0));
        for (let at = end - 1; at >= from; at--)
          context.lineTo(xs[at] ?? pen.left, y(low[at] ?? 0));
        context.closePath();
      }
      context.fillStyle = faded(
        color,
        isOfFocus === true ? focusBand : bandOpacity(opacity, focusedKey),
      );
      context.fill();
    }
  });
}

export const bandOpacity = (opacity: number, focusedKey: string | null): number =>
  focusedKey === null ? opacity : Math.min(opacity, paleBand);

/** Where both edges are known without a gap: from the first bucket, and below the second. */
export function knownRuns(
  low: TimeBand["low"],
  high: Points,
): (readonly [from: number, end: number])[] {
  const runs: (readonly [number, number])[] = [];
  let from = -1;
  for (let at = 0; at <= low.length; at++) {
    const isKnown = at < low.length && low[at] !== null && (high[at] ?? null) !== null;
    if (isKnown && from < 0) from = at;
    if (isKnown || from < 0) continue;
    runs.push([from, at]);
    from = -1;
  }
  return runs;
}
