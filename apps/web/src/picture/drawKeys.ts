import type { ChartTheme } from "../chart/kit/paint/theme.js";
import type { PictureKey } from "../chart/kit/picture/pictureKey.js";
import type { PictureTable } from "../chart/kit/picture/pictureTable.js";
import type { SvgContext } from "../chart/kit/svg/svgContext.js";
import { shortenName } from "../format/name.js";

const linePx = 18;
const gapPx = 16;
const swatchPx = 9;
const rampPx = 90;
const signPx = 20;
/** More lines than this would leave no room for the chart. */
const linesMax = 2;

/** The keys, and the names of coloured groups. */
export function withNames(
  keys: readonly PictureKey[],
  table: PictureTable | undefined,
): readonly PictureKey[] {
  const names = (table?.rows ?? []).flatMap(({ swatch, cells }): PictureKey[] =>
    swatch === undefined
      ? []
      : [{ kind: "swatch", color: swatch, text: shortenName(cells[0]?.text ?? "", 28) }],
  );
  return [...keys, ...names];
}

interface Placed {
  readonly key: PictureKey;
  readonly x: number;
  readonly line: number;
}

export function keysHeight(
  pen: SvgContext,
  keys: readonly PictureKey[],
  width: number,
  theme: ChartTheme,
): number {
  const lines = placed(pen, keys, width, theme).map(({ line }) => line + 1);
  return lines.length === 0 ? 0 : Math.max(...lines) * linePx + 4;
}

export interface KeysAt {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly theme: ChartTheme;
}

export function drawKeys(pen: SvgContext, keys: readonly PictureKey[], at: KeysAt): void {
  for (const { key, x, line } of placed(pen, keys, at.width, at.theme)) {
    drawKey(pen, key, { x: at.left + x, middle: at.top + line * linePx + linePx / 2, ...at });
  }
}

/** From left to right, line by line; the last one counts those without room. */
function placed(
  pen: SvgContext,
  keys: readonly PictureKey[],
  width: number,
  theme: ChartTheme,
): readonly Placed[] {
  pen.font = `11px ${theme.font}`;
  const fits = (places: readonly Placed[]): boolean => (places.at(-1)?.line ?? 0) < linesMax;
  const all = inLines(pen, keys, width);
  if (fits(all)) return all;
  for (let count = all.findIndex(({ line }) => line >= linesMax); count > 0; count--) {
    const more = { kind: "text", text: `${keys.length - count} more` } as const;
    const places = inLines(pen, [...keys.slice(0, count), more], width);
    if (fits(places)) return places;
  }
  return [];
}

function inLines(pen: SvgContext, keys: readonly PictureKey[], width: number): Placed[] {
  let [x, line] = [0, 0];
  return keys.map((key) => {
    const wide = widthOf(pen, key);
    if (x > 0 && x + wide > width) [x, line] = [0, line + 1];
    const place = { key, x, line };
    x += wide + gapPx;
    return place;
  });
}

function widthOf(pen: SvgContext, key: PictureKey): number {
  const text = (one: string): number => pen.measureText(one).width;
  if (key.kind === "text") return text(key.text);
  if (key.kind === "swatch") return swatchPx + 5 + text(key.text);
  if (key.kind === "line") return signPx + 5 + text(key.text);
  return text(key.label) + 8 + text(key.low) + 6 + rampPx + 6 + text(key.high);
}

interface KeyPlace {
  readonly x: number;
  readonly middle: number;
  readonly theme: ChartTheme;
}

function drawKey(pen: SvgContext, key: PictureKey, { x, middle, theme }: KeyPlace): void {
  pen.font = `11px ${theme.font}`;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  const write = (text: string, at: number, color: string): number => {
    pen.fillStyle = color;
    pen.fillText(text, at, middle);
    return at + pen.measureText(text).width;
  };
  if (key.kind === "text") {
    write(key.text, x, theme.quiet);
    return;
  }
  if (key.kind === "swatch") {
    pen.fillStyle = key.color;
    pen.fillRect(x, middle - swatchPx / 2, swatchPx, swatchPx);
    write(key.text, x + swatchPx + 5, theme.ink);
    return;
  }
  if (key.kind === "line") {
    pen.beginPath();
    pen.moveTo(x, middle);
    pen.lineTo(x + signPx, middle);
    pen.strokeStyle = theme.ink;
    pen.lineWidth = 1.5;
    pen.setLineDash(key.isDotted ? [1.5, 3] : []);
    pen.stroke();
    pen.setLineDash([]);
    write(key.text, x + signPx + 5, theme.ink);
    return;
  }
  const low = write(key.label, x, theme.ink) + 8;
  const from = write(key.low, low, theme.quiet) + 6;
  const step = rampPx / key.colors.length;
  key.colors.forEach((color, i) => {
    pen.fillStyle = color;
    pen.fillRect(from + i * step, middle - 5, step + 0.3, 10);
  });
  write(key.high, from + rampPx + 6, theme.quiet);
}
