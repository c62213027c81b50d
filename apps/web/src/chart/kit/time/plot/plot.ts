import type { ChartMeasure } from "../../answer/series.js";
import { type Bar, barsIn } from "./bars.js";
import { panelsOf, type TimeDrawing, type TimeScale, timeScaleOf } from "./build.js";
import { type CoveredSpan, coveredSpans } from "./covered.js";
import { linesOf, type TimeBand, type TimeLine } from "./lines.js";
import { noBars, panelNotes } from "./panelNotes.js";
import { sameSides } from "./sides.js";
import { axisChoiceOf, scaleOf, type ValueScale } from "./valueScale.js";

/** All numbers of a drawing. */
export interface TimePlot extends TimeScale {
  readonly drawing: TimeDrawing;
  /** Incomplete times. */
  readonly covered: readonly CoveredSpan[];
  readonly panels: readonly TimePanel[];
}

/** One aggregate and its position in the chart. */
export interface TimePanel extends ValueScale {
  readonly measure: ChartMeasure;
  readonly top: number;
  readonly height: number;
  readonly lines: readonly TimeLine[];
  readonly bands: readonly TimeBand[];
  readonly bars: readonly Bar[];
  /** The user's thresholds. */
  readonly thresholds: readonly number[];
  /** The value of no difference; null: not applicable. */
  readonly same: number | null;
  readonly notes: readonly string[];
  /** The last panel has the time axis. */
  readonly last: boolean;
}

export function buildTimePlot(drawing: TimeDrawing): TimePlot {
  const { measures } = drawing.input;
  const places = panelsOf(measures.length, drawing.height);
  return {
    ...timeScaleOf(drawing),
    drawing,
    covered: coveredSpans(drawing.input, drawing.set.timesMs, drawing.covers),
    panels: places.flatMap((place, m) => {
      const measure = measures[m];
      if (measure === undefined) return [];
      return [{ ...place, ...panelOf(drawing, m), measure, last: m === measures.length - 1 }];
    }),
  };
}

function panelOf(drawing: TimeDrawing, m: number) {
  const scale = scaleOf(drawing, m);
  const isBars = drawing.isBars === true && noBars(drawing, m, scale) === null;
  const { lines, bands, bars } = linesOf(drawing, m, scale, isBars ? "bars" : "lines");
  const { thresholds } = axisChoiceOf(drawing, m);
  return {
    ...{ ...scale, lines, bands },
    bars: barsIn(drawing, m, scale, bars),
    thresholds: thresholds.filter((one) => one >= scale.floor && one <= scale.ceiling),
    same: sameSides[drawing.sides ?? "none"] ?? null,
    notes: panelNotes(drawing, m, scale),
  };
}
