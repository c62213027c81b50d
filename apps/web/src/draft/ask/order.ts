import type { OrderBy } from "@hadal/sdk";
import { viewOf } from "../../chart/view/views.js";
import { groupName } from "../../query/group/groupSpec.js";
import { numberName } from "../../query/number/labels.js";
import type { ExploreState } from "../../query/state/exploreState.js";

/** Result columns that this state can be ordered by. */
export const orderNames = (state: ExploreState): readonly string[] =>
  viewOf(state.view).orderNames(state);

/** The effective order; by default rows newest first, groups by their first number, largest first. */
export function orderOf(state: ExploreState): OrderBy {
  const { order } = state;
  const names = orderNames(state);
  if (order !== null && names.includes(order.by)) return order;
  const first = state.aggregates[0];
  if (first !== undefined && names.includes(numberName(first))) {
    return { by: numberName(first), desc: true };
  }
  const [group] = state.groupBy;
  return group !== undefined && names.includes(groupName(group))
    ? { by: groupName(group), desc: false }
    : { by: names[0] ?? "time", desc: true };
}
