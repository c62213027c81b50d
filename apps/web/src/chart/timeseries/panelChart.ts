import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { formatTick } from "../../format/time.js";
import { formatMeasure } from "../../format/value.js";
import { margin } from "./build.js";
import { drawBands } from "./drawBands.js";
import { drawCovered } from "./drawCovered.js";
import { drawSymbols } from "./drawSymbols.js";
import {
  faded,
  fillOpacity,
  lonelyPoints,
  lookOf,
  type PanelFill,
  type PanelLine,
  type PanelLines,
  panelLines,
} from "./panelLines.js";
import type { TimePanel, TimePlot } from "./plot.js";

/** Labels nearer to each other than this cannot be read. */
const labelPxMin = 13;
const dotPx = 4;
const dashPx = [4, 4];

/** One panel on the screen. */
export interface PanelChart {
  /** Shows the same lines with other numbers; false: they are others, which need a chart of their own. */
  update(plot: TimePlot, panel: TimePanel): boolean;
  /** The lines of a group stand out; null: none. */
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

const dataOf = ({ plot, drawn }: Shown): uPlot.AlignedData => [
  [...plot.drawing.set.timesMs],
  ...drawn.lines.map(({ points }) => [...points]),
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
      y: { range: () => [shown().panel.floor, shown().panel.ceiling] },
    },
    axes: [timeAxis(shown), valueAxis(shown)],
    series: [{}, ...drawn.lines.map((line, index) => seriesOf(shown, line, index))],
    bands: drawn.fills.map((fill, index) => bandOf(shown, fill, index)),
    hooks: {
      drawClear: [
        (chart) => {
          const { plot: now, panel: drawnPanel, focusedKey } = shown();
          drawCovered(chart, now);
          drawBands(chart, drawnPanel, focusedKey);
        },
      ],
      draw: [
        (chart) => {
          const { drawn: now, focusedKey } = shown();
          drawSymbols(chart, now, focusedKey);
        },
      ],
    },
  };
}

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
    values: (_, times) => {
      const { ticks, drawing } = shown().plot;
      return times.map((timeMs) => formatTick(timeMs, drawing.input.timeZone, ticks.stepMs));
    },
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
    splits: () => stepsOf(shown().panel),
    values: (_, values) => {
      const { measure, height } = shown().panel;
      const every = Math.max(
        1,
        Math.ceil((labelPxMin * (values.length - 1)) / Math.max(1, height)),
      );
      // The panel's name says per what.
      const words = (value: number) => formatMeasure(value, { unit: measure.measure.unit });
      return values.map((value, i) => (i % every === 0 ? words(value) : ""));
    },
  };
}

/** Values of the lines across. */
function stepsOf({ floor, ceiling, step }: TimePanel): number[] {
  const first = Math.ceil(floor / step - 1e-9);
  const count = Math.floor(ceiling / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, i) => (first + i) * step);
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
    ...(line.side === "compare" && { dash: [widthPx, widthPx] }),
    ...(line.side === "open" && { dash: dashPx }),
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
