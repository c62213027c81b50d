import type { BarSeriesOption } from "echarts/charts";
import type { GridComponentOption, TooltipComponentOption } from "echarts/components";
import type { ComposeOption } from "echarts/core";
import { shortenName } from "../../format/name.js";
import { formatMeasure } from "../../format/value.js";
import { holdCeiling, niceCeiling } from "../axis.js";
import { asNumber, type ChartMeasure } from "../series.js";
import type { ChartTheme } from "../theme.js";
import type { GroupTotal } from "../totals.js";

export type BarOption = ComposeOption<
  BarSeriesOption | GridComponentOption | TooltipComponentOption
>;

export interface BarDrawing {
  readonly totals: readonly GroupTotal[];
  readonly measures: readonly ChartMeasure[];
  readonly hues: readonly number[];
  readonly compared: boolean;
  readonly theme: ChartTheme;
  readonly width: number;
  readonly ceilings: readonly (number | null)[];
  readonly streaming: boolean;
}

const barRowPx = 28;
const margin = { top: 28, bottom: 8, right: 20 };

/** All bars at their full height: the page scrolls, bars never shrink to hairs. */
export const barHeight = (count: number): number => margin.top + count * barRowPx + margin.bottom;

/** One column of bars per aggregate beside each other, groups from top to bottom, side B paler below its bar. */
export function buildBarOption(drawing: BarDrawing): {
  option: BarOption;
  ceilings: readonly number[];
} {
  const { measures, theme, totals, width } = drawing;
  const longest = totals.reduce((max, total) => Math.max(max, total.label.length), 0);
  const labelPx = Math.min(longest * 7 + 24, 240, Math.max(72, width * 0.34));
  const column = (width - labelPx - margin.right) / measures.length;
  const ceilings = measures.map((measure, m) => ceilingOf(drawing, measure, m));
  const labels = totals.map((total) => total.label);
  const option: BarOption = {
    animation: false,
    textStyle: { fontFamily: theme.font, color: theme.quiet },
    grid: measures.map((_, m) => ({
      left: labelPx + m * column,
      width: Math.max(20, column - (m < measures.length - 1 ? 24 : 56)),
      top: margin.top,
      height: totals.length * barRowPx,
      outerBoundsMode: "none" as const,
    })),
    xAxis: measures.map((measure, m) => ({
      type: "value" as const,
      gridIndex: m,
      position: "top" as const,
      name: measure.label,
      nameLocation: "start" as const,
      nameGap: 0,
      nameTextStyle: {
        color: theme.ink,
        fontSize: 12,
        align: "left" as const,
        padding: [0, 0, 8, 0],
        verticalAlign: "bottom" as const,
      },
      min: Math.min(0, ...totals.map((total) => asNumber(total.values[m] ?? null) ?? 0)),
      max: ceilings[m] ?? 1,
      axisLabel: { show: false },
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { lineStyle: { color: theme.hairline } },
    })),
    yAxis: measures.map((_, m) => namesAxis(labels, m, labelPx, theme)),
    series: measures.flatMap((measure, m) => barsOf(drawing, measure, m)),
  };
  return { option, ceilings };
}

function namesAxis(labels: readonly string[], m: number, labelPx: number, theme: ChartTheme) {
  return {
    type: "category" as const,
    gridIndex: m,
    inverse: true,
    // Places, not names: two groups may read alike.
    data: labels.map((_label, i) => String(i)),
    axisTick: { show: false },
    axisLine: { lineStyle: { color: theme.hairline } },
    axisLabel: {
      show: m === 0,
      interval: 0,
      color: theme.ink,
      fontSize: 12,
      formatter: (index: string) =>
        shortenName(labels[Number(index)] ?? "", Math.floor((labelPx - 12) / 7)),
    },
  };
}

function barsOf(drawing: BarDrawing, measure: ChartMeasure, m: number): BarSeriesOption[] {
  const { totals, theme, hues, compared } = drawing;
  const colorOf = (i: number) => theme.series[hues[i] ?? 0] ?? theme.accent;
  const bar = (side: "values" | "compare"): BarSeriesOption => ({
    id: `${m}:${side}`,
    type: "bar",
    xAxisIndex: m,
    yAxisIndex: m,
    barMaxWidth: 16,
    barMinHeight: 1,
    barGap: "0%",
    barCategoryGap: "28%",
    cursor: "pointer",
    emphasis: { focus: "none" },
    data: totals.map((total, i) => ({
      value: asNumber(total[side][m] ?? null) ?? "-",
      itemStyle: { color: colorOf(i), opacity: side === "values" ? 1 : 0.4, borderRadius: 2 },
    })),
    label: {
      show: side === "values",
      position: "right",
      color: theme.ink,
      fontSize: 11,
      formatter: ({ dataIndex }) =>
        formatMeasure(totals[dataIndex]?.values[m] ?? null, measure.measure),
    },
  });
  return compared ? [bar("values"), bar("compare")] : [bar("values")];
}

function ceilingOf(drawing: BarDrawing, measure: ChartMeasure, m: number): number {
  const amounts = drawing.totals.flatMap((total) => [
    total.values[m] ?? null,
    total.compare[m] ?? null,
  ]);
  const top = Math.max(0, ...amounts.map((amount) => asNumber(amount) ?? 0));
  const wanted = niceCeiling(top, measure.measure.unit);
  return holdCeiling(drawing.ceilings[m] ?? null, wanted, drawing.streaming);
}
