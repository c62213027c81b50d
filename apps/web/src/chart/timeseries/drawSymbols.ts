import type uPlot from "uplot";
import type { HueSymbol } from "../color.js";
import { lookOf, type PanelLines } from "./panelLines.js";
import { symbolPlaces, symbolPx } from "./symbolPlaces.js";

/** The symbols of lines whose tone another line has too. */
export function drawSymbols(
  chart: uPlot,
  { lines }: Pick<PanelLines, "lines">,
  focusedKey: string | null,
): void {
  const { ctx, bbox } = chart;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const { line, points } of lines) {
    if (line === null || line.symbol === "none") continue;
    ctx.globalAlpha = lookOf(line, focusedKey).opacity;
    ctx.fillStyle = line.color;
    const xs = Array.from(chart.data[0], (timeMs) => chart.valToPos(timeMs, "x", true));
    for (const at of symbolPlaces(xs, points, scale)) {
      const y = chart.valToPos(points[at] ?? 0, "y", true);
      ctx.fill(outlineOf(line.symbol, { x: xs[at] ?? 0, y, radius: (symbolPx / 2) * scale }));
    }
  }
  ctx.restore();
}

function outlineOf(
  symbol: HueSymbol,
  { x, y, radius }: { readonly x: number; readonly y: number; readonly radius: number },
): Path2D {
  const path = new Path2D();
  path.moveTo(x, y - radius);
  path.lineTo(x + radius, symbol === "diamond" ? y : y + radius);
  if (symbol === "diamond") path.lineTo(x, y + radius);
  path.lineTo(x - radius, symbol === "diamond" ? y : y + radius);
  path.closePath();
  return path;
}
