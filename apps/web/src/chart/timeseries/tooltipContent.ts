import { formatChange } from "../../format/change.js";
import { shortenName } from "../../format/name.js";
import { formatRange } from "../../format/time.js";
import { formatMeasureExact } from "../../format/value.js";
import { asNumber } from "../series.js";
import type { TooltipContent, TooltipRow } from "../tooltip.js";
import { changeOf } from "../totals.js";
import type { TimeDrawing } from "./build.js";

/** More lines than this hide the chart they explain. */
const rowsMax = 12;

/** Exact values of one bucket, largest first; side B and the change beside them. */
export function timeTooltip(drawing: TimeDrawing, at: number): TooltipContent {
  const { input, set } = drawing;
  const timeMs = set.timesMs[at] ?? input.fromMs;
  const rows = set.series
    .map((_, s) => s)
    .sort((a, b) => numberAt(drawing, b, at) - numberAt(drawing, a, at));
  const hidden = rows.length - rowsMax;
  return {
    title: `${formatRange(timeMs, timeMs + (input.bucketMs ?? 0), input.timeZone)} ${input.timeZone}`,
    heads: input.measures.flatMap(({ label }) =>
      input.compared ? [label, "was", "Δ %"] : [label],
    ),
    rows: rows.slice(0, rowsMax).map((s) => rowOf(drawing, s, at)),
    note: hidden > 0 ? `and ${hidden} more, in the legend` : null,
  };
}

function rowOf(drawing: TimeDrawing, s: number, at: number): TooltipRow {
  const { input, set, hues, theme } = drawing;
  const series = set.series[s];
  return {
    color: theme.series[hues[s] ?? 0] ?? theme.accent,
    dotted: false,
    name: shortenName(series?.label ?? "", 44),
    cells: input.measures.flatMap((measure, m) => {
      const value = series?.values[m]?.[at] ?? null;
      const text = formatMeasureExact(value, measure.measure);
      if (series?.compare == null) return [text];
      const base = series.compare[m]?.[at] ?? null;
      const before = formatMeasureExact(base, measure.measure);
      return [text, before, formatChange(changeOf(value, base))];
    }),
  };
}

const numberAt = (drawing: TimeDrawing, s: number, at: number): number =>
  asNumber(drawing.set.series[s]?.values[0]?.[at] ?? null) ?? Number.NEGATIVE_INFINITY;
