import { shortenName } from "../../../../format/name.js";
import { formatIso, formatRange } from "../../../../format/time.js";
import { formatMeasureExact } from "../../../../format/value.js";
import type { Mark } from "../../answer/intent.js";
import { bucketEnd } from "../../answer/timeBuckets.js";
import type { TimeDrawing } from "../plot/build.js";

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Position of a menu in the window. */
interface Place {
  readonly x: number;
  readonly y: number;
}

/** A line at a bucket. */
interface Touched {
  readonly seriesIndex: number;
  readonly measureIndex: number;
}

/** All rows of these times. */
export function markOfTimes(
  range: Range,
  { input }: Pick<TimeDrawing, "input">,
  { x, y }: Place,
): Mark & { readonly label: string } {
  const label = formatRange(range.fromMs, range.toMs, input.timeZone);
  const text = `${formatIso(range.fromMs)}/${formatIso(range.toMs)}`;
  const rangeOf = { fromMs: input.fromMs, toMs: input.toMs };
  return { group: [], range, rangeOf, label, text, x, y };
}

/** The rows of a bucket, of one line or (null) of all. */
export function markOfBucket(
  drawing: Pick<TimeDrawing, "input" | "set">,
  at: number,
  touched: Touched | null,
  place: Place,
): Mark & { readonly label: string } {
  const { input, set } = drawing;
  const startMs = set.timesMs[at] ?? input.fromMs;
  const range = {
    fromMs: Math.max(input.fromMs, startMs),
    toMs: Math.min(input.toMs, bucketEnd(startMs, input)),
  };
  const mark = markOfTimes(range, drawing, place);
  const series = touched === null ? undefined : set.series[touched.seriesIndex];
  if (touched === null || series === undefined) return mark;
  const { measure } = input.measures[touched.measureIndex] ?? { measure: {} };
  const value = series.values[touched.measureIndex]?.[at] ?? null;
  return {
    ...mark,
    group: series.group,
    ...(series.noFilter !== undefined && { noFilter: series.noFilter }),
    label: `${shortenName(series.label, 60)}, ${mark.label}`,
    text: formatMeasureExact(value, measure),
  };
}
