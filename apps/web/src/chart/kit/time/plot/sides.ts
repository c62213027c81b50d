import {
  type Amount,
  asNumber,
  baseNameOf,
  type ChartInput,
  type ChartMeasure,
  ownNameOf,
  type Series,
  type SeriesSet,
} from "../../answer/series.js";
import { differenceOf } from "../../answer/totals.js";
import type { Versus } from "../../legend/lineOptions.js";

/** Above this many lines, only the difference or one line's side B is drawn. */
const overlaidMax = 4;

/** How the two sides are drawn; `none`: no comparison. */
export type DrawnSides = "none" | Exclude<Versus, "auto">;

export function drawnSides(
  chosen: Versus,
  { compared, lineCount }: { readonly compared: boolean; readonly lineCount: number },
): DrawnSides {
  if (!compared) return "none";
  if (chosen !== "auto") return chosen;
  return lineCount > overlaidMax ? "difference" : "overlay";
}

/** Whether side B is drawn for the focused line only, because there are too many lines. */
export const isOverlayOfFocus = ({ series }: Pick<SeriesSet, "series">): boolean =>
  series.filter(({ compare }) => compare !== null).length > overlaidMax;

/** Many bands that contain 0 would hide the differences: only the focused line's band is drawn. */
export const areManyDifferences = ({
  sides,
  set,
}: {
  readonly sides?: DrawnSides;
  readonly set: SeriesSet;
}): boolean => sides === "difference" && set.series.length > overlaidMax;

/**
 * The set with one line for both sides of a group; a value that is unknown on one side is a gap.
 */
export function setOfSides(set: SeriesSet, sides: DrawnSides): SeriesSet {
  if (sides !== "difference" && sides !== "ratio") return set;
  const ofSides = sides === "difference" ? differenceOf : ratioOf;
  const series = set.series.map((one): Series => {
    const values = one.values.map((line, m) =>
      line.map((value, at) => ofSides(value, one.compare?.[m]?.[at] ?? null)),
    );
    const intervals = values.map((line, m) =>
      line.map((value, at) => {
        const error = one.differences?.[m]?.[at]?.error;
        const isKnown = sides === "difference" && value !== null && typeof error === "object";
        return isKnown ? error : null;
      }),
    );
    return { ...one, values, compare: null, intervals };
  });
  return { timesMs: set.timesMs, series };
}

/** The measure of a line of differences. */
function measureOfSides(measure: ChartMeasure, sides: DrawnSides): ChartMeasure {
  if (sides !== "difference" && sides !== "ratio") return measure;
  const [own, base] = [ownNameOf(measure), baseNameOf(measure)];
  return {
    ...measure,
    ...{ zeroWhenAbsent: false, additive: false, total: null },
    name: nameOfSides(measure.name, sides),
    label: `${measure.label}: ${own} ${sides === "ratio" ? "÷" : "−"} ${base}`,
    ...(sides === "ratio" && { measure: { unit: "times" } }),
  };
}

/** Key of the axis options of differences. */
const nameOfSides = (name: string, sides: "difference" | "ratio"): string => `${name}.${sides}`;

/** The value of no difference. */
export const sameSides: Readonly<Partial<Record<DrawnSides, number>>> = { difference: 0, ratio: 1 };

/** A ratio to 0 is undefined. */
function ratioOf(value: Amount, base: Amount): Amount {
  const [own, other] = [asNumber(value), asNumber(base)];
  return own === null || other === null || other <= 0 || own < 0 ? null : own / other;
}

export const inputOfSides = (input: ChartInput, sides: DrawnSides): ChartInput =>
  sides === "difference" || sides === "ratio"
    ? { ...input, measures: input.measures.map((measure) => measureOfSides(measure, sides)) }
    : input;
