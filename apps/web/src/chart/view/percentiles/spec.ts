import type { AggregateSpec } from "@hadal/sdk";
import { lineOptions } from "../../spec/lineOptions.js";
import { lacksNumbers, valueOption } from "../../spec/valueColumn.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

/** The middle, and the tail in steps. */
const shown = [50, 75, 90, 95, 99];

export const percentiles: ViewSpec = {
  id: "percentiles",
  name: "Percentiles over time",
  group: "over time",
  answers: "Is the tail moving?",
  load: async () => (await import("./PercentilesView.js")).PercentilesView,
  fields: ["compare", "bucket"],
  options: [valueOption, ...lineOptions],
  needsColumns: true,
  lacks: lacksNumbers,
  fill: (state) => state,
  orderNames: () => ["time"],
  build: (_, { counted, bucket, option }) => {
    const column = option("value");
    const aggregates = shown.map((p): AggregateSpec => ({ fn: "percentile", column, p }));
    const query = { ...counted, aggregates };
    return {
      query: { ...query, groupBy: [{ time: bucket }], orderBy: [{ by: "time" }] },
      // Percentiles of the whole range cannot be had from those of its parts.
      extras: { totals: query },
    };
  },
};
