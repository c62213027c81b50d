import type uPlot from "uplot";
import type { Points, TimeBand } from "./lines.js";
import { faded } from "./panelLines.js";
import type { TimePanel } from "./plot.js";

/** How much is left of bands while the reader points at a group. */
const paleBand = 0.04;

/**
 * Fills where the lines may be, one path to a band: as lines of uPlot's, filled between, they took half of the time
 * that a chart is drawn in.
 */
export function drawBands(
  chart: uPlot,
  { bands, floor, ceiling }: Pick<TimePanel, "bands" | "floor" | "ceiling">,
  focusedKey: string | null,
): void {
  if (bands.length === 0) return;
  const { ctx, bbox } = chart;
  const { left, top, width, height } = bbox;
  const xs = Float64Array.from(chart.data[0], (timeMs) => chart.valToPos(timeMs, "x", true));
  const scale = height / (ceiling - floor);
  const y = (value: number): number => top + (ceiling - value) * scale;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  for (const { low, high, color, opacity } of bands) {
    ctx.beginPath();
    for (const [from, end] of knownRuns(low, high)) {
      ctx.moveTo(xs[from] ?? left, y(high[from] ?? 0));
      for (let at = from + 1; at < end; at++) ctx.lineTo(xs[at] ?? left, y(high[at] ?? 0));
      for (let at = end - 1; at >= from; at--) ctx.lineTo(xs[at] ?? left, y(low[at] ?? 0));
      ctx.closePath();
    }
    ctx.fillStyle = faded(color, bandOpacity(opacity, focusedKey));
    ctx.fill();
  }
  ctx.restore();
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
