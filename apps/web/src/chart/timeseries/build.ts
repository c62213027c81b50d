import type { LineSeriesOption } from "echarts/charts";
import type { GridComponentOption, TooltipComponentOption } from "echarts/components";
import type { ComposeOption } from "echarts/core";
import { formatTick } from "../../format/time.js";
import { formatMeasure } from "../../format/value.js";
import {
  holdCeiling,
  niceCeiling,
  niceInterval,
  type TimeTicks,
  timeTicks,
  wholeInterval,
} from "../axis.js";
import { type HueSymbol, symbolOf } from "../color.js";
import { type BucketCovers, coverLabel } from "../coverage.js";
import {
  asNumber,
  type ChartInput,
  type ChartMeasure,
  type Series,
  type SeriesSet,
} from "../series.js";
import type { ChartTheme } from "../theme.js";
import { coveredSpans, dashedBuckets, splitLine } from "./covered.js";
import { symbolPlaces, symbolPx } from "./symbolPlaces.js";

export type TimeOption = ComposeOption<
  LineSeriesOption | GridComponentOption | TooltipComponentOption
>;

export interface TimeDrawing {
  readonly input: ChartInput;
  readonly set: SeriesSet;
  /** Of the buckets that are not whole. */
  readonly covers: BucketCovers;
  readonly hues: readonly number[];
  readonly stacked: boolean;
  /** What stacks is percent of a whole. */
  readonly shares?: boolean;
  readonly theme: ChartTheme;
  readonly width: number;
  readonly height: number;
  /** Tops of the axes that are on the screen, per measure; an axis never jumps while parts arrive. */
  readonly ceilings: readonly (number | null)[];
}

export interface BuiltTimeOption {
  readonly option: TimeOption;
  readonly ceilings: readonly number[];
}

export const margin = { left: 64, right: 16, top: 26, bottom: 26 };

/** One panel per aggregate, one line per group, side B dotted in the same hue. */
export function buildTimeOption(drawing: TimeDrawing): BuiltTimeOption {
  const { input, theme } = drawing;
  const scales = input.measures.map((_, m) => scaleOf(drawing, m));
  const ceilings = scales.map(({ ceiling }) => ceiling);
  const panels = panelsOf(input.measures.length, drawing.height);
  const option: TimeOption = {
    animation: false,
    textStyle: { fontFamily: theme.font, color: theme.quiet },
    axisPointer: { link: [{ xAxisIndex: "all" }] },
    grid: panels.map(({ top, height }) => ({
      ...{ left: margin.left, right: margin.right, top, height },
      ...{ containLabel: false, outerBoundsMode: "none" as const },
    })),
    xAxis: panels.map((_, m) => xAxisOf(drawing, m, m === panels.length - 1)),
    yAxis: input.measures.map((measure, m) =>
      yAxisOf(drawing, measure, m, scales[m] ?? scaleOf(drawing, m)),
    ),
    series: input.measures.flatMap((_, m) => linesOf(drawing, m)),
  };
  return { option, ceilings };
}

/** The axis of a measure. */
export interface ValueScale {
  readonly floor: number;
  readonly ceiling: number;
  /** Between the lines across. */
  readonly step: number;
}

export function scaleOf(drawing: TimeDrawing, m: number): ValueScale {
  const measure = drawing.input.measures[m];
  const { low, high } = reachOf(drawing, m);
  const ceiling = ceilingOf(drawing, m, high);
  const floor = low < 0 ? -niceCeiling(-low, measure?.measure.unit) : 0;
  const step = measure === undefined ? 1 : intervalOf(measure, Math.max(ceiling, -floor));
  return { floor, ceiling, step };
}

/** The axis of times: a first bucket may begin before the range. */
export interface TimeScale {
  readonly fromMs: number;
  readonly toMs: number;
  readonly ticks: TimeTicks;
}

export function timeScaleOf({ input, set, width }: TimeDrawing): TimeScale {
  const room = Math.max(1, Math.floor((width - margin.left - margin.right) / 84));
  return {
    fromMs: Math.min(input.fromMs, set.timesMs[0] ?? input.fromMs),
    toMs: input.toMs,
    ticks: timeTicks(input.fromMs, input.toMs, room, input.timeZone),
  };
}

/** Where the panels lie, top to bottom, the time labels under the last. */
export function panelsOf(count: number, height: number): { top: number; height: number }[] {
  const room = Math.max(40 * count, height - margin.bottom);
  return Array.from({ length: count }, (_, m) => ({
    top: (room / count) * m + margin.top,
    height: room / count - margin.top - (m === count - 1 ? 0 : 8),
  }));
}

/** What is drawn of a series at a bucket: in a stack with what lies between it and zero. */
export function drawnValue(
  drawing: TimeDrawing,
  seriesIndex: number,
  m: number,
  at: number,
): number | null {
  const { set } = drawing;
  const own = asNumber(set.series[seriesIndex]?.values[m]?.[at] ?? null);
  if (!isStack(drawing, m) || own === null) return own;
  let drawn = own;
  for (let s = 0; s < seriesIndex; s++) {
    const other = asNumber(set.series[s]?.values[m]?.[at] ?? null) ?? 0;
    if (other < 0 === own < 0) drawn += other;
  }
  return drawn;
}

/** What does not add up stays lines in a stack too. */
export const isStack = ({ stacked, input }: TimeDrawing, m: number): boolean =>
  stacked && input.measures[m]?.additive === true;

/** What stacks is percent of a whole. */
export const isShareStack = (drawing: TimeDrawing, m: number): boolean =>
  drawing.shares === true && isStack(drawing, m);

/** How far what is drawn of a measure reaches to either side of 0: in a stack values below it pile downwards. */
function reachOf(drawing: TimeDrawing, m: number): { low: number; high: number } {
  const { set, stacked } = drawing;
  const stacks = isStack(drawing, m);
  let [low, high] = [0, 0];
  for (let at = 0; at < set.timesMs.length; at++) {
    for (const side of ["values", "compare"] as const) {
      let [below, above] = [0, 0];
      for (const series of set.series) {
        const value = asNumber(series[side]?.[m]?.[at] ?? null) ?? 0;
        below = stacks ? below + Math.min(0, value) : Math.min(below, value);
        above = stacks ? above + Math.max(0, value) : Math.max(above, value);
        if (!stacked) above = Math.max(above, series.intervals[m]?.[at]?.[1] ?? 0);
      }
      low = Math.min(low, below);
      high = Math.max(high, above);
    }
  }
  return { low, high };
}

function ceilingOf(drawing: TimeDrawing, m: number, top: number): number {
  const { input } = drawing;
  const measure = input.measures[m];
  const streaming = !input.result.final;
  // Shares do not grow with the rows; those of groups that overlap add up to more than the whole.
  if (isShareStack(drawing, m)) {
    return holdCeiling(drawing.ceilings[m] ?? null, niceCeiling(Math.max(100, top)), streaming);
  }
  const { known, ...completeness } = input.result.completeness;
  const fraction = known === false ? 1 : completeness.fraction;
  // A part of the rows has a part of the count: the axis already makes room for the rest.
  const expected =
    streaming && measure?.zeroWhenAbsent === true ? top / Math.max(0.1, fraction) : top;
  const wanted = niceCeiling(expected, measure?.measure.unit);
  return holdCeiling(drawing.ceilings[m] ?? null, wanted, streaming);
}

function xAxisOf(drawing: TimeDrawing, m: number, labelled: boolean) {
  const { input, theme } = drawing;
  const { fromMs, toMs, ticks } = timeScaleOf(drawing);
  const customValues = [...ticks.timesMs];
  return {
    // A value axis would be stacked along x.
    type: "time" as const,
    gridIndex: m,
    min: fromMs,
    max: toMs,
    axisLine: { lineStyle: { color: theme.hairline } },
    axisTick: { show: labelled, customValues, lineStyle: { color: theme.hairline } },
    axisLabel: {
      show: labelled,
      customValues,
      color: theme.quiet,
      fontSize: 11,
      formatter: (value: number) => formatTick(value, input.timeZone, ticks.stepMs),
    },
    splitLine: { show: false },
    axisPointer: {
      show: true,
      type: "line" as const,
      snap: true,
      label: { show: false },
      lineStyle: { color: theme.quiet, type: "solid" as const, width: 1, opacity: 0.6 },
    },
  };
}

function yAxisOf(drawing: TimeDrawing, measure: ChartMeasure, m: number, scale: ValueScale) {
  const { theme } = drawing;
  return {
    type: "value" as const,
    gridIndex: m,
    name: measure.label,
    nameGap: 10,
    nameTextStyle: {
      color: theme.ink,
      fontSize: 12,
      align: "left" as const,
      padding: [0, 0, 0, -56],
    },
    min: scale.floor,
    max: scale.ceiling,
    axisLabel: {
      color: theme.quiet,
      fontSize: 11,
      // The panel's name says per what.
      formatter: (value: number) => formatMeasure(value, { unit: measure.measure.unit }),
    },
    ...(scale.floor < 0 ? {} : { interval: scale.step }),
    axisPointer: { show: false },
    splitLine: { lineStyle: { color: theme.hairline, width: 1 } },
  };
}

const intervalOf = ({ name, measure }: ChartMeasure, ceiling: number): number =>
  name === "count" && measure.per === undefined
    ? wholeInterval(ceiling)
    : niceInterval(ceiling, measure.unit);

function linesOf(drawing: TimeDrawing, m: number): LineSeriesOption[] {
  const { set, theme, hues } = drawing;
  const lines: LineSeriesOption[] = [];
  const isDashed = dashedBuckets(set.timesMs, drawing.covers);
  set.series.forEach((series, s) => {
    const color = theme.series[hues[s] ?? 0] ?? theme.accent;
    const symbol = symbolOf(hues[s] ?? 0);
    const shared = { drawing, m, color, symbol, stack: isStack(drawing, m) };
    const { solid, dashed } = splitLine((series.values[m] ?? []).map(asNumber), isDashed);
    lines.push(lineOf(shared, `${m}:a:${series.key}`, solid, "main"));
    if (dashed !== null) lines.push(lineOf(shared, `${m}:open:${series.key}`, dashed, "open"));
    if (!drawing.stacked) lines.push(...bandOf(drawing, m, color, series));
    if (series.compare !== null) {
      const base = (series.compare[m] ?? []).map(asNumber);
      lines.push(lineOf(shared, `${m}:b:${series.key}`, base, "compare"));
    }
  });
  const [first] = lines;
  if (first !== undefined) lines[0] = { ...first, markArea: coveredAreas(drawing) };
  return lines;
}

function lineOf(
  shared: { drawing: TimeDrawing; m: number; color: string; symbol: HueSymbol; stack: boolean },
  id: string,
  numbers: readonly (number | null)[],
  side: "main" | "open" | "compare",
): LineSeriesOption {
  const { drawing, m, color, symbol, stack } = shared;
  const { timesMs } = drawing.set;
  const stepPx = drawing.width / Math.max(1, timesMs.length);
  const xs = timesMs.map((_, at) => at * stepPx);
  const marked = new Set(symbol === "none" ? [] : symbolPlaces(xs, numbers));
  const data = timesMs.map((timeMs, at) =>
    marked.has(at)
      ? { value: [timeMs, numbers[at] ?? null], symbol, symbolSize: symbolPx }
      : pointOf(timeMs, at, numbers),
  );
  const main = side !== "compare";
  return {
    id,
    type: "line",
    xAxisIndex: m,
    yAxisIndex: m,
    data,
    symbol: "none",
    symbolSize: 4,
    itemStyle: { color },
    lineStyle: {
      color,
      width: main ? 1.6 : 1.3,
      type: side === "main" ? "solid" : side === "open" ? "dashed" : "dotted",
      opacity: main ? 1 : 0.85,
    },
    ...(stack ? { stack: `${m}:${side}` } : {}),
    ...(drawing.stacked && main ? { areaStyle: { color, opacity: stack ? 0.5 : 0.08 } } : {}),
    emphasis: { focus: "series", lineStyle: { width: main ? 2.4 : 1.8 } },
    blur: { lineStyle: { opacity: 0.15 }, areaStyle: { opacity: 0.08 } },
    silent: true,
    z: main ? 3 : 2,
  };
}

/** Where the line may be, 19 times of 20: a pale band around it. Nothing where the numbers are exact. */
function bandOf(
  { set }: TimeDrawing,
  m: number,
  color: string,
  series: Series,
): LineSeriesOption[] {
  const bars = series.intervals[m] ?? [];
  if (!bars.some((bar) => bar !== null)) return [];
  const numbers = (series.values[m] ?? []).map(asNumber);
  const side = (name: string, valueAt: (at: number) => number | null): LineSeriesOption => ({
    id: `${m}:${name}:${series.key}`,
    type: "line",
    xAxisIndex: m,
    yAxisIndex: m,
    data: set.timesMs.map((timeMs, at) => [timeMs, valueAt(at)]),
    stack: `${m}:band:${series.key}`,
    // The lower edge may lie below zero.
    stackStrategy: "all",
    symbol: "none",
    lineStyle: { opacity: 0 },
    silent: true,
    z: 1,
  });
  const low = (at: number): number | null => bars[at]?.[0] ?? numbers[at] ?? null;
  const high = (at: number): number | null => bars[at]?.[1] ?? numbers[at] ?? null;
  const height = (at: number): number | null => {
    const [from, to] = [low(at), high(at)];
    return from === null || to === null ? null : to - from;
  };
  return [
    side("low", low),
    {
      ...side("high", height),
      // Many bands over each other are paler: the lines are what is read.
      areaStyle: { color, opacity: 0.18 / Math.sqrt(set.series.length) },
      blur: { areaStyle: { opacity: 0.04 } },
    },
  ];
}

/** A line needs neighbours: a point that has none is shown as one. */
function pointOf(timeMs: number, at: number, numbers: readonly (number | null)[]) {
  const value: [number, number | null] = [timeMs, numbers[at] ?? null];
  const lonely =
    value[1] !== null && (numbers[at - 1] ?? null) === null && (numbers[at + 1] ?? null) === null;
  return lonely ? { value, symbol: "circle" } : value;
}

/** Times that are not whole, with what is known of them where there is room for it. */
function coveredAreas(drawing: TimeDrawing): NonNullable<LineSeriesOption["markArea"]> {
  const { sunken, quiet } = drawing.theme;
  const { input, set, covers } = drawing;
  const data = coveredSpans(input, set.timesMs, covers)
    .filter(({ look }) => look !== "dashed")
    .map(({ fromMs, toMs, cover }): [{ xAxis: number; name: string }, { xAxis: number }] => [
      { xAxis: fromMs, name: coverLabel(cover) },
      { xAxis: toMs },
    ]);
  return {
    silent: true,
    itemStyle: { color: sunken },
    label: { position: "insideTop", color: quiet, fontSize: 11 },
    data,
  };
}
