import { formatChange, formatShare } from "../../format/change.js";
import { formatErrorBar } from "../../format/errorBar.js";
import { shortenName } from "../../format/name.js";
import { formatRange } from "../../format/time.js";
import { formatMeasureExact } from "../../format/value.js";
import { type Amount, asNumber } from "../series.js";
import { bucketEnd } from "../timeBuckets.js";
import type { TooltipContent, TooltipRow } from "../tooltip.js";
import { changeOf } from "../totals.js";
import { isShareStack, type TimeDrawing } from "./build.js";

/** More lines than this hide the chart they explain. */
const rowsMax = 12;

/** Exact values of one bucket in the panel under the pointer, largest first; side B and the change beside them. */
export function timeTooltip(drawing: TimeDrawing, at: number, m: number): TooltipContent {
  const { input, set } = drawing;
  const timeMs = set.timesMs[at] ?? input.fromMs;
  const label = input.measures[m]?.label ?? "";
  const numberOf = (s: number): number =>
    asNumber(set.series[s]?.values[m]?.[at] ?? null) ?? Number.NEGATIVE_INFINITY;
  const rows = set.series.map((_, s) => s).sort((a, b) => numberOf(b) - numberOf(a));
  const hidden = rows.length - rowsMax;
  return {
    title: `${formatRange(timeMs, bucketEnd(timeMs, input), input.timeZone)} ${input.timeZone}`,
    heads: input.compared ? [label, "was", "Δ %"] : [label],
    rows: rows.slice(0, rowsMax).map((s) => rowOf(drawing, s, at, m)),
    note: hidden > 0 ? `and ${hidden} more, in the legend` : null,
  };
}

function rowOf(drawing: TimeDrawing, s: number, at: number, m: number): TooltipRow {
  const { input, set, hues, theme } = drawing;
  const series = set.series[s];
  // The head says per what; here the room is for digits.
  const measure = { unit: input.measures[m]?.measure.unit };
  const value = series?.values[m]?.[at] ?? null;
  const base = series?.compare?.[m]?.[at] ?? null;
  // Of a share, digits beyond those that are read say nothing.
  const textOf = (amount: Amount): string =>
    amount !== null && isShareStack(drawing, m)
      ? formatShare(Number(amount) / 100)
      : formatMeasureExact(amount, measure);
  const now = textOf(value);
  const error = formatErrorBar(value, series?.intervals[m]?.[at] ?? null, measure);
  const was = textOf(base);
  const cellsOf = (): string[] => {
    if (!input.compared) return error === "" ? [now] : [now, error];
    // Of a line without a side B there is nothing to tell.
    return series?.compare == null ? [now] : [now, was, formatChange(changeOf(value, base))];
  };
  return {
    color: theme.series[hues[s] ?? 0] ?? theme.accent,
    name: shortenName(series?.label ?? "", 44),
    cells: cellsOf(),
  };
}
