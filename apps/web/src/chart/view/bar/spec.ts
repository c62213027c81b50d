import { groupName } from "../../../query/group/groupSpec.js";
import { isNumber } from "../../../query/number/aggregate.js";
import { isAdditive, numberName } from "../../../query/number/labels.js";
import type { ExploreState } from "../../../query/state/exploreState.js";
import { overGroups } from "../../spec/overGroups.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

/** More bars, each of several parts, are a table. */
const barsMax = 30;
/** Enough parts that the rest of a bar is small; it is drawn like the other parts. */
const partsMax = 1_000;

export const bar: ViewSpec = {
  ...overGroups,
  id: "bar",
  name: "Bars",
  group: "ranking",
  answers: "How do the groups rank?",
  load: async () => (await import("./BarsView.js")).BarsView,
  options: [
    {
      name: "bars",
      label: "Bars",
      choices: (state) =>
        state.groupBy.length < 2
          ? []
          : [
              { value: "each", label: "one for each group" },
              { value: "side", label: "side by side" },
              ...(isStackable(state) ? [{ value: "stack", label: "stacked" }] : []),
            ],
    },
  ],
  build(state, context) {
    const asked = overGroups.build(state, context);
    const [first, ...others] = state.groupBy;
    const arranged = context.option("bars");
    if (first === undefined || others.length === 0 || arranged === "each") return asked;
    // The totals over all parts of a bar: the result may not have all of them.
    const isOfParts = others.some((spec) => groupName(spec) === context.order.by);
    const byNumber = state.aggregates.filter(isNumber).slice(0, 1);
    const orderBy = isOfParts
      ? byNumber.map((spec) => ({ by: numberName(spec), desc: true }))
      : asked.query.orderBy;
    const whole = { ...asked.query, groupBy: [first], orderBy, limit: barsMax };
    return { query: { ...asked.query, limit: partsMax }, extras: { whole } };
  },
};

/** Whether parts make up a whole: numbers that add up, of groups that no row is in twice. */
function isStackable({ aggregates: [first], groupBy }: ExploreState): boolean {
  const overlaps = groupBy.some((spec) => typeof spec === "object" && "element" in spec);
  return first !== undefined && isAdditive(first) && !overlaps;
}
