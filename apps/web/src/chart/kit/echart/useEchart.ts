import type { EChartsCoreOption } from "echarts/core";
import { type RefObject, useEffect } from "react";
import { useChart } from "./useChart.js";

export interface EchartProps {
  /** The drawing for a size; null: nothing to draw yet. */
  readonly draw: (width: number, height: number) => EChartsCoreOption | null;
  /** Must be stable while the drawing is. */
  readonly onClick: (params: unknown) => void;
}

/** A chart that is redrawn when its drawing changes, and reports clicks on its marks. */
export function useEchart({ draw, onClick }: EchartProps): {
  readonly hostRef: RefObject<HTMLDivElement | null>;
  readonly width: number;
  readonly height: number;
} {
  const { hostRef, chart, width, height } = useChart();
  useEffect(() => {
    if (chart === null || width === 0) return;
    const option = draw(width, height);
    if (option !== null) chart.setOption(option, { replaceMerge: ["series"] });
  }, [chart, draw, width, height]);
  useEffect(() => {
    if (chart === null) return;
    chart.on("click", onClick);
    return () => {
      chart.off("click", onClick);
    };
  }, [chart, onClick]);
  return { hostRef, width, height };
}
