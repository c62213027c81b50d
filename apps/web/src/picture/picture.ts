import { HadalError, type SavedDocument } from "@hadal/sdk";
import { setPlatformAPI } from "echarts/core";
import { createColorBook } from "../chart/kit/paint/color.js";
import type { Ruler } from "../chart/kit/svg/svgContext.js";
import { bodyOf, colorsOfBody, stateOfBody } from "../draft/saved/savedState.js";
import { stateOfTile } from "../draft/tile/stateOfTile.js";
import type { ExploreState } from "../query/state/exploreState.js";
import { valuesOf } from "../screen/dashboards/model/tileUnderBar.js";
import { answerTile } from "./answerTile.js";
import { answerTiles, asks, barInWords, barOf, boardOf } from "./boardPicture.js";
import { answeredContent, drawBoard, titleOf } from "./drawBoard.js";
import { drawTile } from "./drawTile.js";
import type { Picture, PictureRequest } from "./pictureRequest.js";
import type { PictureSource } from "./pictureSource.js";
import { pictureTheme } from "./theme.js";
import { aboutOf, contentOf, type PictureLook } from "./tileContent.js";

/** Of a tile, width to height. */
const tileShape = 1.6;

/** Of this bundle: the thread that loads it makes and recognises problems by it. */
export { HadalError };

/** Draws a saved query, a board or one of its tiles without a page. Rejects with a HadalError. */
export async function drawPicture(
  request: PictureRequest,
  source: PictureSource,
  ruler: Ruler,
): Promise<Picture> {
  // ECharts measures its texts with the same font.
  setPlatformAPI({
    measureText(text, font = "") {
      ruler.font = font;
      return ruler.measureText(text);
    },
  });
  const { subject } = request;
  const drawing = { request, source: withMemory(source), ruler };
  if (subject.kind === "query") {
    const { query, view, viewOptions, title } = subject;
    const state = stateOfTile({ query, viewOptions, ...(view !== null && { view }) });
    return drawState(state, title, { ...drawing, colors: new Map() });
  }
  const { document, tile } = subject;
  if (document.kind === "dashboard") return drawDashboard(document, tile, drawing);
  if (document.kind !== "query") {
    const detail = `A document of the kind ${document.kind} has no picture.`;
    throw new HadalError("bad-request", { detail });
  }
  if (tile !== null) throw new HadalError("bad-request", { detail: "A saved query has no tiles." });
  const body = bodyOf(document);
  const clock = { timeZone: request.timeZone ?? "UTC", nowMs: request.nowMs };
  const state = stateOfBody(body, document.id, clock);
  return drawState(state, document.title, { ...drawing, colors: colorsOfBody(body) });
}

interface Drawing {
  readonly request: PictureRequest;
  readonly source: PictureSource;
  readonly ruler: Ruler;
}

interface StateDrawing extends Drawing {
  readonly colors: ReadonlyMap<string, number>;
}

async function drawState(
  saved: ExploreState,
  title: string,
  { request, source, ruler, colors }: StateDrawing,
): Promise<Picture> {
  const { from, to, nowMs, rangeMsMax, width } = request;
  const timeZone = request.timeZone ?? saved.timeZone ?? "UTC";
  const isMoved = from !== null || to !== null;
  const state = {
    ...{ ...saved, timeZone, from: from ?? saved.from, to: to ?? saved.to },
    part: isMoved ? null : saved.part,
  };
  const answer = await answerTile(state, source, { timeZone, nowMs, rangeMsMax });
  const look = lookOf(request, ruler, colors);
  const size = { width, height: request.height ?? Math.round(width / tileShape) };
  const content =
    "lacks" in answer
      ? { picture: {}, notes: [], text: answer.lacks, status: null }
      : contentOf(answer, look);
  const about = "lacks" in answer ? state.table : aboutOf(answer);
  return { svg: drawTile({ title, about, content }, size, look), ...size };
}

async function drawDashboard(
  document: SavedDocument,
  tileId: string | null,
  { request, source, ruler }: Drawing,
): Promise<Picture> {
  const board = boardOf(document);
  const shown = (board.sections ?? []).filter(({ folded }) => tileId !== null || folded !== true);
  const tiles = shown.flatMap((section) => section.tiles).filter(asks);
  const look = lookOf(request, ruler, new Map());
  const bar = barOf(board, request);
  const variables = valuesOf(bar);
  if (tileId === null) {
    const answers = await answerTiles(board, tiles, request, source);
    const about = barInWords(bar, request.nowMs);
    const { title } = document;
    return drawBoard({ title, about, board, answers, variables, width: request.width }, look);
  }
  const tile = tiles.find(({ id }) => id === tileId);
  if (tile === undefined) {
    const detail = `The dashboard has no tile ${tileId.slice(0, 80)} with a query.`;
    throw new HadalError("bad-request", { detail });
  }
  const found = (await answerTiles(board, [tile], request, source)).get(tile.id);
  // Alone in its picture, a tile's problem is that of the request.
  if (found?.answer instanceof HadalError) throw found.answer;
  const size = {
    width: request.width,
    height: request.height ?? Math.round(request.width / tileShape),
  };
  const about =
    found !== undefined && "input" in found.answer
      ? aboutOf(found.answer)
      : barInWords(bar, request.nowMs);
  const content = answeredContent(found, look);
  return {
    svg: drawTile({ title: titleOf(tile, found, variables), about, content }, size, look),
    ...size,
  };
}

const lookOf = (
  { theme }: PictureRequest,
  ruler: Ruler,
  colors: ReadonlyMap<string, number>,
): PictureLook => ({ theme: pictureTheme(theme), ruler, colors: createColorBook(colors) });

/** Tables and documents are read once for all tiles. */
function withMemory(source: PictureSource): PictureSource {
  const columns = new Map<string, ReturnType<PictureSource["columns"]>>();
  const documents = new Map<string, ReturnType<PictureSource["document"]>>();
  return {
    ...source,
    columns: (table) => remembered(columns, table, () => source.columns(table)),
    document: (id) => remembered(documents, id, () => source.document(id)),
  };
}

function remembered<T>(known: Map<string, T>, key: string, read: () => T): T {
  const found = known.get(key) ?? read();
  known.set(key, found);
  return found;
}
