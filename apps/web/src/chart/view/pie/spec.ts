import { overGroups } from "../../spec/overGroups.js";
import { askParts, withGroups } from "../../spec/parts.js";
import { sizeOption } from "../../spec/size.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

/** More slices cannot be read; the rest is one slice. */
const slicesMax = 10;

export const pie: ViewSpec = {
  id: "pie",
  name: "Donut",
  group: "ranking",
  answers: "How is the whole shared among a few groups?",
  load: async () => (await import("./PieView.js")).PieView,
  fields: ["compare", "group"],
  options: [sizeOption],
  needsColumns: true,
  lacks: ({ groupBy }) => (groupBy.length > 0 ? null : "A donut needs a column to split by."),
  fill: (state, columns) => withGroups(state, columns, 1),
  orderNames: overGroups.orderNames,
  build: ({ groupBy }, context) => askParts(context, groupBy, slicesMax),
};
