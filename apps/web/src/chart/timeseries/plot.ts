import type { ChartMeasure } from "../series.js";
import {
  panelsOf,
  scaleOf,
  type TimeDrawing,
  type TimeScale,
  timeScaleOf,
  unfinishedBuckets,
  type ValueScale,
} from "./build.js";
import { linesOf, type TimeBand, type TimeLine } from "./lines.js";

/** All that is drawn, in numbers. */
export interface TimePlot extends TimeScale {
  readonly drawing: TimeDrawing;
  /** Times whose buckets reach beyond the range or beyond now. */
  readonly unfinished: readonly (readonly [number, number])[];
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
    unfinished: unfinishedBuckets(drawing),
    panels: places.flatMap((place, m) => {
      const measure = measures[m];
      if (measure === undefined) return [];
      const last = m === measures.length - 1;
      return [{ ...place, ...scaleOf(drawing, m), ...linesOf(drawing, m), measure, last }];
    }),
  };
}
