import type uPlot from "uplot";
import { coverLabel } from "../coverage.js";
import { paintHatching } from "../hatching.js";
import type { TimePlot } from "./plot.js";

const [labelPx, labelRoomPx] = [11, 8];

/** Times that are not whole, under the lines: hatched where leaves are missing, and why, where there is room for it. */
export function drawCovered(chart: uPlot, { covered, drawing }: TimePlot): void {
  const { ctx, bbox } = chart;
  const { theme } = drawing;
  const scale = ctx.canvas.width / Math.max(1, ctx.canvas.clientWidth || drawing.width);
  for (const { fromMs, toMs, look, cover } of covered) {
    if (look === "dashed") continue;
    const from = Math.max(bbox.left, chart.valToPos(fromMs, "x", true));
    const to = Math.min(bbox.left + bbox.width, chart.valToPos(toMs, "x", true));
    const box = { x: from, y: bbox.top, width: to - from, height: bbox.height };
    ctx.save();
    if (look === "hatched") paintHatching(ctx, box, theme, scale);
    else {
      ctx.fillStyle = theme.sunken;
      ctx.fillRect(box.x, box.y, box.width, box.height);
    }
    const label = coverLabel(cover);
    ctx.font = `${labelPx * scale}px ${theme.font}`;
    if (label !== "" && ctx.measureText(label).width + labelRoomPx * scale < box.width) {
      ctx.fillStyle = theme.quiet;
      ctx.textAlign = "center";
      ctx.textBaseline = "top";
      ctx.fillText(label, from + box.width / 2, box.y + 4 * scale);
    }
    ctx.restore();
  }
}
