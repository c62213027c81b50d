import type { ViewSpec } from "./viewSpec.js";

export const rows: ViewSpec = {
  id: "rows",
  name: "Raw rows",
  group: "rows",
  answers: "What does one row look like?",
  fields: ["order", "limit", "columns"],
  options: [
    {
      name: "columns",
      label: "Columns",
      // Columns that were chosen are all shown.
      choices: ({ columns }) =>
        columns === null
          ? [
              { value: "differing", label: "those that differ" },
              { value: "all", label: "all" },
            ]
          : [],
    },
  ],
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
