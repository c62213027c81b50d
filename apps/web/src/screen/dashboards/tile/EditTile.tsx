import type { DashboardTile } from "@hadal/sdk";
import { useBoard } from "../board/boardContext.js";
import { DividerEditor } from "./DividerEditor.js";
import { TextEditor } from "./TextEditor.js";
import { TileEditor } from "./TileEditor.js";
import { useTileState } from "./useTileState.js";

export interface EditTileProps {
  readonly tile: DashboardTile;
  readonly onDone: (tile: DashboardTile | null) => void;
}

/** The editor of a tile, by what the tile shows. */
export function EditTile({ tile, onDone }: EditTileProps) {
  if ("text" in tile) return <TextEditor tile={tile} onDone={onDone} />;
  if ("divider" in tile) return <DividerEditor tile={tile} onDone={onDone} />;
  return <EditQueryTile tile={tile} onDone={onDone} />;
}

type QueryTiles = Extract<DashboardTile, { query: unknown } | { savedQuery: unknown }>;

function EditQueryTile({
  tile,
  onDone,
}: { readonly tile: QueryTiles } & Pick<EditTileProps, "onDone">) {
  const { session } = useBoard();
  const { state } = useTileState(session, tile);
  return state === null ? null : <TileEditor tile={tile} state={state} onDone={onDone} />;
}
