import { viewOf } from "../../../chart/view/views.js";
import type { ExploreState } from "../../../query/state/exploreState.js";

/** Why what is on the screen is no picture; null: it is one. */
export const noPictureOf = ({ view, options }: ExploreState): string | null =>
  viewOf(view).isText === true || options.show === "data"
    ? "a table is text: save it as CSV"
    : null;
