import type { ChartTheme } from "../paint/theme.js";
import { createSvgContext, type Ruler } from "../svg/svgContext.js";
import { svgOfOption } from "../svg/svgOfChart.js";
import { buildCellOption, type CellGrid, plotOf } from "./cellOption.js";
import { drawCells } from "./paintCells.js";

/** A grid of cells with its axes, without a page. */
export const svgOfCells =
  (grid: CellGrid, theme: ChartTheme, ruler: Ruler) =>
  ({ width, height }: { readonly width: number; readonly height: number }): string => {
    const drawing = { grid, theme, width, height };
    const plot = plotOf(drawing);
    const pen = createSvgContext(ruler);
    pen.embed(svgOfOption(buildCellOption(drawing, plot, null), { width, height }), 0, 0);
    const cells = createSvgContext(ruler);
    drawCells(cells, grid, plot, theme);
    pen.embed(cells.print(plot.width, plot.height), plot.left, plot.top);
    return pen.print(width, height);
  };
