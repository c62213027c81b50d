import { overGroups } from "./overGroups.js";
import { askParts, withGroups } from "./parts.js";
import { sizeOption } from "./size.js";
import type { ViewSpec } from "./viewSpec.js";

/** More slices cannot be told apart; the rest is one slice. */
const slicesMax = 10;

export const pie: ViewSpec = {
  id: "pie",
  name: "Donut",
  group: "ranking",
  answers: "How is the whole shared among a few groups?",
  fields: ["compare", "group"],
  options: [sizeOption],
  needsColumns: true,
  lacks: ({ groupBy }) => (groupBy.length > 0 ? null : "A donut needs a column to split by."),
  fill: (state, columns) => withGroups(state, columns, 1),
  orderNames: overGroups.orderNames,
  build: ({ groupBy }, context) => askParts(context, groupBy, slicesMax),
};
