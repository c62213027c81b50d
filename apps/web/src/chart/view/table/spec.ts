import { overGroups } from "../../spec/overGroups.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

export const table: ViewSpec = {
  ...overGroups,
  id: "table",
  name: "Table",
  group: "ranking",
  answers: "Which groups are biggest, and which changed most?",
  load: async () => (await import("./TableView.js")).TableView,
  isText: true,
  options: [
    {
      name: "share",
      label: "Shares",
      choices: () => [
        { value: "off", label: "numbers alone" },
        { value: "on", label: "and their share of all" },
      ],
    },
  ],
  build(state, context) {
    const asked = overGroups.build(state, context);
    if (state.groupBy.length === 0) return asked;
    // Percentiles and averages of all rows cannot be had from those of the groups.
    const { having: _, ...counted } = context.counted;
    return { ...asked, extras: { total: { ...counted, groupBy: [] } } };
  },
};
