import { CustomChart } from "echarts/charts";
import { use } from "echarts/core";
import { useEffect, useMemo } from "react";
import { useChart } from "../echart/useChart.js";
import { useChartTheme } from "../paint/useChartTheme.js";
import type { TooltipContent } from "../pointer/tooltip.js";
import { CellPane, type CellPaneProps } from "./CellPane.js";
import { buildCellOption, type CellGrid, plotOf } from "./cellOption.js";
import type { CellBox } from "./cellPlot.js";
import { paintCells } from "./paintCells.js";

use([CustomChart]);

export interface CellChartProps {
  readonly grid: CellGrid;
  readonly label: string;
  readonly themeName: string;
  readonly describe: (box: CellBox) => TooltipContent | null;
  readonly onPick: (box: CellBox, at: { readonly x: number; readonly y: number }) => void;
  readonly span?: CellPaneProps["span"];
}

/** A grid of coloured cells with axes. */
export function CellChart(props: CellChartProps) {
  const { grid, label, themeName, describe, onPick, span } = props;
  const { hostRef, chart, width, height } = useChart();
  const theme = useChartTheme(themeName);
  const plot = useMemo(
    () => (width === 0 ? null : plotOf({ grid, theme, width, height })),
    [grid, theme, width, height],
  );
  useEffect(() => {
    if (chart === null || plot === null) return;
    const picture = paintCells(grid, plot, theme, window.devicePixelRatio);
    chart.setOption(buildCellOption({ grid, theme, width, height }, plot, picture), {
      notMerge: true,
    });
  }, [chart, plot, grid, theme, width, height]);
  return (
    <CellPane
      hostRef={hostRef}
      plot={plot}
      label={label}
      describe={describe}
      onPick={onPick}
      {...(span !== undefined && { span })}
    />
  );
}
