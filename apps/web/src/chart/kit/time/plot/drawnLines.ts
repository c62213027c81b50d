import type { ChartInput, SeriesSet } from "../../answer/series.js";
import type { LineOptions } from "../../legend/lineOptions.js";
import { shownIndexes } from "../../legend/shownLines.js";
import type { BothSides } from "./build.js";
import { averagedMeasure, averagedSet } from "./movingAverage.js";
import { type DrawnSides, drawnSides, inputOfSides, setOfSides } from "./sides.js";

/** The lines of a result. */
export interface AllLines {
  readonly input: ChartInput;
  readonly set: SeriesSet;
  readonly hues: readonly number[];
}

/** The drawn lines after the user's choices: averages, differences, hidden lines. */
export interface ChosenLines extends AllLines {
  readonly options: LineOptions;
  readonly sides: DrawnSides;
  readonly bothSides?: BothSides;
  /** How many lines there are. */
  readonly lineCount: number;
}

/** How the sides of a comparison are drawn: as the options say, or one over the other. */
export type SidesDrawn = "chosen" | "overlaid";

/**
 * First averages, then differences, so that a ratio is a ratio of averages. Lines are hidden last, so that numbers
 * from all lines, such as the rest and shares, do not change.
 */
export function chosenLines(
  { input, set, hues }: AllLines,
  options: LineOptions,
  drawnAs: SidesDrawn,
): ChosenLines {
  const { averageOf, versus, shown } = options;
  const lineCount = set.series.length;
  const { compared } = input;
  const sides = drawnSides(drawnAs === "overlaid" ? "overlay" : versus, { compared, lineCount });
  const kept = shownIndexes(
    shown,
    set.series.map(({ key }) => key),
  );
  const series = kept.flatMap((at) => set.series[at] ?? []);
  const averaged = averagedSet({ timesMs: set.timesMs, series }, input, averageOf);
  const measures = input.measures.map((measure) => averagedMeasure(measure, averageOf));
  const isOfBoth = sides === "difference" || sides === "ratio";
  return {
    input: inputOfSides({ ...input, measures }, sides),
    set: setOfSides(averaged, sides),
    hues: kept.map((at) => hues[at] ?? 0),
    ...{ options, sides, lineCount },
    ...(isOfBoth && { bothSides: { set: averaged, measures } }),
  };
}
