import { interpolateRgb } from "d3-interpolate";
import { shortenName } from "../../../format/name.js";
import { isUnsure } from "../../kit/answer/difference.js";
import { hueOfName } from "../../kit/paint/color.js";
import { createShades, toneOf } from "../../kit/paint/shade.js";
import type { ChartTheme } from "../../kit/paint/theme.js";
import type { FlameFrame } from "./buildFlame.js";
import type { FlameBox, FlameLayout, Matches } from "./layoutFlame.js";

export const rowPx = 20;
const textPx = 11;
/** A narrower box has no room for a letter. */
const labelWidthMinPx = 26;
/** Longer names are cut before they are measured. */
const labelLengthMax = 400;

export interface FlameLook {
  readonly theme: ChartTheme;
  readonly compared: boolean;
  readonly matches: Matches | null;
}

/** Number of rows, and at which end the root is. */
export interface FlameRows {
  readonly count: number;
  /** The root is at the end of the graph, not at its beginning. */
  readonly rootBelow: boolean;
}

export interface FlameWindow {
  readonly widthPx: number;
  readonly heightPx: number;
  /** How far the graph is scrolled. */
  readonly topPx: number;
  readonly rows: FlameRows;
  readonly ratio: number;
}

/** Top of the row of a depth, in pixels of the whole graph. */
export const rowTop = (depth: number, { count, rootBelow }: FlameRows): number =>
  (rootBelow ? count - 1 - depth : depth) * rowPx;

/** The parts of a canvas context that drawing uses; the SVG writer has them too. */
export type FlamePen = Pick<
  CanvasRenderingContext2D,
  | "fillStyle"
  | "font"
  | "textBaseline"
  | "direction"
  | "setTransform"
  | "clearRect"
  | "fillRect"
  | "fillText"
  | "measureText"
>;

/** Draws the visible rows. */
export function drawFlame(
  canvas: FlamePen,
  layout: FlameLayout,
  look: FlameLook,
  window: FlameWindow,
): void {
  const { widthPx, heightPx, topPx, rows, ratio } = window;
  const colorOf = frameColors(look);
  canvas.setTransform(ratio, 0, 0, ratio, 0, 0);
  canvas.clearRect(0, 0, widthPx, heightPx);
  canvas.font = `${textPx}px ${look.theme.mono}`;
  canvas.textBaseline = "middle";
  canvas.direction = "ltr";
  const letterPx = canvas.measureText("0").width;
  layout.rows.forEach((boxes, depth) => {
    const top = rowTop(depth, rows) - topPx;
    if (top + rowPx < 0 || top > heightPx) return;
    for (const box of boxes) drawBox(canvas, box, colorOf(box.frame), { top, letterPx });
  });
}

interface BoxColors {
  readonly fill: string;
  readonly ink: string;
}

function drawBox(
  canvas: FlamePen,
  { frame, left, width }: FlameBox,
  { fill, ink }: BoxColors,
  { top, letterPx }: { readonly top: number; readonly letterPx: number },
): void {
  canvas.fillStyle = fill;
  // A gap between boxes where there is room for one.
  canvas.fillRect(left, top, width > 2 ? width - 1 : width, rowPx - 1);
  if (width < labelWidthMinPx) return;
  const roomPx = width - 9;
  const name = frame.name.slice(0, labelLengthMax);
  const label = shortenName(name === "" ? "(empty)" : name, Math.floor(roomPx / letterPx));
  canvas.fillStyle = ink;
  // The width limit squeezes wide letters into their box.
  canvas.fillText(label, left + 4, top + rowPx / 2, roomPx);
}

/** Colours of frames: by package, or by change; frames that do not match the search are faded. */
function frameColors({ theme, compared, matches }: FlameLook): (frame: FlameFrame) => BoxColors {
  const shades = createShades(theme);
  const neutral = interpolateRgb(theme.ground, theme.hairline)(0.85);
  const known = new Map<string, BoxColors>();
  const colorsOf = (base: string, look: "plain" | "faded"): BoxColors => {
    const isFaded = look === "faded";
    const key = `${base} ${look}`;
    let colors = known.get(key);
    if (colors === undefined) {
      const fill = isFaded ? interpolateRgb(base, theme.ground)(0.82) : base;
      colors = { fill, ink: isFaded ? theme.quiet : shades.inkOn(fill) };
      known.set(key, colors);
    }
    return colors;
  };
  const packages = theme.series.map((color) => interpolateRgb(theme.ground, color)(0.4));
  return (frame) => {
    const look = matches !== null && !matches.frames.has(frame) ? "faded" : "plain";
    if (frame.parent === null || frame.isRest) return colorsOf(neutral, look);
    if (!compared) return colorsOf(packages[hueOfName(packageOf(frame.name))] ?? neutral, look);
    const tone = toneOf({
      now: frame.now.total,
      was: frame.was.total,
      unsure: isUnsure(frame.difference.total),
    });
    // Rounded to twenty steps, so that each colour is mixed once.
    return colorsOf(shades.difference(tone === null ? null : Math.round(tone * 10) / 10), look);
  };
}

/** The package of a frame's name: `db` of `db.query`, `node:fs` of `node:fs/read`. */
function packageOf(name: string): string {
  const end = name.slice(0, labelLengthMax).search(/[./#(<$\s]|::/);
  return end > 0 ? name.slice(0, end) : name;
}
