import type {
  ColumnInfo,
  DashboardIgnore,
  DashboardVariable,
  HadalError,
  QueryTile,
  SavedQueryTile,
} from "@hadal/sdk";
import { useMemo } from "react";
import type { ExploreState } from "../../../query/state/exploreState.js";
import { useBoard } from "../board/boardContext.js";
import { tileUnderBar } from "../model/tileUnderBar.js";
import { useTileState } from "./useTileState.js";

export interface StateUnderBar {
  /** null: not read yet, or there is a problem. */
  readonly state: ExploreState | null;
  /** Those of the tile's table; null until they are read. */
  readonly columns: readonly ColumnInfo[] | null;
  /** Why the saved query cannot be read. */
  readonly problem: HadalError | null;
}

const noIgnores: readonly DashboardIgnore[] = [];
const noVariables: readonly DashboardVariable[] = [];

/** What a tile asks under the board's bar. */
export function useStateUnderBar(tile: QueryTile | SavedQueryTile): StateUnderBar {
  const { session, tables, bar, board } = useBoard();
  const { state: own, problem } = useTileState(session, tile);
  const columns = (own === null ? undefined : tables.get(own.table)) ?? null;
  const { ignores = noIgnores } = tile;
  const { variables = noVariables } = board;
  const state = useMemo(
    () =>
      own === null || columns === null
        ? null
        : tileUnderBar(own, { bar, ignores, columns, variables }).state,
    [own, columns, bar, ignores, variables],
  );
  return { state, columns, problem };
}
