import { margin } from "./build.js";
import type { TimePanel, TimePlot } from "./plot.js";
import { placeOf } from "./valueScale.js";

/** Distance of a time from the left edge of the chart. */
export function pixelOfTime({ drawing, fromMs, toMs }: TimePlot, timeMs: number): number {
  const room = drawing.width - margin.left - margin.right;
  return margin.left + ((timeMs - fromMs) / Math.max(1, toMs - fromMs)) * room;
}

/** The time under a pixel, kept within the range. */
export function timeAt({ drawing, fromMs, toMs }: TimePlot, x: number): number {
  const room = Math.max(1, drawing.width - margin.left - margin.right);
  const timeMs = Math.round(fromMs + ((x - margin.left) / room) * (toMs - fromMs));
  return Math.min(drawing.input.toMs, Math.max(drawing.input.fromMs, timeMs));
}

/** Distance of a value from the top edge of the chart. */
export const pixelOfValue = (panel: TimePanel, value: number): number =>
  panel.top + (1 - placeOf(panel, value)) * panel.height;

/** Whether a pixel is in a panel. */
export function isInPanel({ drawing, panels }: TimePlot, x: number, y: number): boolean {
  if (x < margin.left || x > drawing.width - margin.right) return false;
  return panels.some(({ top, height }) => y >= top && y <= top + height);
}
