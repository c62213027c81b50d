import { aggregateName } from "@hadal/sdk";
import { groupName } from "../groupSpec.js";
import type { ViewSpec } from "./viewSpec.js";

/** What all views of groups, largest first, have in common. */
export const overGroups = {
  fields: ["compare", "aggregates", "group", "order", "limit"],
  options: [],
  needsColumns: false,
  lacks: () => null,
  fill: (state) => state,
  orderNames: (state) => {
    const names = state.aggregates.map(aggregateName);
    const compared = state.compare === null ? [] : ["compare", "delta", "delta_pct"];
    return [
      ...state.groupBy.map(groupName),
      ...names.flatMap((name) => [name, ...compared.map((suffix) => `${name}.${suffix}`)]),
      ...state.aggregates
        .filter((spec) => spec.fn === "count")
        .map((spec) => `${aggregateName(spec)}.raw`),
    ];
  },
  build: (state, { counted, order }) => ({
    query: { ...counted, groupBy: state.groupBy, orderBy: [order], limit: state.limit },
  }),
} as const satisfies Partial<ViewSpec>;
