import { formatChange } from "../../../format/change.js";
import { formatBounded, formatErrorBar } from "../../../format/errorBar.js";
import { shortenName } from "../../../format/name.js";
import { formatRange } from "../../../format/time.js";
import { formatMeasure, formatMeasureExact } from "../../../format/value.js";
import { coversOf, coverWords, looksOf } from "../../kit/answer/coverage.js";
import {
  type Amount,
  asNumber,
  baseNameOf,
  type ChartInput,
  type ChartMeasure,
  type Series,
  type SeriesSet,
} from "../../kit/answer/series.js";
import { bucketEnd } from "../../kit/answer/timeBuckets.js";
import { changeOf } from "../../kit/answer/totals.js";
import type { CellGrid } from "../../kit/cells/cellOption.js";
import { boxOf, type CellBox } from "../../kit/cells/cellPlot.js";
import { type TimeCells, timeCellTicks, timesOfCells } from "../../kit/cells/timeCells.js";
import { createShades } from "../../kit/paint/shade.js";
import type { ChartTheme } from "../../kit/paint/theme.js";
import type { TooltipContent } from "../../kit/pointer/tooltip.js";

/** Bounds between levels, ascending, and what each level looks like. */
export interface Levels {
  readonly bounds: readonly number[];
  readonly colors: readonly string[];
}

/** `levels` in force: bounds as they were written, or fifths of all values on the screen. */
export function levelsOf(
  set: SeriesSet,
  chosen: string,
  good: "high" | "low",
  theme: ChartTheme,
): Levels {
  if (chosen !== "auto") {
    const bounds = chosen.split(",").map(Number);
    const colors = alarmColors(bounds.length + 1, theme);
    return { bounds, colors: good === "high" ? colors.reverse() : colors };
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
  return { bounds, colors: good === "high" ? colors.reverse() : colors };
}

/** By the view's options. */
export const chosenLevels = (
  set: SeriesSet,
  { levels = "auto", good }: Readonly<Record<string, string>>,
  theme: ChartTheme,
): Levels => levelsOf(set, levels, good === "high" ? "high" : "low", theme);

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
    looks: looksOf(coversOf(input), set.timesMs),
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
  return { startsMs: set.timesMs, endMs: bucketEnd(last, input) };
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

/** A box of times of one group: a drag that leaves its row stays in it. */
export const boxOfGroup = (from: CellBox, to: CellBox): CellBox =>
  boxOf(from, { ...to, fromRow: from.fromRow, toRow: from.toRow });

/** The number of a cell; of several side by side the lowest and the highest. */
export function numberText(
  amounts: readonly Amount[],
  { fromColumn, toColumn }: CellBox,
  { measure }: ChartMeasure,
): string {
  const { low, high } = spanOf(amounts, fromColumn, toColumn);
  const text = formatMeasureExact(low, measure);
  return Number(low) === Number(high) ? text : `${text} – ${formatMeasureExact(high, measure)}`;
}

function spanOf(amounts: readonly Amount[], from: number, to: number) {
  const present = amounts.slice(from, to + 1).filter((amount) => amount !== null);
  const first = present[0] ?? null;
  return {
    low: present.reduce<Amount>((a, b) => (Number(b) < Number(a) ? b : a), first),
    high: present.reduce<Amount>((a, b) => (Number(b) > Number(a) ? b : a), first),
  };
}

/** The cells of a status history, and their meaning. */
export interface StatusCells {
  readonly set: SeriesSet;
  readonly input: ChartInput;
  readonly measure: ChartMeasure;
  readonly levels: Levels;
}

export function statusTip(
  { set, input, measure, levels }: StatusCells,
  box: CellBox,
): TooltipContent | null {
  const { series, range } = placeOf(set, input, box);
  if (series === null) return null;
  const at = box.fromColumn;
  const steps = box.toColumn - at + 1;
  const values = series.values[0] ?? [];
  const { low, high } = spanOf(values, at, box.toColumn);
  const [level, highest] = [low, high].map((amount) =>
    amount === null ? null : levelOf(levels, Number(amount)),
  );
  const isOneLevel = level != null && level === highest;
  // What is known of one number says nothing of several.
  const bar = steps > 1 ? null : (series.intervals[0]?.[at] ?? null);
  const text = steps > 1 ? numberText(values, box, measure) : formatBounded(low, measure.measure);
  const error = formatErrorBar(low, bar, measure.measure);
  const number = low === null ? "no rows" : `${text} ${error}`.trim();
  const cover = coversOf(input).get(set.timesMs[at] ?? Number.NaN);
  const notes = [
    steps > 1 ? `${steps} steps` : "",
    steps === 1 && cover !== undefined
      ? coverWords(cover, input.result.completeness.leaves.missing)
      : "",
    isOneLevel ? levelText(levels, level, measure) : "",
  ].filter((note) => note !== "");
  return {
    title: `${shortenName(series.label, 60)}, ${formatRange(range.fromMs, range.toMs, input.timeZone)}`,
    heads: [],
    rows: [
      {
        color: isOneLevel ? (levels.colors[level] ?? "transparent") : "transparent",
        name: measure.label,
        cells: [number, ...compareCells(series, box, measure)],
      },
    ],
    note: notes.length === 0 ? null : notes.join(", "),
  };
}

function compareCells({ values, compare }: Series, box: CellBox, measure: ChartMeasure): string[] {
  if (compare === null) return [];
  const was = `${baseNameOf(measure)} ${numberText(compare[0] ?? [], box, measure)}`;
  if (box.fromColumn !== box.toColumn) return [was];
  const [value, base] = [values[0]?.[box.fromColumn], compare[0]?.[box.fromColumn]];
  return [was, formatChange(changeOf(value ?? null, base ?? null))];
}
