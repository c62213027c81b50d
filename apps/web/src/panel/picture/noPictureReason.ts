import { viewOf } from "../../chart/view/views.js";
import type { ExploreState } from "../../query/state/exploreState.js";

/** Why the view cannot be saved as a picture; null: it can. */
export const noPictureReason = ({ view, options }: ExploreState): string | null =>
  viewOf(view).isText === true || options.show === "data"
    ? "a table is text: save it as CSV"
    : null;
