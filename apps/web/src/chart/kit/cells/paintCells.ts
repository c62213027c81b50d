import type { CoverLook } from "../answer/coverage.js";
import { paintHatching } from "../paint/hatching.js";
import type { ChartTheme } from "../paint/theme.js";
import type { PenContext, SvgContext } from "../svg/svgContext.js";
import type { CellGrid } from "./cellOption.js";
import type { CellPlot } from "./cellPlot.js";

/** Paints all cells with every edge on a device pixel, so that edges are sharp. */
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
  if (hasGaps) paintRects(pen, grid, { plot, size: canvas, scale });
  else paintPixels(pen, grid, canvas);
  paintLooks(pen, grid, canvas, { theme, scale, isOver: true });
  pen.globalAlpha = dotAlpha;
  for (const { x, y, color } of placedDots(grid, canvas)) {
    pen.fillStyle = color;
    pen.beginPath();
    pen.arc(x, y, dotPx * scale, 0, Math.PI * 2);
    pen.fill();
  }
  pen.globalAlpha = 1;
  return canvas;
}

/** The same as vectors. */
export function drawCells(
  pen: SvgContext,
  grid: CellGrid,
  plot: CellPlot,
  theme: ChartTheme,
): void {
  paintLooks(pen, grid, plot, { theme, scale: 1, isOver: false });
  paintRects(pen, grid, { plot, size: plot, scale: 1 });
  paintLooks(pen, grid, plot, { theme, scale: 1, isOver: true });
  pen.globalAlpha = dotAlpha;
  for (const { x, y, color } of placedDots(grid, plot)) {
    pen.fillStyle = color;
    pen.dot(x, y, dotPx);
  }
  pen.globalAlpha = 1;
}

/** In pixels. */
interface PaintedSize {
  readonly width: number;
  readonly height: number;
}

interface LookPaint {
  readonly theme: ChartTheme;
  readonly scale: number;
  /** Paints what lies over the cells (hatching), or under them (sunken). */
  readonly isOver: boolean;
}

/** Height of the strip under thinned cells. */
const stripPx = 3;

/** Columns without data are sunken; those with a part of their data are hatched over their cells, thinned ones underlined. */
function paintLooks(
  pen: PenContext,
  { looks = [], cellLooks = [], columns, rows }: CellGrid,
  { width, height }: PaintedSize,
  { theme, scale, isOver }: LookPaint,
): void {
  const xs = edgesOf(columns, width);
  const ys = edgesOf(rows, height);
  const paint = (look: CoverLook | null, column: number, y: number, bottom: number): void => {
    if (look === null || isOver === (look === "gap")) return;
    const x = xs[column] ?? 0;
    const box = { x, y, width: (xs[column + 1] ?? width) - x, height: bottom - y };
    if (look === "thinned") {
      pen.fillStyle = theme.edge;
      pen.fillRect(box.x, bottom - stripPx * scale, box.width, stripPx * scale);
    } else if (isOver) paintHatching(pen, box, theme, scale);
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

/** One pixel per cell, scaled up without smoothing: the cost does not grow with the cells. */
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
  // Pixels are four bytes in order: red, green, blue, opaque. The first colour is of no cell.
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

interface CellPaint {
  readonly plot: CellPlot;
  readonly size: PaintedSize;
  readonly scale: number;
}

function paintRects(pen: PenContext, grid: CellGrid, { plot, size, scale }: CellPaint): void {
  const { columns, rows, cells, palette } = grid;
  const xs = edgesOf(columns, size.width);
  const ys = edgesOf(rows, size.height);
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
      // Equal neighbours without a gap are one box.
      while (gapX === 0 && column + 1 < columns && cells[row * columns + column + 1] === index) {
        column += 1;
      }
      pen.fillRect(left, top, Math.max(1, (xs[column + 1] ?? 0) - left - gapX), tall);
    }
  }
}

const dotPx = 2.6;
const dotAlpha = 0.7;

const placedDots = ({ dots = [], columns, rows }: CellGrid, { width, height }: PaintedSize) =>
  dots.map(({ x, y, color }) => ({ x: (x / columns) * width, y: (y / rows) * height, color }));

const edgesOf = (count: number, pixels: number): number[] =>
  Array.from({ length: count + 1 }, (_, i) => Math.round((i / count) * pixels));
