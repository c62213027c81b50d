import { formatTick } from "../../../format/time.js";
import {
  addDays,
  type CalendarDay,
  clockOf,
  dayMs,
  dayOf,
  instantOf,
} from "../../../format/zoned.js";
import { type BucketCover, coversOf, isUnknown, lookOfCover } from "../../kit/answer/coverage.js";
import { isUnsure } from "../../kit/answer/difference.js";
import type { Interval } from "../../kit/answer/interval.js";
import {
  type Amount,
  asNumber,
  buildSeries,
  type ChartInput,
  type ChartMeasure,
} from "../../kit/answer/series.js";
import { type AmountCells, type AmountLook, cellColors } from "../../kit/cells/amountCells.js";
import type { BinTick } from "../../kit/cells/binScale.js";
import type { CellGrid } from "../../kit/cells/cellOption.js";
import { boxOf, type CellBox } from "../../kit/cells/cellPlot.js";

const hoursOfDay = 24;
const hourMs = dayMs / hoursOfDay;

/** A column per day, a row per hour of the clock in the zone; midnight is the first row. */
export interface Calendar extends AmountCells {
  readonly days: readonly CalendarDay[];
  readonly errorBars: readonly (Interval | null)[];
  /** Per cell why its hour is not whole; undefined: it is whole. */
  readonly covers: readonly (BucketCover | undefined)[];
  /** Whether the cell's hour is within the range of the query. */
  readonly isAsked: Uint8Array;
  readonly timeZone: string;
}

/** Hours of the answer by day and hour of the day. */
export function buildCalendar(input: ChartInput, measure: ChartMeasure): Calendar {
  const { timeZone } = input;
  const { timesMs, series } = buildSeries({ ...input, measures: [measure], groupColumns: [] });
  const [all] = series;
  const coverOf = coversOf(input);
  const days = daysBetween(timesMs[0] ?? input.fromMs, timesMs.at(-1) ?? input.fromMs, timeZone);
  const columnOf = new Map(days.map((day, column) => [keyOf(day), column]));
  const size = days.length * hoursOfDay;
  const amounts = new Array<Amount>(size).fill(null);
  const compare = input.compared ? new Array<Amount>(size).fill(null) : null;
  const errorBars = new Array<Interval | null>(size).fill(null);
  const covers = new Array<BucketCover | undefined>(size).fill(undefined);
  const unclear = new Uint8Array(size);
  const isAsked = new Uint8Array(size);
  timesMs.forEach((timeMs, i) => {
    const column = columnOf.get(keyOf(dayOf(timeMs, timeZone)));
    if (column === undefined) return;
    const row = Math.floor(clockOf(timeMs, timeZone) / hourMs);
    const at = row * days.length + column;
    // Where clocks go back, a day has one hour twice: both are of one cell.
    const isSecond = isAsked[at] === 1;
    const join = (before: Amount, next: Amount) =>
      isSecond ? joined(before, next, measure) : next;
    amounts[at] = join(amounts[at] ?? null, all?.values[0]?.[i] ?? null);
    if (compare !== null) compare[at] = join(compare[at] ?? null, all?.compare?.[0]?.[i] ?? null);
    // The error of two hours together is not known.
    errorBars[at] = isSecond ? null : (all?.intervals[0]?.[i] ?? null);
    const difference = all?.differences?.[0]?.[i] ?? null;
    if (difference !== null && isUnsure(difference)) unclear[at] = 1;
    covers[at] ??= coverOf.get(timeMs);
    isAsked[at] = 1;
  });
  return { days, amounts, compare, errorBars, covers, unclear, isAsked, timeZone };
}

/** Two hours in one cell; of a number that nothing can be joined of, the first. */
function joined(before: Amount, next: Amount, { total }: ChartMeasure): Amount {
  const [a, b] = [asNumber(before), asNumber(next)];
  if (a === null) return next;
  if (b === null || total === null) return before;
  if (total === "min") return Math.min(a, b);
  return total === "max" ? Math.max(a, b) : a + b;
}

/** More days than a decade has are no calendar. */
const daysMax = 4_000;

function daysBetween(firstMs: number, lastMs: number, timeZone: string): CalendarDay[] {
  const last = keyOf(dayOf(lastMs, timeZone));
  const days = [dayOf(firstMs, timeZone)];
  for (let day = days[0]; day !== undefined && keyOf(day) !== last && days.length < daysMax; ) {
    day = addDays(day, 1);
    days.push(day);
  }
  return days;
}

const keyOf = ({ year, month, day }: CalendarDay): number => (year * 12 + month) * 31 + day;

export interface CalendarLook extends AmountLook {
  readonly width: number;
}

export function calendarGrid(calendar: Calendar, look: CalendarLook): CellGrid {
  const { days, covers, isAsked } = calendar;
  return {
    columns: days.length,
    rows: hoursOfDay,
    ...cellColors(calendar, look),
    xTicks: dayTicks(calendar, Math.max(1, Math.floor((look.width - 60) / 70))),
    yTicks: hourTicks,
    yName: "Hour of the day",
    gapFromPx: 8,
    // Beyond the range nothing was asked, so nothing is known.
    cellLooks: covers.map((cover, at) => (isAsked[at] === 1 ? lookOfCover(cover) : "gap")),
  };
}

const hourTicks: readonly BinTick[] = [0, 3, 6, 9, 12, 15, 18, 21, 24].map((hour) => ({
  at: hour,
  text: `${String(hour).padStart(2, "0")}:00`,
}));

/** Labels in the middle of their days: as many as there is room for, at even distances. */
function dayTicks({ days, timeZone }: Calendar, countMax: number): BinTick[] {
  const fewest = Math.ceil(days.length / countMax);
  // Every day, else every week or several of them.
  const step = fewest <= 1 ? 1 : Math.ceil(fewest / 7) * 7;
  return days.flatMap((day, column) =>
    column % step === 0
      ? [{ at: column + 0.5, text: formatTick(instantOf(day, 0, timeZone), timeZone, dayMs) }]
      : [],
  );
}

/**
 * A drag within a day selects its hours; over several days it selects whole days, which are one
 * range of times.
 */
export function boxOfTimes(from: CellBox, to: CellBox): CellBox {
  const box = boxOf(from, to);
  return box.fromColumn === box.toColumn ? box : { ...box, fromRow: 0, toRow: hoursOfDay - 1 };
}

/** The times of a box, kept within the range that was asked for. */
export function timesOfBox(
  { days, timeZone }: Calendar,
  { fromColumn, toColumn, fromRow, toRow }: CellBox,
  asked: { readonly fromMs: number; readonly toMs: number },
): { fromMs: number; toMs: number } {
  const [first, last] = [days[fromColumn], days[toColumn]];
  if (first === undefined || last === undefined) return { ...asked };
  const isDayEnd = toRow === hoursOfDay - 1;
  const fromMs = instantOf(first, fromRow * hourMs, timeZone);
  const toMs = isDayEnd
    ? instantOf(addDays(last, 1), 0, timeZone)
    : instantOf(last, (toRow + 1) * hourMs, timeZone);
  return { fromMs: Math.max(fromMs, asked.fromMs), toMs: Math.min(toMs, asked.toMs) };
}

/** Lowest and highest of the cells, and their sum; null where none has a number. */
export interface BoxAmounts {
  readonly low: number;
  readonly high: number;
  readonly sum: number;
}

export function amountsIn(
  { days }: Calendar,
  amounts: readonly Amount[],
  { fromColumn, toColumn, fromRow, toRow }: CellBox,
): BoxAmounts | null {
  let found: BoxAmounts | null = null;
  for (let row = fromRow; row <= toRow; row++) {
    for (let column = fromColumn; column <= toColumn; column++) {
      const number = asNumber(amounts[row * days.length + column] ?? null);
      if (number !== null) found = withNumber(found, number);
    }
  }
  return found;
}

function withNumber(found: BoxAmounts | null, number: number): BoxAmounts {
  if (found === null) return { low: number, high: number, sum: number };
  const { low, high, sum } = found;
  return { low: Math.min(low, number), high: Math.max(high, number), sum: sum + number };
}

/** Whether nothing is known of the cell: there is no number, not even 0. */
export const isUnknownCell = ({ covers, isAsked }: Calendar, at: number): boolean =>
  isAsked[at] !== 1 || isUnknown(covers[at]);
