import {
  type Dashboard,
  type DashboardTile,
  dashboardColumns,
  HadalError,
  textWithVariables,
  type VariableValues,
} from "@hadal/sdk";
import { createSvgContext, type SvgContext } from "../chart/kit/svg/svgContext.js";
import { cellsOf } from "../screen/dashboards/model/boardGrid.js";
import { tileTitle } from "../screen/dashboards/model/tileTitle.js";
import { type AnsweredTile, asks } from "./boardPicture.js";
import { drawTile, writeLine } from "./drawTile.js";
import { markdownLines } from "./markdownLines.js";
import { type Picture, pictureHeightMax } from "./pictureRequest.js";
import { contentOf, isPartial, type PictureLook, type TileContent } from "./tileContent.js";
import { wrapText } from "./wrapText.js";

const marginPx = 16;
const rowPx = 64;
const gapPx = 8;
const headPx = 58;
const sectionPx = 34;
/** A narrower board has one column, as on a phone. */
const oneColumnPx = 640;
const rowsOfOneColumn = 6;

export interface BoardParts {
  readonly title: string;
  /** What the bar says. */
  readonly about: string;
  readonly board: Dashboard;
  readonly answers: ReadonlyMap<string, AnsweredTile>;
  readonly variables: VariableValues;
  readonly width: number;
}

interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A board as on the page: sections below one another, tiles on their grid. */
export function drawBoard(parts: BoardParts, look: PictureLook): Picture {
  const { board, answers, variables, width } = parts;
  const { theme } = look;
  const sections = (board.sections ?? []).map((section) => ({
    section,
    places: section.folded === true ? new Map() : placesOf(section.tiles, width),
  }));
  const height = sections.reduce(
    (sum, { section, places }) => sum + titleRoom(section) + bottomOf(places),
    headPx + marginPx,
  );
  if (height > pictureHeightMax) {
    const detail = `This dashboard is ${Math.round(height)} px high; a picture has at most ${pictureHeightMax}. Ask for single tiles with ?tile=.`;
    throw new HadalError("bad-request", { detail });
  }
  const pen = createSvgContext(look.ruler);
  pen.fillStyle = theme.sunken;
  pen.fillRect(0, 0, width, height);
  drawHead(pen, parts, look);
  let top = headPx;
  for (const { section, places } of sections) {
    if (titleRoom(section) > 0) {
      const folded = section.folded === true ? ` (folded: ${section.tiles.length} tiles)` : "";
      const text = `${section.title ?? ""}${folded}`.trim();
      const at = { left: marginPx, top: top + 10, width: width - 2 * marginPx };
      writeLine(pen, text, { ...at, font: `600 14px ${theme.font}`, color: theme.ink });
    }
    top += titleRoom(section);
    for (const tile of section.tiles) {
      const place = places.get(tile.id);
      if (place === undefined) continue;
      drawPlaced(pen, tile, { ...place, top: top + place.top }, { answers, variables, look });
    }
    top += bottomOf(places);
  }
  return { svg: pen.print(width, height), width, height };
}

const titleRoom = ({ title, folded }: { title?: string; folded?: boolean }): number =>
  (title ?? "") === "" && folded !== true ? 0 : sectionPx;

const bottomOf = (places: ReadonlyMap<string, Place>): number =>
  Math.max(0, ...[...places.values()].map(({ top, height }) => top + height + gapPx));

function placesOf(tiles: readonly DashboardTile[], width: number): ReadonlyMap<string, Place> {
  const cells = [...cellsOf(tiles)];
  if (width < oneColumnPx) return oneColumn(tiles, new Map(cells), width);
  const columnPx = (width - 2 * marginPx + gapPx) / dashboardColumns;
  return new Map(
    cells.map(([id, { x, y, w, h }]) => [
      id,
      {
        left: marginPx + x * columnPx,
        top: y * (rowPx + gapPx),
        width: w * columnPx - gapPx,
        height: h * (rowPx + gapPx) - gapPx,
      },
    ]),
  );
}

function oneColumn(
  tiles: readonly DashboardTile[],
  cells: ReturnType<typeof cellsOf>,
  width: number,
): ReadonlyMap<string, Place> {
  const ordered = tiles.toSorted((a, b) => {
    const [one, other] = [cells.get(a.id), cells.get(b.id)];
    return (one?.y ?? 0) - (other?.y ?? 0) || (one?.x ?? 0) - (other?.x ?? 0);
  });
  let top = 0;
  return new Map(
    ordered.map((tile) => {
      const rows = Math.min(cells.get(tile.id)?.h ?? 4, rowsOfOneColumn);
      const height = "divider" in tile ? rowPx / 2 : rows * rowPx;
      const place = { left: marginPx, top, width: width - 2 * marginPx, height };
      top += height + gapPx;
      return [tile.id, place] as const;
    }),
  );
}

function drawHead(
  pen: SvgContext,
  { title, about, answers, width }: BoardParts,
  { theme }: PictureLook,
): void {
  const at = { left: marginPx, width: width - 2 * marginPx };
  writeLine(pen, title, { ...at, top: 10, font: `600 18px ${theme.font}`, color: theme.ink });
  const parts = [...answers.values()].filter(({ answer }) => isPart(answer)).length;
  const partial = parts === 0 ? "" : ` · ${parts} of ${answers.size} tiles are not complete`;
  const color = parts === 0 ? theme.quiet : theme.warn;
  writeLine(pen, `${about}${partial}`, { ...at, top: 36, font: `12px ${theme.font}`, color });
}

function isPart(answer: AnsweredTile["answer"]): boolean {
  if (answer instanceof HadalError) return true;
  return "input" in answer && isPartial(answer);
}

interface Drawn {
  readonly answers: ReadonlyMap<string, AnsweredTile>;
  readonly variables: VariableValues;
  readonly look: PictureLook;
}

function drawPlaced(
  pen: SvgContext,
  tile: DashboardTile,
  place: Place,
  { answers, variables, look }: Drawn,
) {
  const { theme } = look;
  if ("divider" in tile) {
    const middle = place.top + place.height / 2;
    pen.fillStyle = theme.edge;
    pen.fillRect(place.left, middle + 10, place.width, 1);
    const at = { left: place.left, top: middle - 10, width: place.width };
    writeLine(pen, tile.title ?? "", { ...at, font: `600 13px ${theme.font}`, color: theme.quiet });
    return;
  }
  const svg = asks(tile)
    ? drawTile(
        {
          title: titleOf(tile, answers.get(tile.id), variables),
          about: null,
          content: answeredContent(answers.get(tile.id), look),
        },
        place,
        look,
      )
    : textTile(titleOf(tile, undefined, variables), tile.text, place, look);
  pen.embed(svg, place.left, place.top);
  pen.strokeStyle = theme.hairline;
  pen.lineWidth = 1;
  pen.strokeRect(place.left + 0.5, place.top + 0.5, place.width - 1, place.height - 1);
}

/** The drawing of a tile, or why there is none. */
export function answeredContent(found: AnsweredTile | undefined, look: PictureLook): TileContent {
  const { answer, lacking = [] } = found ?? {};
  const empty = { picture: {}, notes: [], status: null };
  if (answer === undefined) return { ...empty, text: "" };
  if (answer instanceof HadalError) return { ...empty, text: answer.message };
  if ("lacks" in answer) return { ...empty, text: answer.lacks };
  const content = contentOf(answer, look);
  if (lacking.length === 0) return content;
  const note = `no column ${lacking.join(", ")}: not filtered by it`;
  return { ...content, notes: [...content.notes, note] };
}

/** The title as on the page, with the values of the bar's variables; a text without one has none. */
export function titleOf(
  tile: DashboardTile,
  found: AnsweredTile | undefined,
  variables: VariableValues,
): string {
  if ("text" in tile && (tile.title ?? "").trim() === "") return "";
  return textWithVariables(tileTitle(tile, found?.state ?? null), variables);
}

const textLinePx = 18;

function textTile(title: string, text: string, size: Place, look: PictureLook): string {
  const { theme, ruler } = look;
  const pen = createSvgContext(ruler);
  pen.fillStyle = theme.ground;
  pen.fillRect(0, 0, size.width, size.height);
  const at = { left: 12, width: size.width - 24 };
  let top = 10;
  if (title !== "") {
    writeLine(pen, title, { ...at, top, font: `600 13px ${theme.font}`, color: theme.ink });
    top += 22;
  }
  for (const line of markdownLines(text)) {
    const font = `${line.isHead ? "600 " : ""}13px ${theme.font}`;
    pen.font = font;
    for (const part of wrapText(line.text, at.width, (one) => pen.measureText(one).width)) {
      if (top + textLinePx > size.height) return pen.print(size.width, size.height);
      writeLine(pen, part, { ...at, top, font, color: theme.ink });
      top += textLinePx;
    }
  }
  return pen.print(size.width, size.height);
}
