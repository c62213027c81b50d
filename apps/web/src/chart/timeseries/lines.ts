import { type HueSymbol, symbolOf } from "../color.js";
import { type Amount, asNumber, type Series } from "../series.js";
import { isStack, type TimeDrawing } from "./build.js";
import { dashedBuckets, splitLine } from "./covered.js";

/** Per bucket; null: nothing is known there. */
export type Points = readonly (number | null)[];

export interface TimeLine {
  /** Of the group. */
  readonly key: string;
  /** `open`: the part of the main one that is dashed. */
  readonly side: "main" | "open" | "compare";
  readonly color: string;
  /** Drawn on it here and there. */
  readonly symbol: HueSymbol;
  /** Where the line runs; in a stack on top of those below it. */
  readonly points: Points;
  /** What is filled below the line; null: nothing. */
  readonly area: { readonly base: Points; readonly opacity: number } | null;
}

/** Where a line may be, 19 times of 20: a pale band around it. */
export interface TimeBand {
  readonly key: string;
  readonly color: string;
  readonly opacity: number;
  readonly low: Points;
  readonly high: Points;
}

/** The lines of one measure and the bands around them, in the order of the groups. */
export function linesOf(
  drawing: TimeDrawing,
  m: number,
): { readonly lines: readonly TimeLine[]; readonly bands: readonly TimeBand[] } {
  const { set, theme, hues, stacked } = drawing;
  const stacks = isStack(drawing, m);
  const piles = { main: createPile(), compare: createPile() };
  const lines: TimeLine[] = [];
  const bands: TimeBand[] = [];
  const isDashed = dashedBuckets(set.timesMs, drawing.covers);
  set.series.forEach((series, s) => {
    const color = theme.series[hues[s] ?? 0] ?? theme.accent;
    const symbol = symbolOf(hues[s] ?? 0);
    const add = (side: "main" | "compare", amounts: readonly Amount[]): void => {
      const own = set.timesMs.map((_, at) => asNumber(amounts[at] ?? null));
      const { base, top } = stacks ? piles[side].add(own) : { base: own.map(() => 0), top: own };
      const opacity = stacks ? 0.5 : 0.08;
      const isFilled = stacked && side === "main";
      const push = (part: TimeLine["side"], points: Points): void => {
        const area = isFilled
          ? { base: base.map((low, at) => known(points, low, at)), opacity }
          : null;
        lines.push({ key: series.key, side: part, color, symbol, points, area });
      };
      const { solid, dashed } = splitLine(top, side === "main" ? isDashed : []);
      push(side, solid);
      if (dashed !== null) push("open", dashed);
    };
    add("main", series.values[m] ?? []);
    if (!stacked) bands.push(...bandOf(series, m, color, set.series.length));
    if (series.compare !== null) add("compare", series.compare[m] ?? []);
  });
  return { lines, bands };
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

/** Nothing where the numbers are exact. */
function bandOf(series: Series, m: number, color: string, seriesCount: number): TimeBand[] {
  const bars = series.intervals[m] ?? [];
  if (!bars.some((bar) => bar !== null)) return [];
  const numbers = (series.values[m] ?? []).map(asNumber);
  return [
    {
      key: series.key,
      color,
      // Many bands over each other are paler: the lines are what is read.
      opacity: 0.18 / Math.sqrt(seriesCount),
      low: numbers.map((value, at) => bars[at]?.[0] ?? value),
      high: numbers.map((value, at) => bars[at]?.[1] ?? value),
    },
  ];
}
