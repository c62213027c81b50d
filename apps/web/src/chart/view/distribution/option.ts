import type { LineSeriesOption } from "echarts/charts";
import type { GridComponentOption, MarkLineComponentOption } from "echarts/components";
import type { ComposeOption } from "echarts/core";
import { formatShare } from "../../../format/change.js";
import { formatCompact } from "../../../format/number.js";
import { binTicks, positionOf } from "../../kit/cells/binScale.js";
import type { CellPlot } from "../../kit/cells/cellPlot.js";
import { roomOfLines } from "../../kit/cells/spacedTicks.js";
import { holdCeiling, niceCeiling, niceInterval, wholeInterval } from "../../kit/paint/axis.js";
import type { ChartTheme } from "../../kit/paint/theme.js";
import { type Distribution, drawnOf, type Marks, type Shape, type ShapeKind } from "./build.js";

export type ShapeOption = ComposeOption<
  LineSeriesOption | GridComponentOption | MarkLineComponentOption
>;

export interface ShapeDrawing {
  readonly distribution: Distribution;
  readonly marks: Marks;
  readonly kind: ShapeKind;
  readonly hues: readonly number[];
  readonly theme: ChartTheme;
  readonly width: number;
  readonly height: number;
  /** Top of the axis that is on the screen. */
  readonly ceiling: number | null;
  readonly streaming: boolean;
}

const margin = { left: 64, right: 16, top: 46, bottom: 42 };

export const shapePlot = ({ distribution, width, height }: ShapeDrawing): CellPlot => ({
  left: margin.left,
  top: margin.top,
  width: Math.max(20, width - margin.left - margin.right),
  height: Math.max(20, height - margin.top - margin.bottom),
  columns: Math.max(1, distribution.bins),
  rows: 1,
});

/** Shapes over each other, side B dotted in the same hue, percentiles as marks. */
export function buildShapeOption(drawing: ShapeDrawing): { option: ShapeOption; ceiling: number } {
  const { distribution, kind, theme } = drawing;
  const ceiling = ceilingOf(drawing);
  const ticks = binTicks(distribution.scale, Math.max(2, Math.floor((drawing.width - 80) / 72)));
  const textAt = new Map(ticks.map(({ at, text }) => [at, text]));
  const customValues = [...textAt.keys()];
  const option: ShapeOption = {
    animation: false,
    textStyle: { fontFamily: theme.font, color: theme.quiet },
    grid: { ...margin, outerBoundsMode: "none" },
    xAxis: {
      type: "value",
      name: distribution.scale.column,
      nameLocation: "middle",
      nameGap: 24,
      nameTextStyle: { color: theme.ink, fontSize: 12 },
      min: 0,
      max: Math.max(1, distribution.bins),
      axisLine: { show: true, lineStyle: { color: theme.hairline } },
      axisTick: { show: true, customValues, lineStyle: { color: theme.hairline } },
      axisLabel: {
        customValues,
        color: theme.quiet,
        fontSize: 11,
        formatter: (at: number) => textAt.get(at) ?? "",
      },
      splitLine: { show: false },
    },
    yAxis: {
      type: "value",
      name: axisNames[kind],
      // Above the names of the percentiles.
      nameGap: 26,
      nameTextStyle: { color: theme.ink, fontSize: 12, align: "left", padding: [0, 0, 0, -56] },
      min: 0,
      max: ceiling,
      interval: intervalOf(drawing, ceiling),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: {
        color: theme.quiet,
        fontSize: 11,
        formatter: (value: number) =>
          kind === "count" ? formatCompact(value) : formatShare(value),
      },
      splitLine: { lineStyle: { color: theme.hairline, width: 1 } },
    },
    series: distribution.shapes.flatMap((shape, s) => linesOf(drawing, shape, s)),
  };
  return { option, ceiling };
}

/** Between two lines; in a small tile between those whose texts have room. */
function intervalOf(drawing: ShapeDrawing, ceiling: number): number {
  const nice = drawing.kind === "count" ? wholeInterval(ceiling) : niceInterval(ceiling);
  const linePx = (shapePlot(drawing).height * nice) / ceiling;
  return linePx >= roomOfLines ? nice : ceiling;
}

const axisNames: Readonly<Record<ShapeKind, string>> = {
  count: "count",
  share: "share of rows",
  cdf: "share of rows up to here",
};

/** Height of a value of the drawing, in pixels from the top. */
export const heightOf = (plot: CellPlot, value: number, ceiling: number): number =>
  plot.top + plot.height * (1 - value / ceiling);

const hasWhiskers = ({ distribution, kind }: ShapeDrawing): boolean =>
  kind === "count" && distribution.shapes.length === 1 && distribution.shapes[0]?.compare === null;

function ceilingOf(drawing: ShapeDrawing): number {
  const { distribution, kind, ceiling, streaming } = drawing;
  if (kind === "cdf") return 1;
  let top = 0;
  // A whisker that is cut off would say too little.
  const bars = hasWhiskers(drawing) ? (distribution.shapes[0]?.errorBars ?? []) : [];
  for (const bar of bars) top = Math.max(top, bar?.[1] ?? 0);
  for (const shape of distribution.shapes) {
    for (const amounts of [shape.amounts, shape.compare ?? []]) {
      for (const value of drawnOf(amounts, kind)) top = Math.max(top, value);
    }
  }
  return holdCeiling(ceiling, niceCeiling(top), { streaming });
}

function linesOf(drawing: ShapeDrawing, shape: Shape, s: number): LineSeriesOption[] {
  const { theme, hues, kind, distribution } = drawing;
  const color = theme.series[hues[s] ?? 0] ?? theme.accent;
  const isOnly = distribution.shapes.length === 1;
  const lines: LineSeriesOption[] = [
    {
      id: `a:${shape.key}`,
      type: "line",
      data: pointsOf(drawnOf(shape.amounts, kind), kind),
      symbol: "none",
      silent: true,
      lineStyle: { color, width: 1.6 },
      areaStyle: { color, opacity: isOnly ? 0.26 : kind === "cdf" ? 0 : 0.1 },
      markLine: marksOf(drawing, shape, color),
      z: 3,
    },
  ];
  if (shape.compare !== null) {
    lines.push({
      id: `b:${shape.key}`,
      type: "line",
      data: pointsOf(drawnOf(shape.compare, kind), kind),
      symbol: "none",
      silent: true,
      lineStyle: { color, width: 1.4, type: "dotted" },
      z: 4,
    });
  }
  if (hasWhiskers(drawing)) lines.push(whiskersOf(shape, theme));
  return lines;
}

/** Steps: each bin flat from bound to bound. A sum has its value at the upper bound. */
function pointsOf(values: readonly number[], kind: ShapeKind): [number, number][] {
  if (kind === "cdf") {
    return [[0, 0], ...values.map((value, i): [number, number] => [i + 1, value])];
  }
  const steps = values.flatMap((value, i): [number, number][] => [
    [i, value],
    [i + 1, value],
  ]);
  return [[0, 0], ...steps, [values.length, 0]];
}

function marksOf(
  drawing: ShapeDrawing,
  shape: Shape,
  color: string,
): NonNullable<LineSeriesOption["markLine"]> {
  const { marks, distribution, theme } = drawing;
  const isOnly = distribution.shapes.length === 1;
  const all = marks.get(shape.key) ?? [];
  const binPx = shapePlot(drawing).width / Math.max(1, distribution.bins);
  // With several groups only the middle: twenty lines explain nothing.
  const shown = isOnly ? all : all.filter(({ name }) => name === "p50");
  return {
    silent: true,
    symbol: "none",
    animation: false,
    label: { show: isOnly, color: theme.quiet, fontSize: 11, distance: 4 },
    lineStyle: { color: isOnly ? theme.quiet : color, type: "solid", width: 1, opacity: 0.75 },
    data: markLabels(
      shown.map(({ name, value }) => ({ name, at: positionOf(distribution.scale, value) })),
      markLabelPx / binPx,
    ).map(({ at, text }) => ({
      xAxis: at,
      // At the left edge a centered name would cover the numbers of the axis.
      label: { formatter: text, align: at * binPx < markLabelPx / 2 ? "left" : "center" },
    })),
  };
}

/** Room for the name of a mark, or for those of two. */
const markLabelPx = 34;

/** Marks that stand closer than their names are wide are named together, at the first of them: `p90–95`. */
export function markLabels(
  marks: readonly { readonly name: string; readonly at: number }[],
  roomBins: number,
): readonly { readonly at: number; readonly text: string }[] {
  let first: { at: number; text: string; readonly name: string } | null = null;
  return marks.map(({ name, at }) => {
    if (first !== null && at - first.at < roomBins) {
      first.text = `${first.name}–${name.slice(1)}`;
      return { at, text: "" };
    }
    first = { at, text: name, name };
    return first;
  });
}

/** Error bars of the bins, as one broken line. */
function whiskersOf({ errorBars }: Shape, theme: ChartTheme): LineSeriesOption {
  const data = errorBars.flatMap((bar, bin): [number, number | null][] =>
    bar === null || bar[0] === bar[1]
      ? []
      : [
          [bin + 0.5, bar[0]],
          [bin + 0.5, bar[1]],
          [bin + 0.5, null],
        ],
  );
  return {
    id: "whiskers",
    type: "line",
    data,
    symbol: "none",
    silent: true,
    lineStyle: { color: theme.ink, width: 1, opacity: 0.7 },
    z: 5,
  };
}
