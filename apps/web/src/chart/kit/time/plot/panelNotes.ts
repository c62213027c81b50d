import { formatCompact } from "../../../../format/number.js";
import { formatMeasure } from "../../../../format/value.js";
import { asNumber } from "../../answer/series.js";
import { areBarsTooThin } from "./bars.js";
import { drawnValue, isStack, type TimeDrawing } from "./build.js";
import { axisChoiceOf, isOnLog, reachOf, type ValueScale } from "./valueScale.js";

/** Why lines are drawn instead of the chosen bars; null: bars are drawn. */
export function noBars(drawing: TimeDrawing, m: number, { isLog }: ValueScale): string | null {
  if (isLog) return "bars begin at 0, which a log scale has not: lines";
  if (!areBarsTooThin(drawing, m)) return null;
  return "bars would be too thin to see: lines. Show fewer, or longer buckets";
}

/** Notes that are needed to read a panel's axis. */
export function panelNotes(drawing: TimeDrawing, m: number, scale: ValueScale): string[] {
  const choice = axisChoiceOf(drawing, m);
  const { measure = {} } = drawing.input.measures[m] ?? {};
  const text = (value: number): string => formatMeasure(value, { unit: measure.unit });
  const outside = countsOutside(drawing, m, scale);
  const lost = choice.thresholds.filter((one) => isOutside(scale, one));
  const fills = drawing.stacked || drawing.isBars === true;
  const bars = drawing.isBars === true ? noBars(drawing, m, scale) : null;
  return [
    ...(scale.isLog ? ["log scale"] : []),
    ...(choice.isLog && !scale.isLog ? [noLog(drawing, m)] : []),
    ...(scale.isLog && outside.unplaced > 0
      ? [`${counted(outside.unplaced, "value")} of 0 or less ${areGaps(outside.unplaced)}`]
      : []),
    ...(scale.isLog && [choice.min, choice.max].some((end) => end !== null && !isOnLog(end))
      ? ["a log scale has no end at 0 or below"]
      : []),
    ...(outside.above > 0
      ? [`${counted(outside.above, "value")} above ${text(scale.ceiling)}`]
      : []),
    ...(outside.below > 0 ? [`${counted(outside.below, "value")} below ${text(scale.floor)}`] : []),
    ...(!scale.isLog && fills && scale.floor > 0
      ? [`begins at ${text(scale.floor)}, not at 0`]
      : []),
    ...(lost.length > 0 ? [`threshold ${lost.map(text).join(", ")} is off the axis`] : []),
    ...(bars === null ? [] : [bars]),
    ...(drawing.sides === "ratio" ? notesOfRatio(drawing, m) : []),
  ];
}

const counted = (count: number, word: string): string =>
  `${formatCompact(count)} ${word}${count === 1 ? "" : "s"}`;

const areGaps = (count: number): string => (count === 1 ? "is a gap" : "are gaps");

const noLog = (drawing: TimeDrawing, m: number): string =>
  isStack(drawing, m) || reachOf(drawing, m).leastPositive !== null
    ? "no log scale: a stack's heights add up"
    : "no log scale: no value is above 0";

const isOutside = ({ floor, ceiling }: ValueScale, value: number): boolean =>
  value < floor || value > ceiling;

/** Values that the axis does not show. */
function countsOutside(drawing: TimeDrawing, m: number, { floor, ceiling, isLog }: ValueScale) {
  const { set } = drawing;
  const counts = { above: 0, below: 0, unplaced: 0 };
  set.series.forEach((_, s) => {
    for (let at = 0; at < set.timesMs.length; at++) {
      const value = drawnValue(drawing, s, m, at);
      if (value === null) continue;
      if (isLog && value <= 0) counts.unplaced += 1;
      else if (value > ceiling) counts.above += 1;
      else if (value < floor) counts.below += 1;
    }
  });
  return counts;
}

/** A ratio to 0 is undefined. */
function notesOfRatio({ bothSides, set }: TimeDrawing, m: number): string[] {
  const gaps = (bothSides?.set.series ?? []).reduce((count, series, s) => {
    const lost = (series.values[m] ?? []).filter((value, at) => {
      const base = asNumber(series.compare?.[m]?.[at] ?? null);
      const isGap = (set.series[s]?.values[m]?.[at] ?? null) === null;
      return value !== null && base !== null && isGap;
    });
    return count + lost.length;
  }, 0);
  return gaps === 0 ? [] : [`${counted(gaps, "ratio")} to 0 ${areGaps(gaps)}`];
}
