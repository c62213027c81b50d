import type { DashboardTile } from "@hadal/sdk";
import { isView, viewOf } from "../../../chart/view/views.js";
import type { ExploreState } from "../../../query/state/exploreState.js";

/** The tile's title, else what it shows; `state` null: not read yet. */
export function tileTitle(tile: DashboardTile, state: ExploreState | null): string {
  if (tile.title !== undefined && tile.title.trim() !== "") return tile.title;
  if ("text" in tile) return "Text";
  if (state === null) return "…";
  return `${isView(state.view) ? viewOf(state.view).name : state.view} of ${state.table}`;
}
