import { overGroups } from "../../spec/overGroups.js";
import { askParts, withGroups } from "../../spec/parts.js";
import { sizeOption } from "../../spec/size.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

/** Smaller areas than a thousandth cannot be seen. */
const areasMax = 1_000;
/** Deeper, the borders take more room than the areas. */
const levelsMax = 4;

export const treemap: ViewSpec = {
  id: "treemap",
  name: "Treemap",
  group: "ranking",
  answers: "How is the whole made up, group within group?",
  load: async () => (await import("./TreemapView.js")).TreemapView,
  fields: ["compare", "group"],
  options: [
    {
      name: "shape",
      label: "Shape",
      choices: () => [
        { value: "treemap", label: "treemap" },
        { value: "sunburst", label: "sunburst" },
      ],
    },
    sizeOption,
  ],
  needsColumns: true,
  lacks: ({ groupBy }) =>
    groupBy.length > 0 ? null : "A treemap needs columns to split by, one within the other.",
  fill: (state, columns) => withGroups(state, columns, 2),
  orderNames: overGroups.orderNames,
  build: ({ groupBy }, context) => askParts(context, groupBy.slice(0, levelsMax), areasMax),
};
