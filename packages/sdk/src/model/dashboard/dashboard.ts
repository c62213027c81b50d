import type { Filter, FilterValue } from "../filter.js";
import type { Compare, Query, TimeText } from "../query.js";

/** The newest form of a board's body; a body without `version` has the first one. */
export const dashboardVersion = 1;

/** Columns of a section's grid: `x` and `w` of its tiles count them. */
export const dashboardColumns = 12;

/** More than a person scrolls through. */
export const dashboardTilesMax = 500;
export const dashboardSectionsMax = 100;
export const dashboardVariablesMax = 20;
/** Of titles of sections and tiles, in characters. */
export const dashboardTitleMax = 200;
/** Of a text tile, in characters. */
export const dashboardTextMax = 20_000;
/** Rows of a section's grid: 500 tiles below one another. */
export const dashboardRowsMax = 10_000;
/** Of one tile, in rows. */
export const dashboardTileRowsMax = 100;

/** Parts of the board's bar that a tile may refuse. */
export const dashboardIgnores = [
  "time",
  "compare",
  "timeZone",
  "live",
  "filter",
  "variables",
] as const;
export type DashboardIgnore = (typeof dashboardIgnores)[number];

/**
 * A choice of the board's bar: the tiles with its column show the rows with one of its values. A
 * tile whose filters name it as a value, `$service`, uses it there alone; titles may name it, too.
 */
export interface DashboardVariable {
  readonly name: string;
  /** The table whose values the picker offers. */
  readonly table: string;
  readonly column: string;
  /** null or absent: all values. */
  readonly values?: readonly FilterValue[] | null;
}

/** What every tile has; a tile without a place goes below the tiles before it. */
export interface TilePlace {
  /** Unique in the board. */
  readonly id: string;
  readonly title?: string;
  readonly x?: number;
  readonly y?: number;
  readonly w?: number;
  readonly h?: number;
}

/** How a tile's query is drawn, and which parts of the bar it refuses. */
interface TileDrawing {
  /** The id of a view, as in the page's address; default `timeseries`. */
  readonly view?: string;
  readonly viewOptions?: Readonly<Record<string, string>>;
  readonly ignores?: readonly DashboardIgnore[];
}

/**
 * A query with its view. Its time range is used where the tile ignores the board's. Without a time
 * bucket a view over time chooses one by the range.
 */
export interface QueryTile extends TilePlace, TileDrawing {
  /** A filter's value `$name` stands for the values of the variable; `$$name` is that text. */
  readonly query: Query;
}

/** A saved query, by the id of its document: the tile follows its changes. */
export interface SavedQueryTile extends TilePlace, TileDrawing {
  readonly savedQuery: string;
}

/** Markdown without HTML. */
export interface TextTile extends TilePlace {
  readonly text: string;
}

/** A line across the grid, with a title or without. */
export interface DividerTile extends TilePlace {
  readonly divider: true;
}

export type DashboardTile = QueryTile | SavedQueryTile | TextTile | DividerTile;

export interface DashboardSection {
  readonly title?: string;
  /** Its tiles are hidden, and ask nothing, until it is opened. */
  readonly folded?: boolean;
  readonly tiles: readonly DashboardTile[];
}

/** The body of a document of the kind `dashboard`. */
export interface Dashboard {
  readonly version?: number;
  /** Default: the last three hours. */
  readonly from?: TimeText;
  readonly to?: TimeText;
  /** IANA zone; absent: the reader's own. */
  readonly timeZone?: string | null;
  readonly compare?: Compare | null;
  /** Applied to each tile whose table has the column. */
  readonly filter?: readonly Filter[];
  readonly variables?: readonly DashboardVariable[];
  readonly sections?: readonly DashboardSection[];
}
