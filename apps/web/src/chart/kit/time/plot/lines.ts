import { isUnsure } from "../../answer/difference.js";
import { type Amount, asNumber, type Series } from "../../answer/series.js";
import { type HueSymbol, symbolOf } from "../../paint/color.js";
import { isStack, type TimeDrawing } from "./build.js";
import { dashedAverages, dashedBuckets, splitLine } from "./covered.js";
import { areManyDifferences, isOverlayOfFocus } from "./sides.js";
import type { ValueScale } from "./valueScale.js";

/** Per bucket; null: unknown. */
export type Points = readonly (number | null)[];

export interface TimeLine {
  /** Of the group. */
  readonly key: string;
  /** `open`: the part of the main one that is dashed. */
  readonly side: "main" | "open" | "compare";
  readonly color: string;
  /** Drawn on it here and there. */
  readonly symbol: HueSymbol;
  /** Drawn values; in a stack these include the lines below. */
  readonly points: Points;
  /** Lower edge of the filled area; null: no fill. */
  readonly area: { readonly base: Points; readonly opacity: number } | null;
  /** Drawn only while its group is pointed at. */
  readonly isOfFocus?: true;
  /** A difference within the error bars. */
  readonly isUnsure?: true;
}

/** The 95 % error band of a line. */
export interface TimeBand {
  readonly key: string;
  readonly color: string;
  readonly opacity: number;
  readonly low: Points;
  readonly high: Points;
  /** Drawn only while its group is pointed at. */
  readonly isOfFocus?: true;
}

/** A bar in each bucket instead of a line. */
export interface TimeBars {
  readonly key: string;
  /** Per bucket: grey where a difference lies within the error bars. */
  readonly colors: readonly string[];
  readonly base: Points;
  readonly points: Points;
  /** Incomplete buckets. */
  readonly isDashed: readonly boolean[];
}

export interface DrawnLines {
  readonly lines: readonly TimeLine[];
  readonly bands: readonly TimeBand[];
  readonly bars: readonly TimeBars[];
}

/** The lines (or bars) of one measure and the bands around them, in the order of the groups. */
export function linesOf(
  drawing: TimeDrawing,
  m: number,
  scale: Pick<ValueScale, "isLog" | "floor">,
  as: "lines" | "bars",
): DrawnLines {
  const { isLog, floor } = scale;
  const { set, theme, hues, stacked } = drawing;
  const stacks = isStack(drawing, m);
  const piles = { main: createPile(), compare: createPile() };
  const lines: TimeLine[] = [];
  const bands: TimeBand[] = [];
  const bars: TimeBars[] = [];
  const isDashed = dashedOf(drawing);
  const isOfFocus = isOverlayOfFocus(set);
  const quietLook = { color: theme.quiet, symbol: "none" } as const;
  set.series.forEach((series, s) => {
    const color = theme.series[hues[s] ?? 0] ?? theme.accent;
    const symbol = symbolOf(hues[s] ?? 0);
    const { key } = series;
    const pile = (side: "main" | "compare", amounts: readonly Amount[]) => {
      const own = set.timesMs.map((_, at) => withPlace(asNumber(amounts[at] ?? null), scale));
      const plain = { base: own.map(() => (isLog ? floor : 0)), top: own };
      return stacks ? piles[side].add(own) : plain;
    };
    const { base, top } = pile("main", series.values[m] ?? []);
    const isGrey = unsureBuckets(drawing, series, m);
    if (as === "bars") {
      const colors = top.map((_, at) => (isGrey[at] === true ? theme.quiet : color));
      bars.push({ key, colors, base, points: top, isDashed });
    } else {
      const opacity = stacks ? 0.5 : 0.08;
      for (const { points, side, isUnsurePart } of partsOf(top, isDashed, isGrey)) {
        const area = stacked
          ? { base: base.map((low, at) => known(points, low, at)), opacity }
          : null;
        const line = { key, side, color, symbol, points, area };
        lines.push(isUnsurePart ? { ...line, ...quietLook, isUnsure: true } : line);
      }
      const band = stacked ? null : bandOf(series, m, color, set.series.length);
      if (band !== null)
        bands.push(areManyDifferences(drawing) ? { ...band, isOfFocus: true } : band);
    }
    if (series.compare === null) return;
    const { top: points } = pile("compare", series.compare[m] ?? []);
    const compare = { key, side: "compare", color, symbol, points, area: null } as const;
    // In a stack of many lines only the total of side B is drawn: its parts would need their own stack.
    if (!isOfFocus) lines.push(compare);
    else if (!stacks) lines.push({ ...compare, isOfFocus });
    else if (s === set.series.length - 1)
      lines.push({ ...compare, color: theme.ink, symbol: "none" });
  });
  return { lines, bands, bars };
}

const withPlace = (value: number | null, { isLog }: Pick<ValueScale, "isLog">): number | null =>
  isLog && value !== null && value <= 0 ? null : value;

const dashedOf = ({ set, covers, averageOf = 1 }: TimeDrawing): readonly boolean[] =>
  averageOf > 1
    ? dashedAverages(set.timesMs, covers, averageOf)
    : dashedBuckets(set.timesMs, covers);

/** Buckets whose difference may be 0, or whose ratio may be 1. */
function unsureBuckets(
  { sides, set }: TimeDrawing,
  { differences }: Series,
  m: number,
): readonly boolean[] {
  if (sides !== "difference" && sides !== "ratio") return [];
  return set.timesMs.map((_, at) => {
    const difference = differences?.[m]?.[at] ?? null;
    return difference !== null && isUnsure(difference);
  });
}

interface LinePart {
  readonly side: "main" | "open";
  readonly points: Points;
  readonly isUnsurePart: boolean;
}

/** Splits a line into pieces by style: complete or not, significant or not. */
function partsOf(
  points: Points,
  isDashed: readonly boolean[],
  isGrey: readonly boolean[],
): LinePart[] {
  const { solid, dashed } = splitLine(points, isDashed);
  const sides = [
    { side: "main" as const, points: solid },
    ...(dashed === null ? [] : [{ side: "open" as const, points: dashed }]),
  ];
  return sides.flatMap(({ side, points: part }): LinePart[] => {
    const { solid: sure, dashed: unsure } = splitLine(part, isGrey);
    const main = { side, points: sure, isUnsurePart: false };
    return unsure === null ? [main] : [main, { side, points: unsure, isUnsurePart: true }];
  });
}

const known = (points: Points, low: number | null, at: number): number | null =>
  (points[at] ?? null) === null ? null : low;

/** Values on top of each other, those below zero downwards. */
function createPile() {
  const [above, below]: [number[], number[]] = [[], []];
  return {
    add(own: Points): { readonly base: Points; readonly top: Points } {
      const base = own.map((value, at) =>
        value === null ? null : ((value < 0 ? below : above)[at] ?? 0),
      );
      const top = own.map((value, at) => (value === null ? null : value + (base[at] ?? 0)));
      top.forEach((value, at) => {
        if (value !== null) ((own[at] ?? 0) < 0 ? below : above)[at] = value;
      });
      return { base, top };
    },
  };
}

/** null: the numbers are exact. */
function bandOf(series: Series, m: number, color: string, seriesCount: number): TimeBand | null {
  const bars = series.intervals[m] ?? [];
  if (!bars.some((bar) => bar !== null)) return null;
  const numbers = (series.values[m] ?? []).map(asNumber);
  return {
    key: series.key,
    color,
    // Many overlapping bands are paler, so that the lines stay readable.
    opacity: 0.18 / Math.sqrt(seriesCount),
    low: numbers.map((value, at) => bars[at]?.[0] ?? value),
    high: numbers.map((value, at) => bars[at]?.[1] ?? value),
  };
}
