import type { HueSymbol } from "../../paint/color.js";
import type { PenContext } from "../../svg/svgContext.js";
import { lookOf, type PanelLines } from "../plot/panelLines.js";
import type { TimePanel, TimePlot } from "../plot/plot.js";
import { placeOf } from "../plot/valueScale.js";
import { type PlotPen, withinPanel } from "./plotPen.js";
import { symbolPlaces, symbolPx } from "./symbolPlaces.js";

/** Draws the symbols of lines that share their tone with another line. */
export function drawSymbols(
  pen: PlotPen,
  { drawing }: TimePlot,
  panel: TimePanel,
  { lines, focusedKey }: Pick<PanelLines, "lines"> & { readonly focusedKey: string | null },
): void {
  const xs = drawing.set.timesMs.map(pen.x);
  withinPanel(pen, (context) => {
    for (const { line, points } of lines) {
      if (line === null || line.symbol === "none") continue;
      context.globalAlpha = lookOf(line, focusedKey).opacity;
      context.fillStyle = line.color;
      for (const at of symbolPlaces(xs, points, pen.ratio)) {
        const y = pen.top + (1 - placeOf(panel, points[at] ?? 0)) * pen.height;
        outline(context, line.symbol, { x: xs[at] ?? 0, y, radius: (symbolPx / 2) * pen.ratio });
        context.fill();
      }
    }
  });
}

function outline(
  context: PenContext,
  symbol: HueSymbol,
  { x, y, radius }: { readonly x: number; readonly y: number; readonly radius: number },
): void {
  context.beginPath();
  context.moveTo(x, y - radius);
  context.lineTo(x + radius, symbol === "diamond" ? y : y + radius);
  if (symbol === "diamond") context.lineTo(x, y + radius);
  context.lineTo(x - radius, symbol === "diamond" ? y : y + radius);
  context.closePath();
}
