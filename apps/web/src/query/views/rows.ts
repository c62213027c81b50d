import type { ViewSpec } from "./viewSpec.js";

export const rows: ViewSpec = {
  id: "rows",
  name: "Raw rows",
  answers: "What does one row look like?",
  fields: ["order", "limit", "columns"],
  options: [],
  needsColumns: false,
  lacks: () => null,
  fill: (state) => state,
  orderNames: () => ["time"],
  build: (state, { base, order }) => ({
    query: {
      ...base,
      sampleView: { columns: state.columns },
      orderBy: [order],
      limit: state.limit,
    },
  }),
};
