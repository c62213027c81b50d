import { BarChartHorizontal } from "lucide-react";
import { groupName } from "../../../query/group/groupSpec.js";
import { isNumber } from "../../../query/number/aggregate.js";
import { isAdditive, numberName } from "../../../query/number/labels.js";
import type { ExploreState } from "../../../query/state/exploreState.js";
import { overGroups } from "../../spec/overGroups.js";
import { barsPreview } from "../../spec/previews.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

/** More bars, each of several parts, are a table. */
const barsMax = 30;
/** Enough that what is left of a bar is small; it is drawn as the others. */
const partsMax = 1_000;

export const bar: ViewSpec = {
  ...overGroups,
  id: "bar",
  name: "Bars",
  group: "ranking",
  answers: "How do the groups rank?",
  Icon: BarChartHorizontal,
  load: async () => (await import("./BarsView.js")).BarsView,
  preview: barsPreview,
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
    // What all parts of a bar come to: those of the answer may not be all of them.
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
