import { fitName } from "../paint/fitName.js";
import type { ChartTheme } from "../paint/theme.js";
import type { SvgContext } from "../svg/svgContext.js";
import type { PictureCell, PictureColumn, PictureRow, PictureTable } from "./pictureTable.js";

export const tableRowPx = 20;
const headPx = 22;
const fontPx = 12;
const padPx = 8;
const swatchPx = 14;
const sparkPx = 96;
/** A column is no wider than this while others need room. */
const columnMaxPx = 280;
const columnMinPx = 40;
/** Rows that decide how wide a column is. */
const measuredRows = 60;
const lettersMax = 200;

export interface TableBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The height of a table with all of its rows, and a line for what has no room in its width. */
export function tableHeight(
  pen: SvgContext,
  table: PictureTable,
  theme: ChartTheme,
  width: number,
): number {
  const { columns, rows, more } = table;
  const isCut = more > 0 || placesOf(pen, table, theme, width).length < columns.length;
  return headPx + (rows.length + (isCut ? 1 : 0)) * tableRowPx;
}

/** Draws the rows that have room; the last line counts the others. */
export function drawTable(
  pen: SvgContext,
  table: PictureTable,
  theme: ChartTheme,
  box: TableBox,
): void {
  const room = Math.max(0, Math.floor((box.height - headPx) / tableRowPx));
  const places = placesOf(pen, table, theme, box.width);
  const hidden = table.columns.length - places.length;
  const isCut = table.rows.length > room || table.more > 0 || hidden > 0;
  const shown = table.rows.slice(0, isCut ? Math.max(0, room - 1) : room);
  pen.save();
  pen.textBaseline = "middle";
  drawHead(pen, table, { theme, box, places });
  shown.forEach((row, r) => {
    const top = box.top + headPx + r * tableRowPx;
    drawRow(pen, row, { theme, box, places, top, columns: table.columns });
  });
  const left = table.rows.length - shown.length + table.more;
  const words = [
    ...(left > 0 ? [`${left} more ${left === 1 ? "row" : "rows"}`] : []),
    ...(hidden > 0 ? [`${hidden} more ${hidden === 1 ? "column" : "columns"}`] : []),
  ];
  if (words.length > 0 && room > 0) {
    write(pen, words.join(", "), {
      ...{ x: box.left + padPx, y: box.top + headPx + shown.length * tableRowPx + tableRowPx / 2 },
      ...{ color: theme.quiet, font: fontOf(theme), align: "left" },
    });
  }
  pen.restore();
}

interface Place {
  readonly left: number;
  readonly width: number;
}

interface Drawn {
  readonly theme: ChartTheme;
  readonly box: TableBox;
  readonly places: readonly Place[];
}

function drawHead(pen: SvgContext, { columns }: PictureTable, { theme, box, places }: Drawn): void {
  places.forEach((place, column) => {
    const { head = "", align = "left" } = columns[column] ?? {};
    const at = { left: box.left + place.left, width: place.width };
    writeIn(pen, head, at, { y: box.top + headPx / 2, align, color: theme.quiet, theme });
  });
  pen.fillStyle = theme.hairline;
  pen.fillRect(box.left, box.top + headPx - 1, box.width, 1);
}

interface DrawnRow extends Drawn {
  readonly top: number;
  readonly columns: readonly PictureColumn[];
}

function drawRow(pen: SvgContext, row: PictureRow, { theme, box, places, top, columns }: DrawnRow) {
  if (row.isTotal === true) {
    pen.fillStyle = theme.sunken;
    pen.fillRect(box.left, top, box.width, tableRowPx - 1);
  }
  const middle = top + tableRowPx / 2;
  places.forEach((place, column) => {
    const cell = row.cells[column];
    if (cell === undefined) return;
    const at = { left: box.left + place.left, width: place.width };
    const isFirst = column === 0 && row.swatch !== undefined;
    if (isFirst && row.swatch !== undefined) {
      pen.fillStyle = row.swatch;
      pen.fillRect(at.left + padPx, middle - 4, 9, 9);
    }
    drawBehind(pen, cell, at, { top, theme });
    const align = columns[column]?.align ?? "left";
    const inset = isFirst ? swatchPx : 0;
    writeIn(
      pen,
      cell.text,
      { left: at.left + inset, width: at.width - inset },
      {
        ...{ y: middle, align, theme },
        color: cell.color ?? theme.ink,
      },
    );
  });
}

/** The ground, the bar and the line of a cell. */
function drawBehind(
  pen: SvgContext,
  { ground, fill = 0, spark }: PictureCell,
  { left, width }: Place,
  { top, theme }: { readonly top: number; readonly theme: ChartTheme },
): void {
  if (ground !== undefined) {
    pen.fillStyle = ground;
    pen.fillRect(left + 1, top, width - 2, tableRowPx - 1);
  }
  if (fill > 0) {
    pen.globalAlpha = 0.14;
    pen.fillStyle = theme.accent;
    const long = Math.max(1, (width - padPx) * Math.min(1, fill));
    pen.fillRect(left + width - padPx / 2 - long, top + 2, long, tableRowPx - 5);
    pen.globalAlpha = 1;
  }
  if (spark === undefined) return;
  const box = {
    left: left + padPx,
    top: top + 2,
    width: width - 2 * padPx,
    height: tableRowPx - 5,
  };
  const all = [...spark.values, ...(spark.compare ?? [])];
  const ceiling = all.reduce<number>((most, one) => Math.max(most, one ?? 0), 0);
  if (spark.compare !== null) {
    pen.globalAlpha = 0.6;
    drawLine(pen, spark.compare, box, { ceiling, color: spark.color, dash: [2, 2] });
    pen.globalAlpha = 1;
  }
  drawLine(pen, spark.values, box, { ceiling, color: spark.color, dash: [] });
}

interface LineLook {
  readonly ceiling: number;
  readonly color: string;
  readonly dash: readonly number[];
  readonly widthPx?: number;
}

/** A line over the width of a box, from 0 at its bottom; gaps where there is no number. */
export function drawLine(
  pen: SvgContext,
  values: readonly (number | null)[],
  box: TableBox,
  { ceiling, color, dash, widthPx = 1.5 }: LineLook,
): void {
  const step = box.width / Math.max(1, values.length - 1);
  pen.beginPath();
  values.forEach((value, i) => {
    if (value === null) return;
    const share = ceiling > 0 ? Math.max(0, value) / ceiling : 0;
    const [x, y] = [box.left + i * step, box.top + box.height * (1 - share)];
    if ((values[i - 1] ?? null) !== null) pen.lineTo(x, y);
    else pen.moveTo(x, y);
  });
  pen.lineWidth = widthPx;
  pen.strokeStyle = color;
  pen.setLineDash(dash);
  pen.stroke();
  pen.setLineDash([]);
}

/** The columns that fit: as wide as their texts, the rest to those that grow. */
function placesOf(
  pen: SvgContext,
  { columns, rows }: PictureTable,
  theme: ChartTheme,
  room: number,
): Place[] {
  pen.font = fontOf(theme);
  const hasSwatch = rows.some(({ swatch }) => swatch !== undefined);
  const natural = columns.map(({ head }, column) => {
    const texts = [
      head,
      ...rows.slice(0, measuredRows).map(({ cells }) => cells[column]?.text ?? ""),
    ];
    const hasSpark = rows.some(({ cells }) => cells[column]?.spark !== undefined);
    const widest = texts.reduce((most, text) => Math.max(most, widthOf(pen, text)), 0);
    const swatch = column === 0 && hasSwatch ? swatchPx : 0;
    return Math.max(
      columnMinPx,
      hasSpark ? sparkPx + 2 * padPx : 0,
      widest + 2 * padPx + 2 + swatch,
    );
  });
  const capped = natural.map((width) => Math.min(width, columnMaxPx));
  const widths = sum(natural) <= room ? natural : fitted(capped, room);
  const rest = Math.max(0, room - sum(widths));
  const growing = columns.flatMap(({ grows }, i) =>
    grows === true && i < widths.length ? [i] : [],
  );
  const takers = growing.length > 0 ? growing : widths.map((_, i) => i);
  let left = 0;
  return widths.map((own, i) => {
    const width = own + (takers.includes(i) ? rest / takers.length : 0);
    left += width;
    return { left: left - width, width };
  });
}

/** The first column may shrink to a half for the others; then columns at the end are left out. */
function fitted(widths: readonly number[], room: number): number[] {
  const [first = 0, ...others] = widths;
  const least = Math.min(first, Math.max(90, first / 2));
  const shrunk = [Math.max(least, Math.min(first, room - sum(others))), ...others];
  const kept: number[] = [];
  let used = 0;
  for (const width of shrunk) {
    if (used + width > room && kept.length > 0) break;
    kept.push(Math.min(width, room));
    used += width;
  }
  return kept;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const fontOf = (theme: ChartTheme): string => `${fontPx}px ${theme.font}`;

const widthOf = (pen: SvgContext, text: string): number =>
  pen.measureText(text.slice(0, lettersMax)).width;

interface Written {
  readonly y: number;
  readonly align: "left" | "right";
  readonly color: string;
  readonly theme: ChartTheme;
}

/** Writes a text within a column, cut to its room. */
function writeIn(pen: SvgContext, text: string, { left, width }: Place, at: Written): void {
  const font = fontOf(at.theme);
  pen.font = font;
  const room = width - 2 * padPx;
  const shown =
    widthOf(pen, text) <= room + 1
      ? text
      : fitName(text, Math.min(lettersMax, text.length), room, (one) => widthOf(pen, one));
  if (shown === "") return;
  const x = at.align === "right" ? left + width - padPx : left + padPx;
  write(pen, shown, { x, y: at.y, color: at.color, font, align: at.align });
}

interface WrittenAt {
  readonly x: number;
  readonly y: number;
  readonly color: string;
  readonly font: string;
  readonly align: "left" | "right";
}

function write(pen: SvgContext, text: string, { x, y, color, font, align }: WrittenAt): void {
  pen.font = font;
  pen.fillStyle = color;
  pen.textAlign = align;
  pen.fillText(text, x, y);
}
