import type { AggregateSpec } from "@hadal/sdk";
import { isAdditive } from "../../../query/number/labels.js";
import { columnWithoutNumbers, scaleOption, spreadProbe } from "../../spec/spreadProbe.js";
import { valueBucket } from "../../spec/valueBucket.js";
import { lacksNumbers, valueOption } from "../../spec/valueColumn.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

/** Rows of cells: on a common chart each is still a few pixels high. */
const binsWanted = 64;

export const heatmap: ViewSpec = {
  id: "heatmap",
  name: "Heatmap",
  group: "distribution",
  answers: "How are values distributed over time? Are there two modes, or a new band?",
  load: async () => (await import("./HeatmapView.js")).HeatmapView,
  fields: ["compare", "aggregates", "bucket"],
  options: [
    valueOption,
    scaleOption,
    {
      name: "color",
      label: "Colour",
      choices: () => [
        { value: "auto", label: "by the values" },
        { value: "linear", label: "linear" },
        { value: "log", label: "logarithmic" },
      ],
    },
  ],
  needsColumns: true,
  lacks: lacksNumbers,
  fill: (state) => state,
  orderNames: () => ["time"],
  probe: (_, { counted, option }) => spreadProbe(counted, [option("value")]),
  build: ({ aggregates }, context) => ({
    query: {
      ...context.counted,
      aggregates: [aggregates.find(isAdditive) ?? countOfRows],
      groupBy: [{ time: context.bucket }, valueBucket(context, binsWanted)],
      orderBy: [{ by: "time" }],
    },
    without: columnWithoutNumbers(context.probed, [context.option("value")]),
  }),
};

const countOfRows: AggregateSpec = { fn: "count" };
