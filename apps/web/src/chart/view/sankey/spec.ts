import { overGroups } from "../../spec/overGroups.js";
import { askParts, withGroups } from "../../spec/parts.js";
import { sizeOption } from "../../spec/size.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

/** Ways through all stages; rarer ones flow together. */
const waysMax = 5_000;
/** More stages leave no room for what flows between them. */
const stagesMax = 6;

export const sankey: ViewSpec = {
  id: "sankey",
  name: "Flow",
  group: "relation",
  answers: "Where does the volume go, stage by stage?",
  load: async () => (await import("./SankeyView.js")).SankeyView,
  fields: ["compare", "group"],
  options: [
    sizeOption,
    {
      name: "stage",
      label: "Per stage",
      choices: () =>
        ["8", "5", "12", "20"].map((value) => ({ value, label: `${value} and others` })),
    },
  ],
  needsColumns: true,
  lacks: ({ groupBy }) =>
    groupBy.length > 1
      ? null
      : "A flow needs two or more columns to split by: its stages, in order.",
  fill: (state, columns) => withGroups(state, columns, state.groupBy.length === 0 ? 3 : 2),
  orderNames: overGroups.orderNames,
  build: ({ groupBy }, context) => askParts(context, groupBy.slice(0, stagesMax), waysMax),
};
