import type { CustomSeriesOption } from "echarts/charts";
import type { GridComponentOption } from "echarts/components";
import type { ComposeOption } from "echarts/core";
import { shortenName } from "../../../format/name.js";
import type { CoverLook } from "../answer/coverage.js";
import { paintHatching } from "../paint/hatching.js";
import type { ChartTheme } from "../paint/theme.js";
import type { BinTick } from "./binScale.js";
import type { CellPlot } from "./cellPlot.js";

export type CellOption = ComposeOption<CustomSeriesOption | GridComponentOption>;

/** A grid of coloured cells, row by row from the top. */
export interface CellGrid {
  readonly columns: number;
  readonly rows: number;
  /** Per cell an index of the palette, counted from 1; 0: nothing is there. */
  readonly cells: Uint8Array;
  readonly palette: readonly string[];
  /** In cells from the left and from the top. */
  readonly xTicks: readonly BinTick[];
  readonly yTicks: readonly BinTick[];
  readonly yName: string;
  readonly xName?: string;
  /** Cells of this size on have a hairline between them. */
  readonly gapFromPx: number;
  /** Part of its row that a cell fills, from its top; by default all of it. */
  readonly fill?: (row: number) => { readonly from: number; readonly to: number };
  /** Single marks over the cells. */
  readonly dots?: readonly CellDot[];
  /** Per column that stands for a time: what is known of it; null: all. */
  readonly looks?: readonly (CoverLook | null)[];
  /** The same per cell, where a column stands for several times. */
  readonly cellLooks?: readonly (CoverLook | null)[];
}

/** A place in cells from the left and from the top. */
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

/** Axes, and all cells as one picture: 20,000 elements would take a second. */
export function buildCellOption(
  drawing: CellDrawing,
  plot: CellPlot,
  picture: HTMLCanvasElement,
): CellOption {
  const { grid, theme } = drawing;
  const axis = (ticks: readonly BinTick[], max: number) => {
    const textAt = new Map(ticks.map(({ at, text }) => [at, text]));
    const customValues = [...textAt.keys()];
    return {
      type: "value" as const,
      min: 0,
      max,
      axisLine: { show: true, onZero: false, lineStyle: { color: theme.hairline } },
      axisTick: { show: true, customValues, lineStyle: { color: theme.hairline } },
      axisLabel: {
        customValues,
        color: theme.quiet,
        fontSize: 11,
        // Ticks near each other are chosen by the caller: none may vanish.
        hideOverlap: false,
        formatter: (at: number) => textAt.get(at) ?? "",
      },
      splitLine: { show: false },
    };
  };
  return {
    animation: false,
    textStyle: { fontFamily: theme.font, color: theme.quiet },
    grid: { ...place(plot), outerBoundsMode: "none" },
    xAxis: {
      ...axis(grid.xTicks, Math.max(1, grid.columns)),
      ...(grid.xName === undefined ? {} : nameBelow(shortenName(grid.xName, nameLengthMax), theme)),
    },
    yAxis: {
      ...axis(grid.yTicks, Math.max(1, grid.rows)),
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
    series: {
      type: "custom",
      silent: true,
      clip: false,
      data: [[0, 0]],
      renderItem: () => ({
        type: "image",
        style: {
          image: picture,
          x: plot.left,
          y: plot.top,
          width: plot.width,
          height: plot.height,
        },
      }),
    },
  };
}

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

/** Paints all cells; sharp, because every edge lies on a device pixel. */
export function paintCells(
  grid: CellGrid,
  plot: CellPlot,
  theme: ChartTheme,
  scale: number,
): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(plot.width * scale));
  canvas.height = Math.max(1, Math.round(plot.height * scale));
  const pen = canvas.getContext("2d");
  if (pen === null) return canvas;
  const { columns, rows } = grid;
  const hasGaps =
    grid.fill !== undefined || Math.max(plot.width / columns, plot.height / rows) >= grid.gapFromPx;
  paintLooks(pen, grid, canvas, { theme, scale, isOver: false });
  if (hasGaps) paintRects(pen, grid, { plot, canvas, scale });
  else paintPixels(pen, grid, canvas);
  paintLooks(pen, grid, canvas, { theme, scale, isOver: true });
  paintDots(pen, grid, canvas, scale);
  return canvas;
}

interface LookPaint {
  readonly theme: ChartTheme;
  readonly scale: number;
  /** What lies over the cells, or under them. */
  readonly isOver: boolean;
}

/** Columns that nothing is known of are sunken; those that are known in part are hatched, cells and all. */
function paintLooks(
  pen: CanvasRenderingContext2D,
  { looks = [], cellLooks = [], columns, rows }: CellGrid,
  { width, height }: HTMLCanvasElement,
  { theme, scale, isOver }: LookPaint,
): void {
  const xs = edgesOf(columns, width);
  const ys = edgesOf(rows, height);
  const paint = (look: CoverLook | null, column: number, y: number, bottom: number): void => {
    if (look === null || isOver === (look === "gap")) return;
    const x = xs[column] ?? 0;
    const box = { x, y, width: (xs[column + 1] ?? width) - x, height: bottom - y };
    if (isOver) paintHatching(pen, box, theme, scale);
    else {
      pen.fillStyle = theme.sunken;
      pen.fillRect(box.x, box.y, box.width, box.height);
    }
  };
  for (const [column, look] of looks.entries()) paint(look, column, 0, height);
  cellLooks.forEach((look, at) => {
    const row = Math.floor(at / columns);
    paint(look, at % columns, ys[row] ?? 0, ys[row + 1] ?? height);
  });
}

/** A pixel per cell, blown up without smoothing: one step however many cells there are. */
function paintPixels(
  pen: CanvasRenderingContext2D,
  { columns, rows, cells, palette }: CellGrid,
  { width, height }: HTMLCanvasElement,
): void {
  if (columns === 0 || rows === 0) return;
  const small = document.createElement("canvas");
  small.width = columns;
  small.height = rows;
  const dots = small.getContext("2d");
  if (dots === null) return;
  const image = dots.createImageData(columns, rows);
  // Pixels are four bytes in order: red, green, blue, opaque. The first is a cell without a colour.
  const colors = new Uint8Array(palette.length * 4 + 4);
  palette.forEach((color, i) => {
    colors.set([...(color.match(/\d+/g) ?? []).slice(0, 3).map(Number), 255], i * 4 + 4);
  });
  const packed = new Uint32Array(colors.buffer);
  new Uint32Array(image.data.buffer).set(Uint32Array.from(cells, (index) => packed[index] ?? 0));
  dots.putImageData(image, 0, 0);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(small, 0, 0, width, height);
}

/** What rectangles are painted on. */
interface CellPaint {
  readonly plot: CellPlot;
  readonly canvas: HTMLCanvasElement;
  readonly scale: number;
}

function paintRects(
  pen: CanvasRenderingContext2D,
  grid: CellGrid,
  { plot, canvas, scale }: CellPaint,
): void {
  const { columns, rows, cells, palette } = grid;
  const xs = edgesOf(columns, canvas.width);
  const ys = edgesOf(rows, canvas.height);
  const gapX = plot.width / columns >= grid.gapFromPx ? Math.round(scale) : 0;
  const gapY = plot.height / rows >= grid.gapFromPx ? Math.round(scale) : 0;
  let color = 0;
  for (let row = 0; row < rows; row++) {
    const { from, to } = grid.fill?.(row) ?? { from: 0, to: 1 };
    const height = (ys[row + 1] ?? 0) - (ys[row] ?? 0);
    const top = (ys[row] ?? 0) + Math.round(from * height);
    const tall = Math.max(
      1,
      Math.round((to - from) * height) - (grid.fill === undefined ? gapY : 0),
    );
    for (let column = 0; column < columns; column++) {
      const index = cells[row * columns + column] ?? 0;
      if (index === 0) continue;
      if (index !== color) {
        color = index;
        pen.fillStyle = palette[index - 1] ?? "transparent";
      }
      const left = xs[column] ?? 0;
      pen.fillRect(left, top, Math.max(1, (xs[column + 1] ?? 0) - left - gapX), tall);
    }
  }
}

const dotPx = 2.6;

function paintDots(
  pen: CanvasRenderingContext2D,
  { dots = [], columns, rows }: CellGrid,
  { width, height }: HTMLCanvasElement,
  scale: number,
): void {
  pen.globalAlpha = 0.7;
  for (const { x, y, color } of dots) {
    pen.fillStyle = color;
    pen.beginPath();
    pen.arc((x / columns) * width, (y / rows) * height, dotPx * scale, 0, Math.PI * 2);
    pen.fill();
  }
  pen.globalAlpha = 1;
}

const edgesOf = (count: number, pixels: number): number[] =>
  Array.from({ length: count + 1 }, (_, i) => Math.round((i / count) * pixels));
