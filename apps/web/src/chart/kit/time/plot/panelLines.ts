import type { Points, TimeLine } from "./lines.js";
import type { TimePanel } from "./plot.js";

/** How much is left of what the reader does not point at. */
const paleLine = 0.15;
const paleUnsure = 0.5;
const paleArea = 0.08;

/**
 * The lines in the order in which uPlot draws them: the edges of fills, without a stroke, then
 * layer by layer.
 */
export interface PanelLine {
  readonly points: Points;
  /** null: an edge. */
  readonly line: TimeLine | null;
}

/** What is filled, between two of the lines. */
export interface PanelFill {
  readonly upper: number;
  readonly lower: number;
  readonly key: string;
  readonly color: string;
  readonly opacity: number;
}

export interface PanelLines {
  readonly lines: readonly PanelLine[];
  readonly fills: readonly PanelFill[];
}

const layers = ["compare", "unsure", "main", "open"] as const;

const layerOf = ({ side, isUnsure }: TimeLine) => (isUnsure === true ? "unsure" : side);

export function panelLines(panel: Pick<TimePanel, "lines">): PanelLines {
  const lines: PanelLine[] = [];
  const fills: PanelFill[] = [];
  const add = (points: Points, line: TimeLine | null = null): number =>
    lines.push({ points, line }) - 1;
  const bases = new Map(
    panel.lines.flatMap((line) =>
      line.area === null ? [] : [[line, add(line.area.base)] as const],
    ),
  );
  for (const layer of layers) {
    for (const line of panel.lines) {
      if (layerOf(line) !== layer) continue;
      const at = add(line.points, line);
      const base = bases.get(line);
      if (base === undefined || line.area === null) continue;
      const fill = { key: line.key, color: line.color, opacity: line.area.opacity };
      fills.push({ ...fill, upper: at, lower: base });
      // Areas below zero extend from their base downward.
      if (line.points.some((value) => value !== null && value < 0)) {
        fills.push({ ...fill, upper: base, lower: at });
      }
    }
  }
  return { lines, fills };
}

export interface LineLook {
  readonly opacity: number;
  readonly widthPx: number;
}

/** How a line looks while the reader points at a group; null: at none. */
export function lookOf(
  { side, key, isOfFocus, isUnsure }: TimeLine,
  focusedKey: string | null,
): LineLook {
  const main = side !== "compare";
  const plain = main ? { opacity: 1, widthPx: 1.6 } : { opacity: 0.85, widthPx: 1.3 };
  if (isOfFocus === true && key !== focusedKey) return { ...plain, opacity: 0 };
  // A difference within the error bars is pale, behind the others.
  if (isUnsure === true && key !== focusedKey) return { opacity: paleUnsure, widthPx: 1 };
  if (focusedKey === null) return plain;
  if (key === focusedKey) return main ? { ...plain, widthPx: 2.4 } : plain;
  return { ...plain, opacity: paleLine };
}

/** Strokes and gaps: side B is dotted, incomplete buckets are dashed. */
export const dashOf = ({ side }: Pick<TimeLine, "side">, widthPx: number): number[] =>
  side === "compare" ? [widthPx, widthPx] : side === "open" ? [4, 4] : [];

/** The opacity of a fill while a line is focused. */
export function fillOpacity(fill: PanelFill, focusedKey: string | null): number {
  if (focusedKey === null || fill.key === focusedKey) return fill.opacity;
  return Math.min(fill.opacity, paleArea);
}

/** The colour with this opacity. */
export const faded = (color: string, opacity: number): string =>
  `color-mix(in srgb, ${color} ${(opacity * 100).toFixed(2)}%, transparent)`;

export const dotPx = 4;

/** A line needs neighbours: the points that have none are shown as dots. */
export function lonelyPoints(points: Points): number[] {
  return points.flatMap((value, at) =>
    value !== null && (points[at - 1] ?? null) === null && (points[at + 1] ?? null) === null
      ? [at]
      : [],
  );
}
