import { formatChange, formatShare } from "../../../../format/change.js";
import { formatBounded, formatErrorBar } from "../../../../format/errorBar.js";
import { shortenName } from "../../../../format/name.js";
import { formatRange } from "../../../../format/time.js";
import { formatMeasure, formatMeasureExact, type Measure } from "../../../../format/value.js";
import { baseCoversOf, coverWords, isUnknown } from "../../answer/coverage.js";
import { isUnsure } from "../../answer/difference.js";
import {
  type Amount,
  asNumber,
  baseNameOf,
  type ChartMeasure,
  ownNameOf,
  type Series,
} from "../../answer/series.js";
import { bucketEnd } from "../../answer/timeBuckets.js";
import { changeOf } from "../../answer/totals.js";
import { symbolOf } from "../../paint/color.js";
import {
  changeCell,
  type TooltipCell,
  type TooltipContent,
  type TooltipRow,
} from "../../pointer/tooltip.js";
import { isShareStack, type TimeDrawing } from "../plot/build.js";

/** More lines would cover the chart. */
const rowsMax = 12;

/** Exact values of one bucket in the panel under the pointer, largest first; side B and the change beside them. */
export function timeTooltip(drawing: TimeDrawing, at: number, m: number): TooltipContent {
  const { input, set, covers } = drawing;
  const timeMs = set.timesMs[at] ?? input.fromMs;
  const label = input.measures[m]?.label ?? "";
  // Differences are ordered by magnitude.
  const sizeOf = drawing.bothSides === undefined ? (value: number) => value : Math.abs;
  const numberOf = (s: number): number => {
    const value = asNumber(set.series[s]?.values[m]?.[at] ?? null);
    return value === null ? Number.NEGATIVE_INFINITY : sizeOf(value);
  };
  const rows = set.series.map((_, s) => s).sort((a, b) => numberOf(b) - numberOf(a));
  const hidden = rows.length - rowsMax;
  return {
    title: `${formatRange(timeMs, bucketEnd(timeMs, input), input.timeZone)} ${input.timeZone}`,
    heads: headsOf(drawing, m, label),
    rows: isUnknown(covers.get(timeMs))
      ? []
      : rows.slice(0, rowsMax).map((s) => rowOf(drawing, s, at, m)),
    note: noteOf(drawing, { at, m, hidden }),
  };
}

function noteOf(
  { input, set, covers }: TimeDrawing,
  { at, m, hidden }: { readonly at: number; readonly m: number; readonly hidden: number },
): string | null {
  const hasUnsure = input.compared && set.series.some((series) => isUnsureBucket(series, m, at));
  const cover = covers.get(set.timesMs[at] ?? Number.NaN);
  const notes = [
    cover === undefined ? "" : coverWords(cover, input.result.completeness.leaves.missing),
    hidden > 0 ? `and ${hidden} more, in the legend` : "",
    hasUnsure ? "grey: the change may be none" : "",
  ].filter((note) => note !== "");
  return notes.length === 0 ? null : notes.join(" · ");
}

function isUnsureBucket(series: Series | undefined, m: number, at: number): boolean {
  const difference = series?.differences?.[m]?.[at] ?? null;
  return difference !== null && isUnsure(difference);
}

/** With a comparison the row shows both sides. */
function headsOf({ input, bothSides }: TimeDrawing, m: number, label: string): string[] {
  const base = baseNameOf(input.measures[m]);
  if (bothSides !== undefined) return [label, ownNameOf(input.measures[m]), base, "Δ %"];
  return input.compared ? [label, base, "Δ %"] : [label];
}

function rowOf(drawing: TimeDrawing, s: number, at: number, m: number): TooltipRow {
  const { set, hues, theme } = drawing;
  return {
    color: theme.series[hues[s] ?? 0] ?? theme.accent,
    symbol: symbolOf(hues[s] ?? 0),
    name: shortenName(set.series[s]?.label ?? "", 44),
    cells: cellsOf(drawing, s, at, m),
  };
}

function cellsOf(drawing: TimeDrawing, s: number, at: number, m: number): TooltipCell[] {
  const { input, bothSides } = drawing;
  const series = (bothSides?.set ?? drawing.set).series[s];
  const measure = measureAt(drawing, at, bothSides?.measures[m] ?? input.measures[m]);
  const textOf = textsOf(drawing, m, measure);
  const value = series?.values[m]?.[at] ?? null;
  const base = series?.compare?.[m]?.[at] ?? null;
  const now = textOf(value);
  if (!input.compared) {
    const error = formatErrorBar(value, series?.intervals[m]?.[at] ?? null, measure);
    return error === "" ? [now] : [now, error];
  }
  const isQuiet = isUnsureBucket(series, m, at);
  const change = changeCell(changeText(drawing, at, value, base), { isQuiet });
  if (bothSides !== undefined) {
    const drawn = drawing.set.series[s]?.values[m]?.[at] ?? null;
    const { unit } = input.measures[m]?.measure ?? {};
    return [changeCell(formatMeasure(drawn, { unit }), { isQuiet }), now, textOf(base), change];
  }
  // A line without a side B has no change.
  return series?.compare == null ? [now] : [now, textOf(base), change];
}

/** The head has the unit of time, so it is left out here. */
function measureAt({ set, covers }: TimeDrawing, at: number, measure: ChartMeasure | undefined) {
  const { unit, shareOfRows } = measure?.measure ?? {};
  const cover = covers.get(set.timesMs[at] ?? Number.NaN);
  const isBound = shareOfRows !== undefined && cover?.reason === "missing-leaves";
  return { unit, ...(isBound && { shareOfRows: cover.share }) };
}

function textsOf(drawing: TimeDrawing, m: number, measure: Measure): (amount: Amount) => string {
  const { averageOf = 1 } = drawing;
  // Further digits of a share or an average have no meaning.
  const isShort = measure.unit === "percent" || averageOf > 1;
  return (amount) =>
    amount !== null && isShareStack(drawing, m)
      ? formatShare(Number(amount) / 100)
      : formatBounded(amount, measure, isShort ? formatMeasure : formatMeasureExact);
}

/** A time with rows of one side only has no change. */
function changeText({ input, set }: TimeDrawing, at: number, value: Amount, base: Amount): string {
  const isAlike = !isUnknown(baseCoversOf(input).get(set.timesMs[at] ?? Number.NaN));
  return isAlike ? formatChange(changeOf(value, base)) : "–";
}
