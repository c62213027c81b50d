import type { BarSeriesOption, CustomSeriesOption } from "echarts/charts";
import type { GridComponentOption, TooltipComponentOption } from "echarts/components";
import type { ComposeOption } from "echarts/core";
import { formatBounded } from "../../../format/errorBar.js";
import { shortenName } from "../../../format/name.js";
import { formatMeasure } from "../../../format/value.js";
import { asNumber, type ChartMeasure } from "../../kit/answer/series.js";
import type { GroupTotal } from "../../kit/answer/totals.js";
import { holdCeiling, niceCeiling } from "../../kit/paint/axis.js";
import type { ChartTheme } from "../../kit/paint/theme.js";

export type BarOption = ComposeOption<
  BarSeriesOption | CustomSeriesOption | GridComponentOption | TooltipComponentOption
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
/** Between two numbers of an axis. */
const tickPx = 90;
const margin = { top: 44, bottom: 8, right: 20 };
/** Of the widest usual letters: a name must not reach into the next column. */
const namePxPerLetter = 7.4;

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
  const floors = measures.map((measure, m) => floorOf(drawing, measure, m));
  const pxPerUnit = ceilings.map((ceiling, m) => plotWidth(column) / (ceiling - (floors[m] ?? 0)));
  const labels = totals.map((total) => total.label);
  const option: BarOption = {
    animation: false,
    textStyle: { fontFamily: theme.font, color: theme.quiet },
    grid: measures.map((_, m) => ({
      left: labelPx + m * column,
      width: plotWidth(column),
      top: margin.top,
      height: totals.length * barRowPx,
      outerBoundsMode: "none" as const,
    })),
    xAxis: measures.map((measure, m) => ({
      type: "value" as const,
      gridIndex: m,
      position: "top" as const,
      name: shortenName(measure.label, Math.floor(column / namePxPerLetter)),
      nameLocation: "start" as const,
      nameGap: 0,
      nameTextStyle: {
        color: theme.ink,
        fontSize: 12,
        align: "left" as const,
        // Above the numbers.
        padding: [0, 0, 24, 0],
        verticalAlign: "bottom" as const,
      },
      min: floors[m] ?? 0,
      max: ceilings[m] ?? 1,
      splitNumber: Math.max(1, Math.floor(column / tickPx)),
      axisLabel: {
        color: theme.quiet,
        fontSize: 11,
        hideOverlap: true,
        formatter: (value: number) => formatMeasure(value, { unit: measure.measure.unit }),
      },
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { lineStyle: { color: theme.hairline } },
    })),
    yAxis: measures.map((_, m) => namesAxis(labels, m, labelPx, theme)),
    series: measures.flatMap((measure, m) => barsOf(drawing, measure, m, pxPerUnit[m] ?? 0)),
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
        shortenName(labels[Number(index)] ?? "", Math.floor((labelPx - 12) / namePxPerLetter)),
      // Names of wide letters are cut once more.
      width: labelPx - 12,
      overflow: "truncate" as const,
      ellipsis: "…",
    },
  };
}

function barsOf(
  drawing: BarDrawing,
  measure: ChartMeasure,
  m: number,
  pxPerUnit: number,
): (BarSeriesOption | CustomSeriesOption)[] {
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
      label: { distance: 5 + pxPerUnit * whiskerOf(total, m) },
      itemStyle: { color: colorOf(i), opacity: side === "values" ? 1 : 0.4, borderRadius: 2 },
    })),
    label: {
      show: side === "values",
      position: "right",
      color: theme.ink,
      fontSize: 11,
      formatter: ({ dataIndex }) =>
        formatBounded(totals[dataIndex]?.values[m] ?? null, measure.measure, formatMeasure),
    },
  });
  const bars = compared ? [bar("values"), bar("compare")] : [bar("values")];
  return [...bars, ...whiskersOf(drawing, m)];
}

/** Room for the bars, beside their numbers. */
const plotWidth = (columnPx: number): number => Math.max(20, columnPx - 60);

/** Length of the whisker beyond its bar: the number is placed after it. */
function whiskerOf(total: GroupTotal, m: number): number {
  const [bar, value] = [total.intervals[m] ?? null, asNumber(total.values[m] ?? null) ?? 0];
  return bar === null ? 0 : Math.max(0, bar[1] - Math.max(0, value));
}

/** How far each number may be off: a thin line with ends over its bar. */
function whiskersOf({ totals, theme, compared }: BarDrawing, m: number): CustomSeriesOption[] {
  const data = totals.flatMap((total, i) => {
    const bar = total.intervals[m] ?? null;
    return bar === null ? [] : [[bar[0], bar[1], i]];
  });
  if (data.length === 0) return [];
  // With side B below it, the bar is the upper one of two.
  const lift = compared ? -0.18 : 0;
  return [
    {
      id: `${m}:error`,
      type: "custom",
      xAxisIndex: m,
      yAxisIndex: m,
      silent: true,
      z: 5,
      data,
      renderItem: (_params, api) => {
        const at = (value: number) => api.coord([value, api.value(2)]);
        const [[left = 0, middle = 0], [right = 0]] = [
          at(Number(api.value(0))),
          at(Number(api.value(1))),
        ];
        const y = middle + lift * barRowPx;
        const line = (x1: number, y1: number, x2: number, y2: number) => ({
          type: "line" as const,
          shape: { x1, y1, x2, y2 },
          style: { stroke: theme.ink, lineWidth: 1, opacity: 0.7 },
        });
        return {
          type: "group",
          children: [
            line(left, y, right, y),
            line(left, y - 3, left, y + 3),
            line(right, y - 3, right, y + 3),
          ],
        };
      },
    },
  ];
}

function ceilingOf(drawing: BarDrawing, measure: ChartMeasure, m: number): number {
  const top = Math.max(0, ...amountsOf(drawing, m, "high"));
  const wanted = niceCeiling(top, measure.measure.unit);
  return holdCeiling(drawing.ceilings[m] ?? null, wanted, drawing);
}

function floorOf(drawing: BarDrawing, measure: ChartMeasure, m: number): number {
  const low = Math.min(0, ...amountsOf(drawing, m, "low"));
  return low < 0 ? -niceCeiling(-low, measure.measure.unit) : 0;
}

/** All numbers that the axis must contain: of both sides, and one end of the whiskers. */
function amountsOf({ totals }: BarDrawing, m: number, end: "low" | "high"): number[] {
  return totals.flatMap(({ values, compare, intervals }) => {
    const whisker = intervals[m]?.[end === "low" ? 0 : 1] ?? null;
    return [values[m] ?? null, compare[m] ?? null, whisker].map((amount) => asNumber(amount) ?? 0);
  });
}
