import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { timeLabels, valueLabels } from "../plot/axisLabels.js";
import { margin } from "../plot/build.js";
import {
  dashOf,
  dotPx,
  faded,
  fillOpacity,
  lonelyPoints,
  lookOf,
  type PanelFill,
  type PanelLine,
  type PanelLines,
  panelLines,
} from "../plot/panelLines.js";
import type { TimePanel, TimePlot } from "../plot/plot.js";
import { onAxis } from "../plot/valueScale.js";
import { drawAcross } from "./drawAcross.js";
import { drawBands } from "./drawBands.js";
import { drawBars } from "./drawBars.js";
import { drawCovered } from "./drawCovered.js";
import { drawSymbols } from "./drawSymbols.js";
import type { PlotPen } from "./plotPen.js";

/** One panel on the screen. */
export interface PanelChart {
  /** Updates the numbers of the same lines; false: the lines differ and need a new chart. */
  update(plot: TimePlot, panel: TimePanel): boolean;
  /** Highlights the lines of a group; null: none. */
  focus(key: string | null): void;
  destroy(): void;
}

interface Shown {
  readonly plot: TimePlot;
  readonly panel: TimePanel;
  readonly drawn: PanelLines;
  readonly shape: string;
  readonly focusedKey: string | null;
}

export function createPanelChart(host: HTMLElement, plot: TimePlot, panel: TimePanel): PanelChart {
  let shown = showing(plot, panel, null);
  const chart = new uPlot(
    optionsOf(() => shown),
    dataOf(shown),
    host,
  );
  return {
    update(nextPlot, nextPanel) {
      const next = showing(nextPlot, nextPanel, shown.focusedKey);
      if (next.shape !== shown.shape) return false;
      shown = next;
      chart.setData(dataOf(shown));
      return true;
    },
    focus(focusedKey) {
      if (focusedKey === shown.focusedKey) return;
      shown = { ...shown, focusedKey };
      shown.drawn.lines.forEach(({ line }, index) => {
        const series = chart.series[index + 1];
        if (line === null || series === undefined) return;
        const { opacity, widthPx } = lookOf(line, focusedKey);
        Object.assign(series, { alpha: opacity, width: widthPx });
      });
      chart.redraw(true, false);
    },
    destroy: () => chart.destroy(),
  };
}

function showing(plot: TimePlot, panel: TimePanel, focusedKey: string | null): Shown {
  const drawn = panelLines(panel);
  const { width, theme } = plot.drawing;
  const lines = drawn.lines.map(
    ({ line }) => line && [line.key, line.side, line.color, line.symbol],
  );
  const fills = drawn.fills.map(({ upper, lower }) => [upper, lower]);
  const colors = [theme.quiet, theme.hairline, theme.font];
  const shape = JSON.stringify([width, panel.top, panel.height, panel.last, colors, lines, fills]);
  return { plot, panel, drawn, shape, focusedKey };
}

const dataOf = ({ plot, panel, drawn }: Shown): uPlot.AlignedData => [
  [...plot.drawing.set.timesMs],
  ...drawn.lines.map(({ points }) =>
    points.map((value) => (value === null ? null : onAxis(panel, value))),
  ),
];

function optionsOf(shown: () => Shown): uPlot.Options {
  const { plot, panel, drawn } = shown();
  const below = panel.last ? margin.bottom : 8;
  return {
    width: plot.drawing.width,
    height: margin.top + panel.height + below,
    padding: [margin.top, margin.right, panel.last ? 0 : below, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: () => [shown().plot.fromMs, shown().plot.toMs] },
      // Labels must match the values: they are redrawn when the ends change.
      y: { range: () => endsOf(shown().panel) },
    },
    axes: [timeAxis(shown), valueAxis(shown)],
    series: [{}, ...drawn.lines.map((line, index) => seriesOf(shown, line, index))],
    bands: drawn.fills.map((fill, index) => bandOf(shown, fill, index)),
    hooks: {
      drawClear: [
        (chart) => {
          const { plot: now, panel: drawnPanel, focusedKey } = shown();
          const pen = penOf(chart);
          drawCovered(pen, now);
          drawBands(pen, now, drawnPanel, focusedKey);
        },
      ],
      drawAxes: [
        (chart) => {
          const { plot: now, panel: drawnPanel, focusedKey } = shown();
          drawBars(penOf(chart), drawnPanel, now.drawing.theme, focusedKey);
        },
      ],
      draw: [
        (chart) => {
          const { plot: now, panel: drawnPanel, drawn: lines, focusedKey } = shown();
          drawSymbols(penOf(chart), now, drawnPanel, { ...lines, focusedKey });
          drawAcross(penOf(chart), drawnPanel, now.drawing.theme);
        },
      ],
    },
  };
}

const endsOf = (panel: TimePanel): [number, number] => [
  onAxis(panel, panel.floor),
  onAxis(panel, panel.ceiling),
];

const penOf = (chart: uPlot): PlotPen => ({
  ...chart.bbox,
  context: chart.ctx,
  ratio: uPlot.pxRatio,
  x: (timeMs) => chart.valToPos(timeMs, "x", true),
});

function timeAxis(shown: () => Shown): uPlot.Axis {
  const { plot, panel } = shown();
  const { theme } = plot.drawing;
  return {
    show: panel.last,
    size: margin.bottom,
    gap: 3,
    font: `11px ${theme.font}`,
    stroke: theme.quiet,
    grid: { show: false },
    ticks: { stroke: theme.hairline, width: 1, size: 5 },
    splits: () => [...shown().plot.ticks.timesMs],
    values: () => timeLabels(shown().plot),
  };
}

function valueAxis(shown: () => Shown): uPlot.Axis {
  const { theme } = shown().plot.drawing;
  return {
    size: margin.left,
    gap: 8,
    font: `11px ${theme.font}`,
    stroke: theme.quiet,
    grid: { stroke: theme.hairline, width: 1 },
    ticks: { show: false },
    splits: () => shown().panel.ticks.map((tick) => onAxis(shown().panel, tick)),
    values: () => valueLabels(shown().panel),
  };
}

function seriesOf(shown: () => Shown, { line }: PanelLine, index: number): uPlot.Series {
  // Filled between, not drawn.
  if (line === null) return { pxAlign: 0, width: 0, points: { show: false, filter: () => null } };
  const { opacity, widthPx } = lookOf(line, null);
  const { color } = line;
  const lonely = (): number[] | null => {
    const found = lonelyPoints(shown().drawn.lines[index]?.points ?? []);
    return found.length === 0 ? null : found;
  };
  return {
    pxAlign: 0,
    stroke: color,
    width: widthPx,
    alpha: opacity,
    dash: dashOf(line, widthPx),
    points: { show: false, filter: lonely, size: dotPx, width: 0, fill: color },
  };
}

function bandOf(shown: () => Shown, fill: PanelFill, index: number): uPlot.Band {
  return {
    series: [fill.upper + 1, fill.lower + 1],
    fill: () => {
      const { drawn, focusedKey } = shown();
      const now = drawn.fills[index] ?? fill;
      const line = drawn.lines[now.upper]?.line ?? null;
      // It is drawn with the strength of its upper edge.
      const edge = line === null ? 1 : lookOf(line, focusedKey).opacity;
      return faded(now.color, Math.min(1, fillOpacity(now, focusedKey) / edge));
    },
  };
}
