import { groupName } from "../../query/group/groupSpec.js";
import { isCount, isNumber } from "../../query/number/aggregate.js";
import { numberName } from "../../query/number/labels.js";
import type { ViewSpec } from "./viewSpec.js";

/** What all views of groups, largest first, have in common. */
export const overGroups = {
  fields: ["compare", "aggregates", "group", "having", "order", "limit"],
  options: [],
  needsColumns: false,
  lacks: () => null,
  fill: (state) => state,
  orderNames: (state) => {
    const names = state.aggregates.filter(isNumber).map(numberName);
    const compared = state.compare === null ? [] : ["compare", "delta", "delta_pct"];
    return [
      ...state.groupBy.map(groupName),
      ...names.flatMap((name) => [name, ...compared.map((suffix) => `${name}.${suffix}`)]),
      ...state.aggregates.filter(isCount).map((spec) => `${numberName(spec)}.raw`),
    ];
  },
  build: (state, { counted, order }) => ({
    query: { ...counted, groupBy: state.groupBy, orderBy: [order], limit: state.limit },
  }),
} as const satisfies Partial<ViewSpec>;
