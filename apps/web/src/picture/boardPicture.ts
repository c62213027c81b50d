import {
  type Dashboard,
  type DashboardTile,
  HadalError,
  type QueryTile,
  type SavedDocument,
  type SavedQueryTile,
} from "@hadal/sdk";
import { isNewerDashboard } from "@hadal/sdk/checks";
import { stateOfSavedTile } from "../draft/saved/savedState.js";
import { stateOfTile } from "../draft/tile/stateOfTile.js";
import { rangeInWords } from "../format/rangeInWords.js";
import { sideNames } from "../panel/draw/sideNames.js";
import { filterLabel } from "../query/filter/operators.js";
import type { ExploreState } from "../query/state/exploreState.js";
import { type BarState, barOfBoard, formOfBar } from "../screen/dashboards/model/barState.js";
import { parseBar } from "../screen/dashboards/model/barUrl.js";
import { tileUnderBar } from "../screen/dashboards/model/tileUnderBar.js";
import { faultWords } from "../screen/dashboards/model/variableFaults.js";
import { answerTile, type TileAnswer, type TileLack } from "./answerTile.js";
import { type PictureRequest, pictureTilesMax } from "./pictureRequest.js";
import type { PictureSource } from "./pictureSource.js";

export type AskingTile = QueryTile | SavedQueryTile;

/** A tile and what it shows. */
export interface AnsweredTile {
  readonly tile: AskingTile;
  readonly state: ExploreState | null;
  readonly answer: TileAnswer | TileLack | HadalError;
  /** Columns that the bar filters by and that the table does not have. */
  readonly lacking: readonly string[];
}

/** Tiles that ask at the same time. */
const tilesAtOnce = 8;

export const asks = (tile: DashboardTile): tile is AskingTile =>
  "query" in tile || "savedQuery" in tile;

/** The body of a board that this server can draw, the variables' values in its titles. */
export function boardOf({ body }: SavedDocument): Dashboard {
  const board = body as unknown as Dashboard;
  if (!isNewerDashboard(board)) return board;
  const detail = "This dashboard was saved by a newer version of Hadal: it cannot be drawn here.";
  throw new HadalError("bad-request", { detail });
}

/** The board's bar, or the one that was asked for, with the times and the zone that were. */
export function barOf(board: Dashboard, request: PictureRequest): BarState {
  const { from, to, timeZone } = request;
  const saved = barOfBoard(board);
  const { bar, faults } =
    request.bar === null ? { bar: saved, faults: [] } : parseBar(request.bar, saved);
  // A picture without one of its filters would show numbers of other rows.
  if (faults.length > 0) throw new HadalError("bad-request", { detail: faults.join("; ") });
  return {
    ...bar,
    ...(from !== null && { from }),
    ...(to !== null && { to }),
    timeZone: timeZone ?? bar.timeZone ?? "UTC",
  };
}

/** What the bar says: `last 3 hours UTC · against 7 days earlier · status ≥ 500`. */
export function barInWords(bar: BarState, nowMs: number): string {
  const zone = bar.timeZone ?? "UTC";
  const filters = bar.filters.filter(({ off }) => !off).map(({ filter }) => filterLabel(filter));
  const chosen = bar.variables.flatMap(({ name, values }) =>
    values === null ? [] : [`${name}: ${values.join(", ")}`],
  );
  const against = sideNames(formOfBar(bar, "")).b;
  return [
    `${rangeInWords(bar.from, bar.to, zone, nowMs)} ${zone}`,
    ...(against === "" ? [] : [`against ${against}`]),
    ...filters,
    ...chosen,
  ].join(" · ");
}

/** Asks for these tiles, some at a time, in their order. */
export async function answerTiles(
  board: Dashboard,
  tiles: readonly AskingTile[],
  request: PictureRequest,
  source: PictureSource,
): Promise<ReadonlyMap<string, AnsweredTile>> {
  if (tiles.length > pictureTilesMax) {
    const detail = `A picture has at most ${pictureTilesMax} tiles; this dashboard has ${tiles.length}. Ask for single tiles with ?tile=.`;
    throw new HadalError("bad-request", { detail });
  }
  const bar = barOf(board, request);
  const waiting = [...tiles];
  const answered = new Map<string, AnsweredTile>();
  const work = async (): Promise<void> => {
    for (let tile = waiting.shift(); tile !== undefined; tile = waiting.shift()) {
      answered.set(tile.id, await answerOne(tile, { board, bar, request, source }));
    }
  };
  await Promise.all(Array.from({ length: tilesAtOnce }, work));
  return answered;
}

interface TileAsking {
  readonly board: Dashboard;
  readonly bar: BarState;
  readonly request: PictureRequest;
  readonly source: PictureSource;
}

/** A problem of one tile is shown in its place. */
async function answerOne(
  tile: AskingTile,
  { board, bar, request: { nowMs, rangeMsMax }, source }: TileAsking,
): Promise<AnsweredTile> {
  let state: ExploreState | null = null;
  try {
    const clock = { timeZone: bar.timeZone ?? "UTC", nowMs };
    const own = await ownState(tile, source, clock);
    state = own;
    const columns = await source.columns(own.table);
    const under = tileUnderBar(own, {
      ...{ bar, columns, ignores: tile.ignores ?? [] },
      variables: board.variables ?? [],
    });
    state = under.state;
    const fault = faultWords(under.faults);
    if (fault !== null) {
      throw new HadalError("bad-request", { detail: `${fault.title}. ${fault.text}` });
    }
    const timeZone = under.state.timeZone ?? clock.timeZone;
    const answer = await answerTile(under.state, source, { timeZone, nowMs, rangeMsMax });
    return { tile, state, answer, lacking: under.lacking };
  } catch (error) {
    if (!(error instanceof HadalError) || error.code === "cancelled") throw error;
    return { tile, state, answer: error, lacking: [] };
  }
}

async function ownState(
  tile: AskingTile,
  source: PictureSource,
  clock: { readonly timeZone: string; readonly nowMs: number },
): Promise<ExploreState> {
  if ("query" in tile) return stateOfTile(tile);
  return stateOfSavedTile(tile, await source.document(tile.savedQuery), clock);
}
