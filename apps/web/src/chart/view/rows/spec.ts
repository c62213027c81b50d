import type { Query } from "@hadal/sdk";
import { autoBucketMs, bucketCountMax } from "../../../query/group/bucket.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

/** A bar for every few pixels of the strip. */
const stripBars = 150;

/** The number of matching rows over time, whichever of them are shown. */
const countsOverTime = (base: Query, rangeMs: number): Query => ({
  ...base,
  groupBy: [{ time: `${autoBucketMs(rangeMs * (bucketCountMax / stripBars))}ms` }],
  aggregates: [{ fn: "count" }],
});

export const rows: ViewSpec = {
  id: "rows",
  name: "Raw rows",
  group: "rows",
  answers: "What does one row look like?",
  load: async () => (await import("./RowsView.js")).RowsView,
  isText: true,
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
  build: (state, { base, order, rangeMs }) => ({
    extras: { overTime: countsOverTime(base, rangeMs) },
    query: {
      ...base,
      sampleView: { columns: state.columns },
      orderBy: [order],
      limit: state.limit,
    },
  }),
};
