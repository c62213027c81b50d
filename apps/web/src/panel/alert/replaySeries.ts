import type { AlertPreviewFiring, Result } from "@hadal/sdk";

export interface ReplayPoint {
  readonly timeMs: number;
  readonly value: number;
}

/** The values of the number in the windows of the last days, one list for each group. */
export interface ReplaySeries {
  readonly lines: readonly (readonly ReplayPoint[])[];
  readonly unit: string | undefined;
  readonly highest: number;
  readonly lowest: number;
}

/** `null`: the answer has no such column. */
export function seriesOf({ columns, rows }: Result, aggregate: string): ReplaySeries | null {
  const timeAt = columns.findIndex(({ name }) => name === "time");
  const at = columns.findIndex(({ name }) => name === aggregate);
  if (timeAt < 0 || at < 0) return null;
  const groupsAt = columns.flatMap(({ role }, i) => (role === "group" && i !== timeAt ? [i] : []));
  const lines = new Map<string, ReplayPoint[]>();
  for (const row of rows) {
    const key = JSON.stringify(groupsAt.map((i) => row[i]));
    const [timeMs, value] = [Number(row[timeAt]), row[at]];
    if (value === null || value === undefined || !Number.isFinite(Number(value))) continue;
    const line = lines.get(key) ?? [];
    line.push({ timeMs, value: Number(value) });
    lines.set(key, line);
  }
  const all = [...lines.values()];
  for (const line of all) line.sort((a, b) => a.timeMs - b.timeMs);
  const values = all.flat().map(({ value }) => value);
  return {
    lines: all,
    unit: columns[at]?.unit,
    highest: values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
    lowest: values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
  };
}

export interface ReplayRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The chart's numbers as pixels, from the top left. */
export interface ReplayScale {
  readonly x: (timeMs: number) => number;
  readonly y: (value: number) => number;
  /** The value at a height, rounded to what a pixel can show. */
  readonly valueAt: (y: number) => number;
}

/** Of the height: above the highest value, and below the lowest that is negative. */
const headroom = 0.08;

/** Room for the bound, also where it lies beyond all values; 0 is there where values are not below it. */
export function replayScale(
  { highest, lowest }: Pick<ReplaySeries, "highest" | "lowest">,
  bound: number | null,
  { fromMs, toMs }: ReplayRange,
  { width, height }: { readonly width: number; readonly height: number },
): ReplayScale {
  const known = [highest, lowest, bound ?? Number.NaN].filter(Number.isFinite);
  const [top, bottom] = [Math.max(...known, 0), Math.min(...known, 0)];
  const room = (top - bottom || 1) * headroom;
  const [high, low] = [top === bottom ? bottom + 1 : top + room, bottom < 0 ? bottom - room : 0];
  const x = (timeMs: number): number => ((timeMs - fromMs) / (toMs - fromMs)) * width;
  const y = (value: number): number => ((high - value) / (high - low)) * height;
  const step = 10 ** Math.floor(Math.log10((high - low) / height));
  const valueAt = (pixel: number): number => {
    const value = high - (pixel / height) * (high - low);
    return Number((Math.round(value / step) * step).toPrecision(6));
  };
  return { x, y, valueAt };
}

/** A gap of more than a window and a half is a gap in the line. */
export function linePath(
  points: readonly ReplayPoint[],
  windowMs: number,
  { x, y }: ReplayScale,
): string {
  let previous = Number.NEGATIVE_INFINITY;
  return points
    .map(({ timeMs, value }) => {
      const move = timeMs - previous > windowMs * 1.5 ? "M" : "L";
      previous = timeMs;
      // A window's value is that of its end.
      return `${move}${round(x(timeMs + windowMs))},${round(y(value))}`;
    })
    .join("");
}

const round = (pixels: number): number => Math.round(pixels * 10) / 10;

/** `3 times, 2 of them held back`. */
export function firingsInWords(firings: readonly AlertPreviewFiring[]): string {
  const held = firings.filter(({ heldBack }) => heldBack !== undefined).length;
  const sent = firings.length - held;
  const times = (count: number): string => (count === 1 ? "once" : `${count} times`);
  if (firings.length === 0) return "It would not have fired in the last 7 days.";
  const first = sent === 0 ? "It would not have fired" : `It would have fired ${times(sent)}`;
  if (held === 0) return `${first} in the last 7 days.`;
  return `${first} in the last 7 days, and ${times(held)} it would have been held back: within its error bars, or with rows missing.`;
}
