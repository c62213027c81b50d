import { paintHatching } from "../../paint/hatching.js";
import type { ChartTheme } from "../../paint/theme.js";
import { faded } from "../plot/panelLines.js";
import type { TimePanel } from "../plot/plot.js";
import { type PlotPen, withinPanel } from "./plotPen.js";

/** Opacity of bars, and of bars that are not pointed at. */
const [barOpacity, paleBar] = [0.85, 0.16];

/** Draws bars; bars of incomplete buckets are hatched. */
export function drawBars(
  pen: PlotPen,
  { bars }: Pick<TimePanel, "bars">,
  theme: ChartTheme,
  focusedKey: string | null,
): void {
  if (bars.length === 0) return;
  withinPanel(pen, (context) => {
    for (const { key, color, isDashed, ...at } of bars) {
      const [width, height] = [at.width * pen.width, at.height * pen.height];
      const box = {
        ...{ x: pen.left + at.x * pen.width, width, height },
        y: pen.top + pen.height - at.y * pen.height - height,
      };
      const shown = faded(color, focusedKey === null || key === focusedKey ? barOpacity : paleBar);
      if (!isDashed) {
        context.fillStyle = shown;
        context.fillRect(box.x, box.y, width, height);
        continue;
      }
      context.fillStyle = theme.ground;
      context.fillRect(box.x, box.y, width, height);
      paintHatching(context, box, { hairline: shown, quiet: shown }, pen.ratio);
      context.strokeStyle = shown;
      context.lineWidth = pen.ratio;
      context.strokeRect(box.x, box.y, width, height);
    }
  });
}
