import type { Query } from "@hadal/sdk";
import { formatChange } from "../../../format/change.js";
import { formatBounded, formatErrorBar } from "../../../format/errorBar.js";
import { formatRange } from "../../../format/time.js";
import { formatMeasure, formatMeasureExact } from "../../../format/value.js";
import {
  type BucketCovers,
  coversOf,
  coverWords,
  isUnknown,
  looksOf,
} from "../../kit/answer/coverage.js";
import { differencesOf, isUnsure } from "../../kit/answer/difference.js";
import { type Interval, intervalAt } from "../../kit/answer/interval.js";
import {
  type Amount,
  asAmount,
  asNumber,
  baseNameOf,
  type ChartInput,
  type ChartMeasure,
  indexOfColumn,
  timeColumnOf,
  timesOf,
} from "../../kit/answer/series.js";
import { bucketEnd } from "../../kit/answer/timeBuckets.js";
import { changeOf, differenceOf } from "../../kit/answer/totals.js";
import { type AmountCells, type AmountLook, cellColors } from "../../kit/cells/amountCells.js";
import { binColumnOf, binOfKey } from "../../kit/cells/binColumn.js";
import {
  type BinScale,
  binCount,
  binTicks,
  boundsOf,
  rangeText,
} from "../../kit/cells/binScale.js";
import type { CellGrid } from "../../kit/cells/cellOption.js";
import type { CellBox } from "../../kit/cells/cellPlot.js";
import { type TimeCells, timeCellTicks, timesOfCells } from "../../kit/cells/timeCells.js";
import type { TooltipContent } from "../../kit/pointer/tooltip.js";

/** Amounts by time and value, highest values in the first row. */
export interface Heat extends AmountCells {
  readonly times: TimeCells;
  /** Of the times that are not whole. */
  readonly covers: BucketCovers;
  readonly scale: BinScale;
  readonly rows: number;
  readonly errorBars: readonly (Interval | null)[];
  /** Of rows without a number, which have no place. */
  readonly missing: number;
}

/** null: the answer is to another question. */
export function buildHeat(input: ChartInput, query: Query, measure: ChartMeasure): Heat | null {
  const { result, compared } = input;
  const bins = binColumnOf(query, result);
  if (bins === null) return null;
  const { scale, index } = bins;
  const startsMs = timesOf(input);
  const columnOf = new Map(startsMs.map((timeMs, i) => [timeMs, i]));
  const rows = binCount(scale);
  const size = startsMs.length * rows;
  const amounts = new Array<Amount>(size).fill(null);
  const compare = compared ? new Array<Amount>(size).fill(null) : null;
  const errorBars = new Array<Interval | null>(size).fill(null);
  const unclear = new Uint8Array(size);
  const timeIndex = timeColumnOf(result);
  const valueIndex = indexOfColumn(result, measure.name);
  const compareIndex = indexOfColumn(result, `${measure.name}.compare`);
  const differenceAt = differencesOf(result, measure.name);
  let missing = 0;
  result.rows.forEach((row, i) => {
    const bin = binOfKey(scale, asAmount(row[index]));
    const column = columnOf.get(Number(row[timeIndex]));
    if (bin === null) missing += Number(row[valueIndex] ?? 0);
    if (bin === null || column === undefined) return;
    const at = (rows - 1 - bin) * startsMs.length + column;
    amounts[at] = asAmount(row[valueIndex]);
    if (compare !== null) compare[at] = asAmount(row[compareIndex]);
    errorBars[at] = intervalAt(result, measure.name, i);
    if (compared && isUnsure(differenceAt(i))) unclear[at] = 1;
  });
  const last = startsMs[startsMs.length - 1] ?? input.fromMs;
  const times = { startsMs, endMs: bucketEnd(last, input) };
  return {
    times,
    covers: coversOf(input),
    scale,
    rows,
    amounts,
    compare,
    errorBars,
    unclear,
    missing,
  };
}

export interface HeatLook extends AmountLook {
  readonly timeZone: string;
  readonly name: string;
  readonly width: number;
}

/** Colours of all cells: the amount, or with a comparison the difference. */
export function heatGrid(heat: Heat, look: HeatLook): CellGrid {
  const columns = heat.times.startsMs.length;
  return {
    columns,
    rows: heat.rows,
    ...cellColors(heat, look),
    xTicks: timeCellTicks(
      heat.times,
      Math.max(1, Math.floor((look.width - 60) / 80)),
      look.timeZone,
    ),
    yTicks: binTicks(heat.scale, 12).map(({ at, text }) => ({ at: heat.rows - at, text })),
    yName: look.name,
    gapFromPx: 14,
    looks: looksOf(heat.covers, heat.times.startsMs),
  };
}

/** The total of a box of cells. */
export interface HeatArea {
  readonly amount: number;
  readonly base: number;
  readonly label: string;
  readonly bins: { readonly from: number; readonly to: number };
  readonly range: { readonly fromMs: number; readonly toMs: number };
}

export function areaOf(heat: Heat, box: CellBox, input: ChartInput): HeatArea {
  const { fromMs, toMs, timeZone } = input;
  const columns = heat.times.startsMs.length;
  let [amount, base] = [0, 0];
  for (let row = box.fromRow; row <= box.toRow; row++) {
    for (let column = box.fromColumn; column <= box.toColumn; column++) {
      amount += asNumber(heat.amounts[row * columns + column] ?? null) ?? 0;
      base += asNumber(heat.compare?.[row * columns + column] ?? null) ?? 0;
    }
  }
  const bins = { from: heat.rows - 1 - box.toRow, to: heat.rows - 1 - box.fromRow };
  const range = timesOfCells(heat.times, box.fromColumn, box.toColumn, { fromMs, toMs });
  const bounds = {
    low: boundsOf(heat.scale, bins.from).low,
    high: boundsOf(heat.scale, bins.to).high,
  };
  const label = `${rangeText(bounds, heat.scale.measure)}, ${formatRange(range.fromMs, range.toMs, timeZone)}`;
  return { amount, base, label, bins, range };
}

/** What a tip is written from, beside the cells. */
export interface HeatTip {
  readonly input: ChartInput;
  readonly measure: ChartMeasure;
  readonly colorOf: (at: number) => string;
}

export function heatTip(
  heat: Heat,
  box: CellBox,
  { input, measure, colorOf }: HeatTip,
): TooltipContent {
  const columns = heat.times.startsMs.length;
  const at = box.fromRow * columns + box.fromColumn;
  const isOne = box.fromRow === box.toRow && box.fromColumn === box.toColumn;
  const { amount, base, label } = areaOf(heat, box, input);
  const [own, was] = isOne ? [heat.amounts[at] ?? 0, heat.compare?.[at] ?? 0] : [amount, base];
  const exact = (value: Amount) => formatMeasureExact(value, measure.measure);
  const difference = differenceOf(own, was);
  const sign = Number(difference ?? 0) > 0 ? "+" : "";
  const bar = isOne ? (heat.errorBars[at] ?? null) : null;
  const error = formatErrorBar(own, bar, measure.measure);
  const now = formatBounded(own, measure.measure);
  const cells =
    heat.compare === null
      ? [now, error]
      : [
          now,
          `${baseNameOf(measure)} ${exact(was)}`,
          `${sign}${formatMeasure(difference, measure.measure)}`,
          formatChange(changeOf(own, was)),
        ];
  return {
    title: label,
    heads: [],
    rows:
      isOne && isUnknown(heat.covers.get(heat.times.startsMs[box.fromColumn] ?? 0))
        ? []
        : [{ color: isOne ? colorOf(at) : "transparent", name: measure.label, cells }],
    note: heatNote(heat, box, input, { isUnclear: isOne && heat.unclear[at] === 1 }),
  };
}

function heatNote(
  { covers, times }: Heat,
  { fromColumn, toColumn }: CellBox,
  { result }: ChartInput,
  { isUnclear }: { readonly isUnclear: boolean },
): string | null {
  const cover = fromColumn === toColumn ? covers.get(times.startsMs[fromColumn] ?? 0) : undefined;
  const notes = [
    cover === undefined ? "" : coverWords(cover, result.completeness.leaves.missing),
    isUnclear ? "the difference lies within the error bars" : "",
  ].filter((note) => note !== "");
  return notes.length === 0 ? null : notes.join(" · ");
}
