import type { ColumnChange } from "@hadal/sdk";
import { applyEdit } from "../../../query/edits.js";
import type { ExploreState } from "../../../query/exploreState.js";
import { usualGroup } from "../../../query/groupChoice.js";

/** When the column's values changed: one of them each, or a range of them where there are too many. */
export function groupedByChange(state: ExploreState, column: ColumnChange): ExploreState {
  const group = usualGroup(column, { distinct: column.distinct, ranges: null });
  return { ...applyEdit(state, { kind: "group by", group }), view: "timeseries" };
}
