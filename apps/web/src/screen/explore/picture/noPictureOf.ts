import type { ExploreState } from "../../../query/exploreState.js";
import type { View } from "../../../query/viewIds.js";

/** Nothing but texts, of which the screen has the first few. */
const tables: readonly View[] = ["table", "rows", "query"];

/** Why what is on the screen is no picture; null: it is one. */
export const noPictureOf = ({ view, options }: ExploreState): string | null =>
  tables.includes(view) || options.show === "data" ? "a table is text: save it as CSV" : null;
