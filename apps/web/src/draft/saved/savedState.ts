import {
  type DocumentDraft,
  HadalError,
  type Query,
  type SavedDocument,
  type SavedQueryTile,
} from "@hadal/sdk";
import { isView } from "../../chart/view/views.js";
import { type ExploreState, initialState } from "../../query/state/exploreState.js";
import { type AskedAt, buildQuery } from "../ask/buildQuery.js";
import { stateOfQuery } from "../text/stateOfQuery.js";
import { printColors } from "../url/colorUrl.js";
import { parseUrl, printUrl } from "../url/url.js";

/** Loaded on demand, like all code for saved queries. */

/** The body of a document of kind `query`. */
export interface SavedBody {
  readonly query: Query;
  /** The address of Explore; left out where a program saved the query. */
  readonly path?: string;
}

/** What the server keeps of a state. Throws a HadalError if its times cannot be parsed. */
export function bodyOfState(
  state: ExploreState,
  at: AskedAt,
  colors: ReadonlyMap<string, number>,
): SavedBody {
  const { query } = buildQuery(state, at);
  return { query, path: `/explore?${printUrl({ ...state, saved: null })}${printColors(colors)}` };
}

export const savedDraft = (title: string, { query, path }: SavedBody): DocumentDraft => ({
  kind: "query",
  title,
  body: { query, ...(path !== undefined && { path }) },
});

/** The server has checked the body. */
export const bodyOf = ({ body }: Pick<SavedDocument, "body">): SavedBody =>
  body as unknown as SavedBody;

export type SavedAt = Pick<AskedAt, "timeZone" | "nowMs">;

/** The state that was saved, by its address or, without one, by its query. */
export function stateOfBody({ query, path }: SavedBody, id: string, at: SavedAt): ExploreState {
  const state = path === undefined ? null : parseUrl(searchOf(path)).state;
  return { ...(state ?? stateOfQuery(query, initialState(query.table), at).state), saved: id };
}

/** The address of Explore for a saved query, with the colours that it was saved with. */
export function pathOfBody(body: SavedBody, id: string, at: SavedAt): string {
  return `/explore?${printUrl(stateOfBody(body, id, at))}${printColors(colorsOfBody(body))}`;
}

/** The hues that it was saved with, of names that have another one than that of their hash. */
export const colorsOfBody = ({ path }: SavedBody): ReadonlyMap<string, number> =>
  path === undefined ? new Map() : parseUrl(searchOf(path)).colors;

/** The state of a tile that shows a saved query; its own view and options replace those that were saved. */
export function stateOfSavedTile(
  { view, viewOptions }: Pick<SavedQueryTile, "view" | "viewOptions">,
  document: SavedDocument,
  at: SavedAt,
): ExploreState {
  const state = { ...stateOfBody(bodyOf(document), document.id, at), saved: null };
  return {
    ...state,
    ...(view !== undefined && isView(view) && { view }),
    ...(viewOptions !== undefined && { options: viewOptions }),
  };
}

/** Whether the reader sees something else than what was saved. */
export const differsFrom = (one: ExploreState, other: ExploreState): boolean =>
  printUrl({ ...one, saved: null }) !== printUrl({ ...other, saved: null });

/** The newest version, where another save was faster. */
export interface NewerVersion {
  readonly version: number;
  readonly title: string;
  readonly body: SavedBody;
}

/** null: the error is another one. */
export function newerVersionOf(error: unknown): NewerVersion | null {
  if (!(error instanceof HadalError) || error.code !== "version-conflict") return null;
  const current = error.members.current as Partial<NewerVersion> | undefined;
  if (typeof current?.version !== "number" || current.body === undefined) return null;
  return { version: current.version, title: String(current.title), body: current.body };
}

const searchOf = (path: string): string => {
  const at = path.indexOf("?");
  return at < 0 ? "" : path.slice(at);
};
