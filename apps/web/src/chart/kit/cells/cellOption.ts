import type { CustomSeriesOption } from "echarts/charts";
import type { GridComponentOption } from "echarts/components";
import type { ComposeOption } from "echarts/core";
import { shortenName } from "../../../format/name.js";
import type { CoverLook } from "../answer/coverage.js";
import type { ChartTheme } from "../paint/theme.js";
import type { BinTick } from "./binScale.js";
import type { CellPlot } from "./cellPlot.js";
import { roomOfLines, roomOfTexts, spacedTicks } from "./spacedTicks.js";

export type CellOption = ComposeOption<CustomSeriesOption | GridComponentOption>;

/** A grid of coloured cells, row by row from the top. */
export interface CellGrid {
  readonly columns: number;
  readonly rows: number;
  /** Palette index per cell, counted from 1; 0: no cell. */
  readonly cells: Uint8Array;
  readonly palette: readonly string[];
  /** In cells from the left and from the top. */
  readonly xTicks: readonly BinTick[];
  readonly yTicks: readonly BinTick[];
  readonly yName: string;
  readonly xName?: string;
  /** Cells of at least this size have a hairline between them. */
  readonly gapFromPx: number;
  /** Part of its row that a cell fills, from its top; by default all of it. */
  readonly fill?: (row: number) => { readonly from: number; readonly to: number };
  /** Single marks over the cells. */
  readonly dots?: readonly CellDot[];
  /** Completeness per column, where a column is a time bucket; null: complete. */
  readonly looks?: readonly (CoverLook | null)[];
  /** Completeness per cell, where a column has several times. */
  readonly cellLooks?: readonly (CoverLook | null)[];
}

/** A position in cells, from the left and from the top. */
export interface CellDot {
  readonly x: number;
  readonly y: number;
  readonly color: string;
}

export interface CellDrawing {
  readonly grid: CellGrid;
  readonly theme: ChartTheme;
  readonly width: number;
  readonly height: number;
}

const letterPx = 6.6;
const nameLengthMax = 40;

export function plotOf({ grid, width, height }: CellDrawing): CellPlot {
  const longest = grid.yTicks.reduce((most, { text }) => Math.max(most, [...text].length), 4);
  const left = Math.round(Math.min(longest * letterPx + 16, width * 0.4));
  const top = grid.yName === "" ? 8 : 24;
  return {
    left,
    top,
    width: Math.max(20, Math.round(width - left - 28)),
    height: Math.max(20, Math.round(height - top - (grid.xName === undefined ? 26 : 44))),
    columns: grid.columns,
    rows: grid.rows,
  };
}

/** Axes, and all cells as one picture: 20,000 elements would take a second. null: the axes alone. */
export function buildCellOption(
  { grid, theme }: CellDrawing,
  plot: CellPlot,
  picture: HTMLCanvasElement | null,
): CellOption {
  const { xTicks, yTicks } = shownTicks(grid, plot);
  return {
    animation: false,
    textStyle: { fontFamily: theme.font, color: theme.quiet },
    grid: { ...place(plot), outerBoundsMode: "none" },
    xAxis: {
      ...axisOption(xTicks, grid.columns, theme),
      ...(grid.xName === undefined ? {} : nameBelow(shortenName(grid.xName, nameLengthMax), theme)),
    },
    yAxis: {
      ...axisOption(yTicks, grid.rows, theme),
      inverse: true,
      name: shortenName(grid.yName, nameLengthMax),
      nameLocation: "start",
      nameGap: 8,
      nameTextStyle: {
        color: theme.ink,
        fontSize: 12,
        align: "left",
        padding: [0, 0, 0, 8 - plot.left],
      },
    },
    series: picture === null ? [] : pictureSeries(plot, picture),
  };
}

/** In a small tile not every text has room. */
function shownTicks({ xTicks, yTicks, columns, rows }: CellGrid, { width, height }: CellPlot) {
  return {
    xTicks: spacedTicks(xTicks, width / Math.max(1, columns), roomOfTexts(xTicks)),
    yTicks: spacedTicks(yTicks, height / Math.max(1, rows), roomOfLines),
  };
}

function axisOption(ticks: readonly BinTick[], cellCount: number, theme: ChartTheme) {
  const textAt = new Map(ticks.map(({ at, text }) => [at, text]));
  const customValues = [...textAt.keys()];
  return {
    type: "value" as const,
    min: 0,
    max: Math.max(1, cellCount),
    axisLine: { show: true, onZero: false, lineStyle: { color: theme.hairline } },
    axisTick: { show: true, customValues, lineStyle: { color: theme.hairline } },
    axisLabel: {
      customValues,
      color: theme.quiet,
      fontSize: 11,
      // The caller has chosen the ticks: ECharts must not hide any.
      hideOverlap: false,
      formatter: (at: number) => textAt.get(at) ?? "",
    },
    splitLine: { show: false },
  };
}

const pictureSeries = (
  { left, top, width, height }: CellPlot,
  picture: HTMLCanvasElement,
): CustomSeriesOption => ({
  type: "custom",
  silent: true,
  clip: false,
  data: [[0, 0]],
  renderItem: () => ({
    type: "image",
    style: { image: picture, x: left, y: top, width, height },
  }),
});

const nameBelow = (name: string, theme: ChartTheme) => ({
  name,
  nameLocation: "end" as const,
  nameGap: 0,
  nameTextStyle: {
    color: theme.ink,
    fontSize: 12,
    align: "right" as const,
    verticalAlign: "top" as const,
    padding: [26, 0, 0, 0],
  },
});

const place = ({ left, top, width, height }: CellPlot) => ({ left, top, width, height });
