import type { ChartMeasure } from "../series.js";
import {
  panelsOf,
  scaleOf,
  type TimeDrawing,
  type TimeScale,
  timeScaleOf,
  type ValueScale,
} from "./build.js";
import { type CoveredSpan, coveredSpans } from "./covered.js";
import { linesOf, type TimeBand, type TimeLine } from "./lines.js";

/** All that is drawn, in numbers. */
export interface TimePlot extends TimeScale {
  readonly drawing: TimeDrawing;
  /** Times that are not whole, and look so. */
  readonly covered: readonly CoveredSpan[];
  readonly panels: readonly TimePanel[];
}

/** One aggregate, and where it lies in the chart. */
export interface TimePanel extends ValueScale {
  readonly measure: ChartMeasure;
  readonly top: number;
  readonly height: number;
  readonly lines: readonly TimeLine[];
  readonly bands: readonly TimeBand[];
  /** The times stand under the last. */
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
      const last = m === measures.length - 1;
      return [{ ...place, ...scaleOf(drawing, m), ...linesOf(drawing, m), measure, last }];
    }),
  };
}
