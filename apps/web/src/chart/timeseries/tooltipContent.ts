import { formatChange, formatShare } from "../../format/change.js";
import { formatBounded, formatErrorBar } from "../../format/errorBar.js";
import { shortenName } from "../../format/name.js";
import { formatRange } from "../../format/time.js";
import { formatMeasure, formatMeasureExact } from "../../format/value.js";
import { symbolOf } from "../color.js";
import { baseCoversOf, coverWords, isUnknown } from "../coverage.js";
import { isUnsure } from "../difference.js";
import { type Amount, asNumber, baseNameOf, type Series } from "../series.js";
import { bucketEnd } from "../timeBuckets.js";
import { changeCell, type TooltipCell, type TooltipContent, type TooltipRow } from "../tooltip.js";
import { changeOf } from "../totals.js";
import { isShareStack, type TimeDrawing } from "./build.js";

/** More lines than this hide the chart they explain. */
const rowsMax = 12;

/** Exact values of one bucket in the panel under the pointer, largest first; side B and the change beside them. */
export function timeTooltip(drawing: TimeDrawing, at: number, m: number): TooltipContent {
  const { input, set, covers } = drawing;
  const timeMs = set.timesMs[at] ?? input.fromMs;
  const label = input.measures[m]?.label ?? "";
  const numberOf = (s: number): number =>
    asNumber(set.series[s]?.values[m]?.[at] ?? null) ?? Number.NEGATIVE_INFINITY;
  const rows = set.series.map((_, s) => s).sort((a, b) => numberOf(b) - numberOf(a));
  const hidden = rows.length - rowsMax;
  return {
    title: `${formatRange(timeMs, bucketEnd(timeMs, input), input.timeZone)} ${input.timeZone}`,
    heads: input.compared ? [label, baseNameOf(input.measures[m]), "Δ %"] : [label],
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

function rowOf(drawing: TimeDrawing, s: number, at: number, m: number): TooltipRow {
  const { input, set, hues, theme } = drawing;
  const series = set.series[s];
  // The head says per what; here the room is for digits.
  const { unit, shareOfRows } = input.measures[m]?.measure ?? {};
  const cover = drawing.covers.get(set.timesMs[at] ?? Number.NaN);
  const isBound = shareOfRows !== undefined && cover?.reason === "missing-leaves";
  const measure = { unit, ...(isBound && { shareOfRows: cover.share }) };
  const value = series?.values[m]?.[at] ?? null;
  const base = series?.compare?.[m]?.[at] ?? null;
  // Of a share, digits beyond those that are read say nothing.
  const format = unit === "percent" ? formatMeasure : formatMeasureExact;
  const textOf = (amount: Amount): string =>
    amount !== null && isShareStack(drawing, m)
      ? formatShare(Number(amount) / 100)
      : formatBounded(amount, measure, format);
  const bar = series?.intervals[m]?.[at] ?? null;
  const now = textOf(value);
  const error = formatErrorBar(value, bar, measure);
  const was = textOf(base);
  const cellsOf = (): TooltipCell[] => {
    if (!input.compared) return error === "" ? [now] : [now, error];
    // Of a line without a side B there is nothing to tell.
    if (series?.compare == null) return [now];
    // Of a time that one side alone has rows of there is no change.
    const isAlike = !isUnknown(baseCoversOf(input).get(set.timesMs[at] ?? Number.NaN));
    const change = isAlike ? formatChange(changeOf(value, base)) : "–";
    return [now, was, changeCell(change, isUnsureBucket(series, m, at))];
  };
  return {
    color: theme.series[hues[s] ?? 0] ?? theme.accent,
    symbol: symbolOf(hues[s] ?? 0),
    name: shortenName(series?.label ?? "", 44),
    cells: cellsOf(),
  };
}
