import type { ColumnChange } from "@hadal/sdk";
import type { ExploreState } from "../../query/state/exploreState.js";
import { usualGroup } from "../../query/state/groupChoice.js";
import { applyEdit } from "./edits.js";

/** Groups over time by the column's changed values, or by ranges where they are too many. */
export function groupedByChange(state: ExploreState, column: ColumnChange): ExploreState {
  const group = usualGroup(column, { distinct: column.distinct, ranges: null });
  return { ...applyEdit(state, { kind: "group by", group }), view: "timeseries" };
}
