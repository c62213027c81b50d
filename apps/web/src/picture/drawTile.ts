import { fitName } from "../chart/kit/paint/fitName.js";
import type { ChartTheme } from "../chart/kit/paint/theme.js";
import { drawTable, tableHeight, tableRowPx } from "../chart/kit/picture/drawTable.js";
import type { PictureSize } from "../chart/kit/picture/viewPicture.js";
import { createSvgContext, type SvgContext } from "../chart/kit/svg/svgContext.js";
import { drawKeys, keysHeight, withNames } from "./drawKeys.js";
import type { PictureLook, TileContent } from "./tileContent.js";
import { wrapText } from "./wrapText.js";

const padPx = 12;
const titlePx = 20;
const linePx = 16;
const gapPx = 6;
/** Of what is left for the chart, its table takes at most this share. */
const tableShare = 0.36;
/** A chart is no lower for its table. */
const chartMinPx = 170;
/** Head and two rows. */
const tableMinPx = 22 + 2 * tableRowPx;
const notesMax = 2;

export interface DrawnTile {
  readonly title: string;
  /** What was asked; null: the board says it. */
  readonly about: string | null;
  readonly content: TileContent;
}

/** A tile: title, chart, what its colours mean, its numbers, notes, and how complete it is. */
export function drawTile(
  { title, about, content }: DrawnTile,
  size: PictureSize,
  look: PictureLook,
) {
  const { theme, ruler } = look;
  const pen = createSvgContext(ruler);
  const { width, height } = size;
  pen.fillStyle = theme.ground;
  pen.fillRect(0, 0, width, height);
  const inner = { left: padPx, width: width - 2 * padPx };
  let top = padPx;
  if (title !== "") {
    writeLine(pen, title, { ...inner, top, font: `600 13px ${theme.font}`, color: theme.ink });
    top += titlePx;
  }
  if (about !== null) {
    writeLine(pen, about, { ...inner, top, font: `11px ${theme.font}`, color: theme.quiet });
    top += linePx + 2;
  }
  const bottom = writeFoot(pen, content, { ...inner, bottom: height - padPx + 2, look });
  const box = { ...inner, top, height: Math.max(0, bottom - gapPx - top) };
  if (content.text !== null) writeMiddle(pen, content.text, box, theme);
  else drawBody(pen, content, box, look);
  return pen.print(width, height);
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function drawBody(pen: SvgContext, content: TileContent, box: Box, look: PictureLook): void {
  const { chart, table, key = [] } = content.picture;
  const { theme } = look;
  const ownKeys = keysHeight(pen, key, box.width, theme);
  const forTable =
    chart === undefined || table === undefined
      ? 0
      : roomOfTable({
          ...{ box, keysPx: ownKeys, isEmpty: table.rows.length === 0 },
          wanted: tableHeight(pen, table, theme, box.width),
        });
  // Without a table the names of the colours have no other place.
  const keys = chart !== undefined && forTable === 0 ? withNames(key, table) : key;
  const keysPx = keysHeight(pen, keys, box.width, theme);
  if (keysPx + 40 > box.height && chart === undefined) return;
  drawKeys(pen, keys, { left: box.left, top: box.top, width: box.width, theme });
  const top = box.top + keysPx;
  const room = Math.max(0, box.height - keysPx);
  if (chart === undefined) {
    if (table !== undefined) drawTable(pen, table, theme, { ...box, top, height: room });
    return;
  }
  const high = Math.floor(room - (forTable === 0 ? 0 : forTable + gapPx));
  if (high >= 20) pen.embed(chart({ width: box.width, height: high }), box.left, top);
  if (table === undefined || forTable === 0) return;
  drawTable(pen, table, theme, { ...box, top: top + high + gapPx, height: forTable });
}

interface TableRoom {
  readonly box: Box;
  readonly keysPx: number;
  readonly wanted: number;
  readonly isEmpty: boolean;
}

/** 0: the chart needs all of it. */
function roomOfTable({ box, keysPx, wanted, isEmpty }: TableRoom): number {
  const left = box.height - keysPx;
  const room = Math.min(wanted, Math.max(tableMinPx, left * tableShare));
  return isEmpty || left - room - gapPx < chartMinPx ? 0 : room;
}

/** Notes and completeness, from the bottom up; returns where they begin. */
function writeFoot(
  pen: SvgContext,
  { notes, picture, status }: TileContent,
  {
    left,
    width,
    bottom,
    look: { theme },
  }: { left: number; width: number; bottom: number; look: PictureLook },
): number {
  let top = bottom;
  const font = `11px ${theme.font}`;
  if (status !== null) {
    top -= linePx;
    const color = status.isPart ? theme.warn : theme.quiet;
    writeLine(pen, status.text, { left, width, top, font, color });
  }
  // What is missing comes first: the last words may have no room.
  const words = [...notes, ...(picture.notes ?? [])].join(" · ");
  if (words === "") return top;
  pen.font = font;
  const widthOf = (text: string): number => pen.measureText(text).width;
  const all = wrapText(words, width, widthOf);
  const lines = all.slice(0, notesMax);
  if (all.length > notesMax) lines[notesMax - 1] += " …";
  lines.reverse().forEach((line) => {
    top -= linePx;
    writeLine(pen, line, { left, width, top, font, color: theme.quiet });
  });
  return top;
}

interface LineAt {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly font: string;
  readonly color: string;
}

/** A line of text, cut to its room. */
export function writeLine(pen: SvgContext, text: string, at: LineAt): void {
  pen.font = at.font;
  pen.fillStyle = at.color;
  pen.textAlign = "left";
  pen.textBaseline = "top";
  const widthOf = (one: string): number => pen.measureText(one).width;
  const shown = widthOf(text) <= at.width ? text : fitName(text, text.length, at.width, widthOf);
  if (shown !== "") pen.fillText(shown, at.left, at.top);
}

function writeMiddle(pen: SvgContext, text: string, box: Box, theme: ChartTheme): void {
  pen.font = `13px ${theme.font}`;
  const lines = wrapText(text, box.width, (one) => pen.measureText(one).width);
  const most = Math.max(1, Math.floor(box.height / 18));
  const shown = lines.slice(0, most);
  let top = box.top + Math.max(0, (box.height - shown.length * 18) / 2);
  for (const line of shown) {
    writeLine(pen, line, { ...box, top, font: `13px ${theme.font}`, color: theme.quiet });
    top += 18;
  }
}
