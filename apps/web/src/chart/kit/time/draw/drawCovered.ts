import { coverLabel } from "../../answer/coverage.js";
import { paintHatching } from "../../paint/hatching.js";
import type { TimePlot } from "../plot/plot.js";
import type { PlotPen } from "./plotPen.js";

const [labelPx, labelRoomPx] = [11, 8];
/** Height of the strip over thinned times: error bands would hide it at the axis. */
const stripPx = 3;

/**
 * Draws incomplete times under the lines: hatched where leaves are missing, with the reason where it fits. Thinned ones have
 * a strip along the top too: their lines go on, unlike those of a gap.
 */
export function drawCovered(pen: PlotPen, { covered, drawing }: TimePlot): void {
  const { context, ratio } = pen;
  const { theme } = drawing;
  for (const { fromMs, toMs, look, cover } of covered) {
    if (look === "dashed") continue;
    const from = Math.max(pen.left, pen.x(fromMs));
    const to = Math.min(pen.left + pen.width, pen.x(toMs));
    const box = { x: from, y: pen.top, width: to - from, height: pen.height };
    context.save();
    if (look === "hatched") paintHatching(context, box, theme, ratio);
    else {
      context.fillStyle = theme.sunken;
      context.fillRect(box.x, box.y, box.width, box.height);
      if (look === "thinned") {
        context.fillStyle = theme.edge;
        context.fillRect(box.x, box.y, box.width, stripPx * ratio);
      }
    }
    const label = coverLabel(cover);
    context.font = `${labelPx * ratio}px ${theme.font}`;
    if (label !== "" && context.measureText(label).width + labelRoomPx * ratio < box.width) {
      context.fillStyle = theme.quiet;
      context.textAlign = "center";
      context.textBaseline = "top";
      context.fillText(label, from + box.width / 2, box.y + 4 * ratio);
    }
    context.restore();
  }
}
