import type { Query, Result } from "@hadal/sdk";
import { formatChange } from "../../../format/change.js";
import { formatBounded, formatErrorBar } from "../../../format/errorBar.js";
import { shortenName } from "../../../format/name.js";
import { formatExact } from "../../../format/number.js";
import { differencesOf } from "../../kit/answer/difference.js";
import { intervalAt } from "../../kit/answer/interval.js";
import { partErrorsOf } from "../../kit/answer/partErrors.js";
import {
  asAmount,
  baseNameOf,
  type ChartInput,
  groupOf,
  indexOfColumn,
  keyOfGroup,
} from "../../kit/answer/series.js";
import { changeOf } from "../../kit/answer/totals.js";
import { binColumnOf, binOfKey, filtersOfBins } from "../../kit/cells/binColumn.js";
import {
  type BinScale,
  binCount,
  binTicks,
  boundsOf,
  positionOf,
  rangeText,
} from "../../kit/cells/binScale.js";
import type { CellDot, CellGrid } from "../../kit/cells/cellOption.js";
import type { CellBox } from "../../kit/cells/cellPlot.js";
import { amountRamp, changeRamp, noChangeColor, rampIndex } from "../../kit/paint/shade.js";
import type { ChartTheme } from "../../kit/paint/theme.js";
import { changeCell, type TooltipContent } from "../../kit/pointer/tooltip.js";
import { type CellCounts, CellSums } from "./cellSums.js";

/** Counts by two numbers. */
export interface Scatter extends CellCounts {
  readonly across: BinScale;
  readonly up: BinScale;
  readonly groupColumns: readonly string[];
  /** Name of side B. */
  readonly baseName: string;
}

/** null: the result is of another query. */
export function buildScatter(input: ChartInput, query: Query): Scatter | null {
  const { result, compared } = input;
  const across = binColumnOf(query, result, 0);
  const up = binColumnOf(query, result, 1);
  if (across === null || up === null) return null;
  const groupColumns = input.groupColumns.filter(
    (name) => name !== across.name && name !== up.name,
  );
  const sums = new CellSums({
    columns: binCount(across.scale),
    rows: binCount(up.scale),
    compared,
  });
  const groupIndexes = groupColumns.map((name) => indexOfColumn(result, name));
  const countIndex = indexOfColumn(result, "count");
  const baseIndex = compared ? indexOfColumn(result, "count.compare") : -1;
  const differenceAt = differencesOf(result, "count");
  result.rows.forEach((row, i) => {
    const column = binOfKey(across.scale, asAmount(row[across.index]));
    const bin = binOfKey(up.scale, asAmount(row[up.index]));
    const count = Number(row[countIndex] ?? 0);
    if (column === null || bin === null) {
      sums.missing += count;
      return;
    }
    const at = sums.indexOf(column, bin);
    sums.add(at, count, Number(row[baseIndex] ?? 0));
    sums.addGroup(at, groupOf(row, groupColumns, groupIndexes, input.texts), count);
    if (compared) sums.addDifference(at, differenceAt(i));
    // A sum over groups has no error bar.
    if (groupColumns.length === 0) sums.errorBars[at] = intervalAt(result, "count", i);
  });
  return {
    across: across.scale,
    up: up.scale,
    ...sums.finish(partErrorsOf(result)),
    groupColumns,
    baseName: baseNameOf(input.measures[0]),
  };
}

export interface ScatterLook {
  readonly theme: ChartTheme;
  readonly hues: readonly number[];
  readonly dots: readonly CellDot[];
  readonly width: number;
  readonly ceiling: number;
}

/** The count (with a comparison: difference) that has the strongest colour. */
export function scatterCeiling({ counts, compare }: Scatter): number {
  let most = 0;
  for (let at = 0; at < counts.length; at++) {
    most = Math.max(most, Math.abs((counts[at] ?? 0) - (compare?.[at] ?? 0)));
  }
  return most;
}

export function scatterGrid(scatter: Scatter, look: ScatterLook): CellGrid {
  const { columns, rows, across, up } = scatter;
  const { cells, palette } = colored(scatter, look);
  return {
    ...{ columns, rows, palette, yName: up.column, gapFromPx: 1_000, dots: look.dots },
    cells: look.dots.length > 0 ? new Uint8Array(cells.length) : cells,
    xName: across.column,
    xTicks: binTicks(across, Math.max(2, Math.floor((look.width - 60) / 72))),
    yTicks: binTicks(up, 10).map(({ at, text }) => ({ at: rows - at, text })),
  };
}

/** Shades of one hue; with groups the hue of the largest group of a cell, paler for small counts. */
function colored(
  scatter: Scatter,
  { theme, hues, ceiling }: ScatterLook,
): { cells: Uint8Array; palette: string[] } {
  const { counts, compare, groups, leader, unsure } = scatter;
  const cells = new Uint8Array(counts.length);
  const share = (size: number): number => Math.log1p(Math.abs(size)) / Math.log1p(ceiling || 1);
  if (compare !== null) {
    const ramp = changeRamp(theme);
    const palette = [...ramp, noChangeColor(theme)];
    counts.forEach((count, at) => {
      const base = compare[at] ?? 0;
      if (count === 0 && base === 0) return;
      const tone = Math.sign(count - base) * share(count - base);
      cells[at] = unsure[at] === 1 ? palette.length : rampIndex((tone + 1) / 2, ramp.length) + 1;
    });
    return { cells, palette };
  }
  if (groups.length < 2) {
    const palette = amountRamp(theme);
    counts.forEach((count, at) => {
      if (count > 0) cells[at] = rampIndex(share(count), palette.length) + 1;
    });
    return { cells, palette };
  }
  const steps = 8;
  const colors = [theme.quiet, ...groups.map((_, g) => theme.series[hues[g] ?? 0] ?? theme.accent)];
  const palette = colors.flatMap((color) =>
    amountRamp({ ...theme, accent: color, ink: color }, steps),
  );
  counts.forEach((count, at) => {
    if (count === 0) return;
    cells[at] = ((leader[at] ?? -1) + 1) * steps + rampIndex(share(count), steps) + 1;
  });
  return { cells, palette };
}

/** Single rows as dots in the colour of their group. */
export function dotsOf(
  rows: Result,
  scatter: Scatter,
  colorOf: (key: string) => string,
): CellDot[] {
  const { groupColumns } = scatter;
  const x = indexOfColumn(rows, scatter.across.column);
  const y = indexOfColumn(rows, scatter.up.column);
  const groupIndexes = groupColumns.map((name) => indexOfColumn(rows, name));
  return rows.rows.flatMap((row): CellDot[] => {
    const [across, up] = [asAmount(row[x]), asAmount(row[y])];
    if (across === null || up === null) return [];
    return [
      {
        x: positionOf(scatter.across, boundOf(across)),
        y: scatter.rows - positionOf(scatter.up, boundOf(up)),
        color: colorOf(keyOfGroup(groupOf(row, groupColumns, groupIndexes))),
      },
    ];
  });
}

/** Counts of a box of cells, and the filters for its rows. */
export function boxContent(scatter: Scatter, box: CellBox) {
  const { columns, rows, across, up, counts, compare } = scatter;
  let [count, base] = [0, 0];
  for (let row = box.fromRow; row <= box.toRow; row++) {
    for (let column = box.fromColumn; column <= box.toColumn; column++) {
      count += counts[row * columns + column] ?? 0;
      base += compare?.[row * columns + column] ?? 0;
    }
  }
  const [from, to] = [rows - 1 - box.toRow, rows - 1 - box.fromRow];
  const words = (scale: BinScale, low: number, high: number) =>
    `${scale.column} ${rangeText({ low: boundsOf(scale, low).low, high: boundsOf(scale, high).high }, scale.measure)}`;
  return {
    count,
    base,
    label: `${words(across, box.fromColumn, box.toColumn)}, ${words(up, from, to)}`,
    filters: [
      ...filtersOfBins(across, box.fromColumn, box.toColumn),
      ...filtersOfBins(up, from, to),
    ],
  };
}

export function scatterTip(
  scatter: Scatter,
  box: CellBox,
  colorOf: (at: number) => string,
): TooltipContent {
  const { count, base, label } = boxContent(scatter, box);
  const at = box.fromRow * scatter.columns + box.fromColumn;
  const isOne = box.fromRow === box.toRow && box.fromColumn === box.toColumn;
  const bar = isOne ? (scatter.errorBars[at] ?? null) : null;
  const error = formatErrorBar(count, bar);
  const leader = isOne ? scatter.groups[scatter.leader[at] ?? -1] : undefined;
  const isUnclear = isOne && scatter.unsure[at] === 1;
  return {
    title: label,
    heads: [],
    rows: [
      {
        color: isOne ? colorOf(at) : "transparent",
        name: "count",
        cells: [
          `${formatBounded(count)} ${error}`.trim(),
          ...(scatter.compare === null
            ? []
            : [
                `${scatter.baseName} ${formatExact(base)}`,
                changeCell(formatChange(changeOf(count, base)), { isQuiet: isUnclear }),
              ]),
        ],
      },
    ],
    note: isUnclear
      ? "The difference lies within the error bars."
      : leader === undefined || scatter.groups.length < 2
        ? null
        : `mostly ${shortenName(leader.label, 60)}`,
  };
}

/** An integer beyond 2^53 stays a BigInt. */
const boundOf = (amount: number | bigint | string): number | bigint =>
  typeof amount === "bigint" ? amount : Number(amount);
