import type { Annotation } from "@hadal/sdk";
import { createSvgContext, type Ruler } from "../../svg/svgContext.js";
import { timeLabels, valueLabels } from "../plot/axisLabels.js";
import { margin } from "../plot/build.js";
import type { Points } from "../plot/lines.js";
import { dashOf, dotPx, faded, lonelyPoints, lookOf, panelLines } from "../plot/panelLines.js";
import type { TimePanel, TimePlot } from "../plot/plot.js";
import { pixelOfTime, pixelOfValue } from "../plot/scale.js";
import { drawAcross } from "./drawAcross.js";
import { drawAnnotations } from "./drawAnnotations.js";
import { drawBands, knownRuns } from "./drawBands.js";
import { drawBars } from "./drawBars.js";
import { drawCovered } from "./drawCovered.js";
import { drawSymbols } from "./drawSymbols.js";
import { type PlotPen, withinPanel } from "./plotPen.js";

/** Lines over time in vectors, by the same numbers as on the screen; loaded on demand. */
export function svgOfTime(
  plot: TimePlot,
  ruler: Ruler,
  annotations: readonly Annotation[] = [],
): string {
  const context = createSvgContext(ruler);
  const { drawing } = plot;
  for (const panel of plot.panels) {
    const pen: PlotPen = {
      ...{ context, left: margin.left, top: panel.top, height: panel.height, ratio: 1 },
      width: drawing.width - margin.left - margin.right,
      x: (timeMs) => pixelOfTime(plot, timeMs),
    };
    drawCovered(pen, plot);
    drawAxes(pen, plot, panel);
    drawBars(pen, panel, drawing.theme, null);
    drawBands(pen, plot, panel, null);
    drawLines(pen, plot, panel);
    drawSymbols(pen, plot, panel, { ...panelLines(panel), focusedKey: null });
    drawAcross(pen, panel, drawing.theme);
  }
  drawAnnotations(context, plot, annotations);
  return context.print(drawing.width, drawing.height);
}

function drawAxes(pen: PlotPen, plot: TimePlot, panel: TimePanel): void {
  const { context, left, width, top, height } = pen;
  const { theme } = plot.drawing;
  context.save();
  context.lineWidth = 1;
  context.strokeStyle = theme.hairline;
  context.font = `12px ${theme.font}`;
  context.fillStyle = theme.ink;
  context.fillText([panel.measure.label, ...panel.notes].join(" · "), 8, top - 10);
  context.font = `11px ${theme.font}`;
  context.fillStyle = theme.quiet;
  context.textBaseline = "middle";
  context.textAlign = "right";
  const values = valueLabels(panel);
  panel.ticks.forEach((tick, i) => {
    const y = pixelOfValue(panel, tick);
    context.beginPath();
    context.moveTo(left, y);
    context.lineTo(left + width, y);
    context.stroke();
    context.fillText(values[i] ?? "", left - 8, y);
  });
  context.textAlign = "center";
  context.textBaseline = "top";
  const times = panel.last ? timeLabels(plot) : [];
  times.forEach((text, i) => {
    context.fillText(text, pen.x(plot.ticks.timesMs[i] ?? 0), top + height + 8);
  });
  context.restore();
}

function drawLines(pen: PlotPen, { drawing }: TimePlot, panel: TimePanel): void {
  const { lines, fills } = panelLines(panel);
  const xs = drawing.set.timesMs.map(pen.x);
  const at = (points: Points, i: number): readonly [number, number] => [
    xs[i] ?? 0,
    pixelOfValue(panel, points[i] ?? 0),
  ];
  withinPanel(pen, (context) => {
    for (const { upper, lower, color, opacity } of fills) {
      const [high, low] = [lines[upper], lines[lower]];
      // A base above its line serves the screen, which fills one way only.
      if (high === undefined || low === undefined || high.line === null) continue;
      context.beginPath();
      for (const [from, end] of knownRuns(low.points, high.points)) {
        context.moveTo(...at(high.points, from));
        for (let i = from + 1; i < end; i++) context.lineTo(...at(high.points, i));
        for (let i = end - 1; i >= from; i--) context.lineTo(...at(low.points, i));
        context.closePath();
      }
      context.fillStyle = faded(color, opacity);
      context.fill();
    }
    for (const { line, points } of lines) {
      if (line === null) continue;
      const { opacity, widthPx } = lookOf(line, null);
      if (opacity === 0) continue;
      context.globalAlpha = opacity;
      context.lineWidth = widthPx;
      context.strokeStyle = line.color;
      context.setLineDash(dashOf(line, widthPx));
      context.beginPath();
      points.forEach((value, i) => {
        if (value === null) return;
        if ((points[i - 1] ?? null) === null) context.moveTo(...at(points, i));
        else context.lineTo(...at(points, i));
      });
      context.stroke();
      context.fillStyle = line.color;
      for (const i of lonelyPoints(points)) {
        const [x, y] = at(points, i);
        context.fillRect(x - dotPx / 2, y - dotPx / 2, dotPx, dotPx);
      }
    }
  });
}
