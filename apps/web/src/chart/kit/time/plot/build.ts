import type { BucketCovers } from "../../answer/coverage.js";
import {
  asNumber,
  type ChartInput,
  type ChartMeasure,
  type SeriesSet,
} from "../../answer/series.js";
import type { AxisChoice } from "../../legend/lineOptions.js";
import { type TimeTicks, timeTicks } from "../../paint/axis.js";
import type { ChartTheme } from "../../paint/theme.js";
import type { DrawnSides } from "./sides.js";

export interface TimeDrawing {
  readonly input: ChartInput;
  readonly set: SeriesSet;
  /** Of the buckets that are not whole. */
  readonly covers: BucketCovers;
  readonly hues: readonly number[];
  readonly stacked: boolean;
  /** Stacked numbers are shares of a whole, in percent. */
  readonly shares?: boolean;
  /** By the name of the measure; absent: as the values have it. */
  readonly axes?: ReadonlyMap<string, AxisChoice>;
  /** Buckets of the moving average that the numbers are; 1: none. */
  readonly averageOf?: number;
  readonly isBars?: boolean;
  readonly sides?: DrawnSides;
  /** The two sides, where one line shows both. */
  readonly bothSides?: BothSides;
  readonly theme: ChartTheme;
  readonly width: number;
  readonly height: number;
  /** Tops of the axes that are on the screen, per measure; an axis never jumps while parts arrive. */
  readonly ceilings: readonly (number | null)[];
  /** Their lower ends, which move on an axis of powers only. */
  readonly floors?: readonly (number | null)[];
}

export interface BothSides {
  readonly set: SeriesSet;
  readonly measures: readonly ChartMeasure[];
}

export const margin = { left: 64, right: 16, top: 26, bottom: 26 };

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

/** The positions of the panels, top to bottom, with the time labels below the last. */
export function panelsOf(count: number, height: number): { top: number; height: number }[] {
  const room = Math.max(40 * count, height - margin.bottom);
  return Array.from({ length: count }, (_, m) => ({
    top: (room / count) * m + margin.top,
    height: room / count - margin.top - (m === count - 1 ? 0 : 8),
  }));
}

/** The drawn value of a series at a bucket: in a stack with all that is between it and zero. */
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

/** Stacked numbers are shares of a whole, in percent. */
export const isShareStack = (drawing: TimeDrawing, m: number): boolean =>
  drawing.shares === true && isStack(drawing, m);
