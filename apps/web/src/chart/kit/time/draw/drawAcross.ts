import { formatMeasure } from "../../../../format/value.js";
import type { ChartTheme } from "../../paint/theme.js";
import type { TimePanel } from "../plot/plot.js";
import { placeOf } from "../plot/valueScale.js";
import { type PlotPen, withinPanel } from "./plotPen.js";

const [labelPx, edgePx] = [11, 4];
const dashPx = [6, 3];

/** Draws lines across the panel: no difference between the sides, and thresholds with their values. */
export function drawAcross(pen: PlotPen, panel: TimePanel, theme: ChartTheme): void {
  const { thresholds, same } = panel;
  const heightOf = (value: number): number => pen.top + (1 - placeOf(panel, value)) * pen.height;
  if (same !== null && same >= panel.floor && same <= panel.ceiling) {
    withinPanel(pen, () => strokeAcross(pen, heightOf(same), theme.quiet, []));
  }
  withinPanel(pen, (context) => {
    for (const threshold of thresholds) {
      const y = heightOf(threshold);
      strokeAcross(pen, y, theme.bad, dashPx);
      context.font = `${labelPx * pen.ratio}px ${theme.font}`;
      context.textAlign = "right";
      // At the top of the panel there is no room above the line.
      const isBelow = y - pen.top < (labelPx + 2 * edgePx) * pen.ratio;
      context.textBaseline = isBelow ? "top" : "bottom";
      const text = formatMeasure(threshold, { unit: panel.measure.measure.unit });
      const [right, at] = [
        pen.left + pen.width - edgePx * pen.ratio,
        y + (isBelow ? 2 : -1) * pen.ratio,
      ];
      const { width } = context.measureText(text);
      const height = (labelPx + 3) * pen.ratio;
      context.fillStyle = theme.ground;
      context.globalAlpha = 0.8;
      context.fillRect(
        right - width - 2 * pen.ratio,
        isBelow ? at : at - height,
        width + 4 * pen.ratio,
        height,
      );
      context.globalAlpha = 1;
      context.fillStyle = theme.bad;
      context.fillText(text, right, at);
    }
  });
}

function strokeAcross(pen: PlotPen, y: number, color: string, dash: readonly number[]): void {
  const { context, left, width, ratio } = pen;
  context.setLineDash(dash.map((length) => length * ratio));
  context.beginPath();
  context.moveTo(left, y);
  context.lineTo(left + width, y);
  context.strokeStyle = color;
  context.lineWidth = ratio;
  context.stroke();
  context.setLineDash([]);
}
