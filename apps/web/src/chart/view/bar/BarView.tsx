import { BarChart, CustomChart } from "echarts/charts";
import { use } from "echarts/core";
import { useEffect, useRef } from "react";
import { formatChange } from "../../../format/change.js";
import { formatBounded, formatErrorBar } from "../../../format/errorBar.js";
import { formatMeasureExact } from "../../../format/value.js";
import type { OnIntent } from "../../kit/answer/intent.js";
import { baseNameOf, type ChartMeasure } from "../../kit/answer/series.js";
import { changeOf, type GroupTotal } from "../../kit/answer/totals.js";
import { useChart } from "../../kit/echart/useChart.js";
import { useChartTheme } from "../../kit/paint/useChartTheme.js";
import { clickPlace, tooltipOption } from "../../kit/pointer/chartMark.js";
import { renderTooltip, type TooltipContent } from "../../kit/pointer/tooltip.js";
import styles from "./BarView.module.css";
import { type BarDrawing, barHeight, buildBarOption } from "./build.js";

use([BarChart, CustomChart]);

export interface BarViewProps {
  readonly totals: readonly GroupTotal[];
  readonly measures: readonly ChartMeasure[];
  readonly hues: readonly number[];
  readonly compared: boolean;
  readonly streaming: boolean;
  readonly themeName: string;
  readonly questionKey: string;
  readonly onIntent: OnIntent;
}

/** Groups ranked as bars. */
export function BarView(props: BarViewProps) {
  const { totals, measures, hues, compared, streaming, themeName, questionKey, onIntent } = props;
  const { hostRef, chart, width } = useChart();
  const held = useRef<{ key: string; ceilings: readonly number[] }>({ key: "", ceilings: [] });
  const theme = useChartTheme(themeName);

  useEffect(() => {
    if (chart === null || width === 0) return;
    const ceilings = held.current.key === questionKey ? held.current.ceilings : [];
    const drawing: BarDrawing = {
      totals,
      measures,
      hues,
      compared,
      theme,
      width,
      ceilings,
      streaming,
    };
    const built = buildBarOption(drawing);
    held.current = { key: questionKey, ceilings: built.ceilings };
    chart.setOption(
      { ...built.option, tooltip: tooltipOf(drawing) },
      { replaceMerge: ["series", "grid", "xAxis", "yAxis"] },
    );
  }, [chart, totals, measures, hues, compared, streaming, theme, width, questionKey]);

  useEffect(() => {
    if (chart === null) return;
    const onClick = (event: BarClick): void => {
      const total = totals[event.dataIndex];
      const m = Number(event.seriesId?.split(":")[0] ?? 0);
      const place = clickPlace(event);
      if (total === undefined || place === null) return;
      const text = formatMeasureExact(total.values[m] ?? null, measures[m]?.measure ?? {});
      onIntent({ kind: "pick", mark: { group: total.group, text, ...place } });
    };
    // ECharts types its events loosely; the shape is that of its documentation.
    const listener = onClick as unknown as (event: unknown) => void;
    chart.on("click", listener);
    return () => {
      chart.off("click", listener);
    };
  }, [chart, totals, measures, onIntent]);

  const label = `Bars of ${measures.map((measure) => measure.label).join(", ")}`;
  return (
    <div className={styles.scroll} data-testid="chart">
      <div
        ref={hostRef}
        role="img"
        aria-label={label}
        style={{ height: barHeight(Math.max(1, totals.length)) }}
      />
    </div>
  );
}

interface BarClick {
  readonly dataIndex: number;
  readonly seriesId?: string;
}

function tooltipOf(drawing: BarDrawing) {
  return tooltipOption((params) => {
    const index = (params as { dataIndex?: number }).dataIndex ?? -1;
    const total = drawing.totals[index];
    return total && renderTooltip(barTooltip(drawing, total, index));
  });
}

function barTooltip(drawing: BarDrawing, total: GroupTotal, index: number): TooltipContent {
  const color = drawing.theme.series[drawing.hues[index] ?? 0] ?? drawing.theme.accent;
  return {
    title: total.label,
    heads: [],
    note: null,
    rows: drawing.measures.map((measure, m) => {
      const [value, base] = [total.values[m] ?? null, total.compare[m] ?? null];
      const bar = total.intervals[m] ?? null;
      const now = formatBounded(value, measure.measure);
      const was = `${baseNameOf(measure)} ${formatMeasureExact(base, measure.measure)}`;
      const error = formatErrorBar(value, bar, measure.measure);
      const cells = [
        now,
        ...(error === "" ? [] : [error]),
        ...(drawing.compared ? [was, formatChange(changeOf(value, base))] : []),
      ];
      return { color, name: measure.label, cells };
    }),
  };
}
