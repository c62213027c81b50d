import { formatChange } from "../../../format/change.js";
import { formatBounded, formatErrorBar } from "../../../format/errorBar.js";
import { formatRange } from "../../../format/time.js";
import { formatMeasure, formatMeasureExact } from "../../../format/value.js";
import { coverWords } from "../../kit/answer/coverage.js";
import {
  type Amount,
  baseNameOf,
  type ChartInput,
  type ChartMeasure,
} from "../../kit/answer/series.js";
import { changeOf, differenceOf } from "../../kit/answer/totals.js";
import type { CellBox } from "../../kit/cells/cellPlot.js";
import type { TooltipContent } from "../../kit/pointer/tooltip.js";
import { amountsIn, type Calendar, isUnknownCell, timesOfBox } from "./build.js";

/** What the tip of a box is made from. */
export interface CalendarTip {
  readonly calendar: Calendar;
  readonly input: ChartInput;
  readonly measure: ChartMeasure;
  readonly colorOf: (at: number) => string;
}

/** The hours of a box, in words: one hour with its error, several with their sum or their span. */
export function calendarTip(tip: CalendarTip, box: CellBox): TooltipContent {
  const { calendar, input, measure, colorOf } = tip;
  const at = box.fromRow * calendar.days.length + box.fromColumn;
  const isOne = box.fromRow === box.toRow && box.fromColumn === box.toColumn;
  const { fromMs, toMs } = timesOfBox(calendar, box, input);
  const isOutside = toMs <= fromMs;
  const isEmpty = isOutside || (isOne && isUnknownCell(calendar, at));
  const cells = isOne ? hourCells(tip, at) : boxCells(tip, box);
  const color = isOne ? colorOf(at) : "transparent";
  return {
    title: isOutside ? "outside the range" : formatRange(fromMs, toMs, input.timeZone),
    heads: [],
    rows: isEmpty ? [] : [{ color, name: measure.label, cells }],
    note: isOne && !isOutside ? noteOf(tip, at) : null,
  };
}

function hourCells({ calendar, measure }: CalendarTip, at: number): string[] {
  const own = calendar.amounts[at] ?? null;
  if (own === null && calendar.compare === null) return ["no rows"];
  const now = formatBounded(own, measure.measure);
  if (calendar.compare === null) {
    return [now, formatErrorBar(own, calendar.errorBars[at] ?? null, measure.measure)];
  }
  const was = calendar.compare[at] ?? null;
  const difference = differenceOf(own, was);
  const sign = Number(difference ?? 0) > 0 ? "+" : "";
  return [
    now,
    `${baseNameOf(measure)} ${formatMeasureExact(was, measure.measure)}`,
    `${sign}${formatMeasure(difference, measure.measure)}`,
    formatChange(changeOf(own, was)),
  ];
}

function boxCells({ calendar, measure }: CalendarTip, box: CellBox): string[] {
  const own = textOf(calendar, calendar.amounts, box, measure);
  if (calendar.compare === null) return [own];
  return [own, `${baseNameOf(measure)} ${textOf(calendar, calendar.compare, box, measure)}`];
}

/** The sum of what adds up, else the lowest and the highest. */
export function textOf(
  calendar: Calendar,
  amounts: readonly Amount[],
  box: CellBox,
  { additive, measure }: ChartMeasure,
): string {
  const found = amountsIn(calendar, amounts, box);
  if (found === null) return "no rows";
  if (additive) return formatMeasureExact(found.sum, measure);
  const low = formatMeasureExact(found.low, measure);
  return found.low === found.high ? low : `${low} – ${formatMeasureExact(found.high, measure)}`;
}

function noteOf({ calendar, input }: CalendarTip, at: number): string | null {
  const cover = calendar.covers[at];
  const notes = [
    cover === undefined ? "" : coverWords(cover, input.result.completeness.leaves.missing),
    calendar.unclear[at] === 1 ? "the difference lies within the error bars" : "",
  ].filter((note) => note !== "");
  return notes.length === 0 ? null : notes.join(" · ");
}
