import { HadalError, type QueryTile, type SavedDocument, type SavedQueryTile } from "@hadal/sdk";
import { useEffect, useMemo, useState } from "react";
import { stateOfSavedTile } from "../../../draft/saved/savedState.js";
import { stateOfTile } from "../../../draft/tile/stateOfTile.js";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import type { ExploreState } from "../../../query/state/exploreState.js";
import type { Session } from "../../../session/session.js";

export interface TileState {
  /** null: not read yet, or gone. */
  readonly state: ExploreState | null;
  /** Why the saved query cannot be read. */
  readonly problem: HadalError | null;
}

/** The state that a tile shows, without the board's bar. */
export function useTileState(session: Session, tile: QueryTile | SavedQueryTile): TileState {
  const { document, problem } = useSavedQuery(
    session,
    "savedQuery" in tile ? tile.savedQuery : null,
  );
  const state = useMemo(() => {
    if ("query" in tile) return stateOfTile(tile);
    const at = { timeZone: ownTimeZone(), nowMs: Date.now() };
    return document === null ? null : stateOfSavedTile(tile, document, at);
  }, [tile, document]);
  return { state, problem };
}

function useSavedQuery({ client }: Session, id: string | null) {
  const [document, setDocument] = useState<SavedDocument | null>(null);
  const [problem, setProblem] = useState<HadalError | null>(null);
  useEffect(() => {
    let isCurrent = id !== null;
    setProblem(null);
    if (id === null) return;
    client.documents.find(id).then(
      (found) => isCurrent && setDocument(found),
      (error: unknown) => {
        if (!(error instanceof HadalError)) throw error;
        if (isCurrent) setProblem(error);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [client, id]);
  return { document, problem };
}
