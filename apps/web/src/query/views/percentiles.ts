import type { AggregateSpec } from "@hadal/sdk";
import { lineOptions } from "./lineOptions.js";
import { lacksNumbers, valueOption } from "./valueColumn.js";
import type { ViewSpec } from "./viewSpec.js";

/** The middle, and the tail in steps. */
const shown = [50, 75, 90, 95, 99];

export const percentiles: ViewSpec = {
  id: "percentiles",
  name: "Percentiles over time",
  group: "over time",
  answers: "Is the tail moving?",
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
