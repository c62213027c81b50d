import { formatChange } from "../../format/change.js";
import { formatErrorBar } from "../../format/errorBar.js";
import { shortenName } from "../../format/name.js";
import { formatRange } from "../../format/time.js";
import { formatMeasure, formatMeasureExact } from "../../format/value.js";
import type { CellGrid } from "../cells/cellOption.js";
import type { CellBox } from "../cells/cellPlot.js";
import { type TimeCells, timeCellTicks, timesOfCells } from "../cells/timeCells.js";
import { asNumber, type ChartInput, type ChartMeasure, type SeriesSet } from "../series.js";
import { createShades } from "../shade.js";
import type { ChartTheme } from "../theme.js";
import type { TooltipContent } from "../tooltip.js";
import { changeOf } from "../totals.js";

/** Bounds between levels, ascending, and what each level looks like. */
export interface Levels {
  readonly bounds: readonly number[];
  readonly colors: readonly string[];
}

/** `levels` in force: bounds as they were written, or fifths of all values on the screen. */
export function levelsOf(
  set: SeriesSet,
  chosen: string,
  goodIsHigh: boolean,
  theme: ChartTheme,
): Levels {
  if (chosen !== "auto") {
    const bounds = chosen.split(",").map(Number);
    const colors = alarmColors(bounds.length + 1, theme);
    return { bounds, colors: goodIsHigh ? colors.reverse() : colors };
  }
  const values = set.series
    .flatMap((series) => series.values[0] ?? [])
    .flatMap((amount) => asNumber(amount) ?? [])
    .sort((a, b) => a - b);
  const at = (share: number) =>
    values[Math.min(values.length - 1, Math.floor(values.length * share))];
  const bounds = [...new Set([0.2, 0.4, 0.6, 0.8].map(at))]
    .filter((bound) => bound !== undefined)
    // A level that nothing is below would be empty.
    .filter((bound) => bound > (values[0] ?? 0));
  const { amount } = createShades(theme);
  const colors = Array.from({ length: bounds.length + 1 }, (_, i) =>
    amount(bounds.length === 0 ? 0.5 : i / bounds.length),
  );
  return { bounds, colors: goodIsHigh ? colors.reverse() : colors };
}

/** Good, to be watched, bad; levels between these are the nearest of the three. */
function alarmColors(count: number, { good, warn, bad }: ChartTheme): string[] {
  const steps = [good, warn, bad];
  return Array.from(
    { length: count },
    (_, i) => steps[count === 1 ? 0 : Math.round((i / (count - 1)) * 2)] ?? bad,
  );
}

export const levelOf = ({ bounds }: Levels, value: number): number =>
  bounds.filter((bound) => value >= bound).length;

/** `below 100`, `100 – 500`, `from 500`. */
export function levelText({ bounds }: Levels, level: number, measure: ChartMeasure): string {
  const [low, high] = [bounds[level - 1], bounds[level]].map((bound) =>
    bound === undefined ? null : formatMeasure(bound, measure.measure),
  );
  if (low == null) return high == null ? "all values" : `below ${high}`;
  return high == null ? `from ${low}` : `${low} – ${high}`;
}

/** A row of cells per group, with a comparison side B's in a thin row under it. */
export function statusGrid(
  set: SeriesSet,
  input: ChartInput,
  levels: Levels,
  width: number,
): CellGrid {
  const columns = set.timesMs.length;
  const perGroup = input.compared ? 2 : 1;
  const rows = set.series.length * perGroup;
  const cells = new Uint8Array(columns * rows);
  set.series.forEach((series, s) => {
    const sides = [series.values[0], series.compare?.[0]].slice(0, perGroup);
    sides.forEach((amounts, side) => {
      amounts?.forEach((amount, column) => {
        const value = asNumber(amount);
        if (value === null) return;
        cells[(s * perGroup + side) * columns + column] = levelOf(levels, value) + 1;
      });
    });
  });
  return {
    ...{ columns, rows, cells, palette: levels.colors, yName: "", gapFromPx: 4 },
    xTicks: timeCellTicks(
      timesOfSet(set, input),
      Math.max(1, Math.floor((width - 60) / 80)),
      input.timeZone,
    ),
    yTicks: set.series.map(({ label }, s) => ({
      at: (s + 0.5) * perGroup,
      text: shortenName(label, 28),
    })),
    fill: (row) =>
      perGroup === 1 || row % 2 === 0
        ? { from: 0.1, to: perGroup === 1 ? 0.9 : 1 }
        : { from: 0.08, to: 0.5 },
  };
}

function timesOfSet(set: SeriesSet, input: ChartInput): TimeCells {
  const last = set.timesMs[set.timesMs.length - 1] ?? input.fromMs;
  return { startsMs: set.timesMs, endMs: last + (input.bucketMs ?? 1) };
}

/** The group of a row of cells, and the times of a box. */
export function placeOf(set: SeriesSet, input: ChartInput, box: CellBox) {
  const series = set.series[Math.floor(box.fromRow / (input.compared ? 2 : 1))] ?? null;
  const { fromMs, toMs } = input;
  const range = timesOfCells(timesOfSet(set, input), box.fromColumn, box.toColumn, {
    fromMs,
    toMs,
  });
  return { series, range };
}

export function statusTip(
  set: SeriesSet,
  input: ChartInput,
  measure: ChartMeasure,
  levels: Levels,
  box: CellBox,
): TooltipContent | null {
  const { series, range } = placeOf(set, input, box);
  if (series === null) return null;
  const at = box.fromColumn;
  const value = series.values[0]?.[at] ?? null;
  const base = series.compare?.[0]?.[at] ?? null;
  const exact = formatMeasureExact(value, measure.measure);
  const error = formatErrorBar(value, series.intervals[0]?.[at] ?? null, measure.measure);
  const number = asNumber(value);
  const level = number === null ? null : levelOf(levels, number);
  return {
    title: `${shortenName(series.label, 60)}, ${formatRange(range.fromMs, range.toMs, input.timeZone)}`,
    heads: [],
    rows: [
      {
        color: level === null ? "transparent" : (levels.colors[level] ?? "transparent"),
        name: measure.label,
        cells: [
          number === null ? "no rows" : `${exact} ${error}`.trim(),
          ...(series.compare === null
            ? []
            : [
                `was ${formatMeasureExact(base, measure.measure)}`,
                formatChange(changeOf(value, base)),
              ]),
        ],
      },
    ],
    note: level === null ? null : levelText(levels, level, measure),
  };
}
