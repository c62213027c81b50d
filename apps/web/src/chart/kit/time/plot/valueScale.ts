import { asNumber, type ChartMeasure } from "../../answer/series.js";
import { type AxisChoice, plainAxis } from "../../legend/lineOptions.js";
import { holdCeiling, niceCeiling, niceInterval, wholeInterval } from "../../paint/axis.js";
import { isShareStack, isStack, type TimeDrawing } from "./build.js";
import { logTicks, roundPower } from "./logTicks.js";
import { areManyDifferences } from "./sides.js";

/** The axis of a measure. */
export interface ValueScale {
  readonly floor: number;
  readonly ceiling: number;
  /** Where lines run across. */
  readonly ticks: readonly number[];
  readonly isLog: boolean;
}

export const axisChoiceOf = ({ axes, input }: TimeDrawing, m: number): AxisChoice =>
  axes?.get(input.measures[m]?.name ?? "") ?? plainAxis;

export function scaleOf(drawing: TimeDrawing, m: number): ValueScale {
  const reach = reachOf(drawing, m);
  return isLogAxis(drawing, m, reach)
    ? logScale(drawing, m, reach)
    : linearScale(drawing, m, reach);
}

/** A value as its axis measures it, in steps of equal length; NaN: it has no place on an axis of powers. */
export function onAxis({ isLog }: Pick<ValueScale, "isLog">, value: number): number {
  if (!isLog) return value;
  return value > 0 ? Math.log(value) : Number.NaN;
}

/** The position of a value between the ends of its axis, from 0 to 1. */
export function placeOf(scale: ValueScale, value: number): number {
  const [floor, ceiling] = [onAxis(scale, scale.floor), onAxis(scale, scale.ceiling)];
  return (onAxis(scale, value) - floor) / (ceiling - floor);
}

/** The range of the drawn values of a measure. */
export interface Reach {
  /** To either side of 0: in a stack values below it pile downwards. */
  readonly low: number;
  readonly high: number;
  /** The least above 0; null: none is. */
  readonly leastPositive: number | null;
}

/**
 * The heights of a stack add up, which they do not on a logarithmic axis; such an axis has only
 * values above 0.
 */
const isLogAxis = (drawing: TimeDrawing, m: number, { leastPositive }: Reach): boolean =>
  axisChoiceOf(drawing, m).isLog && !isStack(drawing, m) && leastPositive !== null;

export function reachOf(drawing: TimeDrawing, m: number): Reach {
  const { set, stacked } = drawing;
  const stacks = isStack(drawing, m);
  const hasBands = !stacked && !areManyDifferences(drawing);
  const { thresholds } = axisChoiceOf(drawing, m);
  let [low, high] = [Math.min(0, ...thresholds), Math.max(0, ...thresholds)];
  let leastPositive = Number.POSITIVE_INFINITY;
  for (let at = 0; at < set.timesMs.length; at++) {
    for (const side of ["values", "compare"] as const) {
      let [below, above] = [0, 0];
      for (const series of set.series) {
        const value = asNumber(series[side]?.[m]?.[at] ?? null) ?? 0;
        below = stacks ? below + Math.min(0, value) : Math.min(below, value);
        above = stacks ? above + Math.max(0, value) : Math.max(above, value);
        if (value > 0) leastPositive = Math.min(leastPositive, value);
        if (!hasBands) continue;
        const bar = series.intervals[m]?.[at] ?? [0, 0];
        above = Math.max(above, bar[1]);
        if (drawing.sides === "difference") below = Math.min(below, bar[0]);
      }
      low = Math.min(low, below);
      high = Math.max(high, above);
    }
  }
  if (!Number.isFinite(leastPositive)) return { low, high, leastPositive: null };
  const positive = thresholds.filter((one) => one > 0);
  return { low, high, leastPositive: Math.min(leastPositive, ...positive) };
}

function linearScale(drawing: TimeDrawing, m: number, { low, high }: Reach): ValueScale {
  const measure = drawing.input.measures[m];
  const unit = measure?.measure.unit;
  const { min, max } = axisChoiceOf(drawing, m);
  const isFixed = min !== null || max !== null;
  let ceiling = max ?? ceilingOf(drawing, m, high);
  let floor = min ?? (low < 0 ? -niceCeiling(-low, unit) : 0);
  // The other end was chosen beyond all values.
  if (floor >= ceiling && max === null) ceiling = floor + niceCeiling(Math.abs(floor), unit);
  if (floor >= ceiling) floor = ceiling - niceCeiling(Math.abs(ceiling), unit);
  const step = isFixed
    ? roundPower((ceiling - floor) / 6, unit, "up")
    : stepOf(measure, Math.max(ceiling, -floor));
  return { floor, ceiling, ticks: multiples(floor, ceiling, step), isLog: false };
}

function logScale(drawing: TimeDrawing, m: number, reach: Reach): ValueScale {
  const { min, max } = axisChoiceOf(drawing, m);
  const unit = drawing.input.measures[m]?.measure.unit;
  const streaming = !drawing.input.result.final;
  const top = roundPower(reach.high, unit, "up");
  const bottom = roundPower(reach.leastPositive ?? 1, unit, "down");
  const ceiling = isOnLog(max) ? max : holdCeiling(drawing.ceilings[m] ?? null, top, { streaming });
  // Before the first value above 0 came the axis was none of powers.
  const shown = drawing.floors?.[m] ?? null;
  const held = holdFloor(isOnLog(shown) ? shown : null, bottom, { streaming });
  const wanted = isOnLog(min) ? min : held;
  const floor = wanted < ceiling ? wanted : ceiling / 10;
  return { floor, ceiling, ticks: logTicks(floor, ceiling, unit), isLog: true };
}

export const isOnLog = (end: number | null): end is number => end !== null && end > 0;

/**
 * A logarithmic axis is fitted again when its lower end is more than this many times below the
 * values.
 */
const emptyMax = 20;

function holdFloor(
  previous: number | null,
  wanted: number,
  { streaming }: { readonly streaming: boolean },
): number {
  if (previous === null || wanted < previous) return wanted;
  return streaming || wanted < emptyMax * previous ? previous : wanted;
}

function ceilingOf(drawing: TimeDrawing, m: number, top: number): number {
  const { input } = drawing;
  const measure = input.measures[m];
  const streaming = !input.result.final;
  // Shares do not grow with the rows; those of groups that overlap add up to more than the whole.
  if (isShareStack(drawing, m)) {
    return holdCeiling(drawing.ceilings[m] ?? null, niceCeiling(Math.max(100, top)), { streaming });
  }
  const { known, ...completeness } = input.result.completeness;
  const fraction = known === false ? 1 : completeness.fraction;
  // A part of the rows has a part of the count: the axis already makes room for the rest.
  const expected =
    streaming && measure?.zeroWhenAbsent === true ? top / Math.max(0.1, fraction) : top;
  const wanted = niceCeiling(expected, measure?.measure.unit);
  return holdCeiling(drawing.ceilings[m] ?? null, wanted, { streaming });
}

function stepOf(measure: ChartMeasure | undefined, ceiling: number): number {
  if (measure === undefined) return 1;
  const { name, measure: what } = measure;
  return name === "count" && what.per === undefined
    ? wholeInterval(ceiling)
    : niceInterval(ceiling, what.unit);
}

function multiples(floor: number, ceiling: number, step: number): number[] {
  const first = Math.ceil(floor / step - 1e-9);
  const count = Math.floor(ceiling / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, i) => (first + i) * step);
}
