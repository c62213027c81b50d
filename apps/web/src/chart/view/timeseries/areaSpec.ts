import { AreaChart } from "lucide-react";
import { lineOptions } from "../../spec/lineOptions.js";
import { overTime } from "../../spec/overTime.js";
import { areaPreview } from "../../spec/previews.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

export const area: ViewSpec = {
  ...overTime,
  id: "area",
  name: "Stacked area",
  group: "over time",
  answers: "How does the mix change over time?",
  Icon: AreaChart,
  load: async () => (await import("./TimeView.js")).StackedAreaView,
  preview: areaPreview,
  options: [
    {
      name: "stack",
      label: "Stack",
      choices: () => [
        { value: "amount", label: "amounts" },
        { value: "share", label: "% of all" },
      ],
    },
    ...lineOptions,
  ],
  build: (state, context) => {
    const { query, extras } = overTime.build(state, context);
    if (state.groupBy.length === 0 && context.option("stack") !== "share") {
      return { query, ...(extras && { extras }) };
    }
    // The whole of every step: groups beyond the series asked for, or of which no condition holds, belong to it too.
    const { having: _, ...counted } = context.counted;
    return {
      query,
      extras: { ...extras, whole: { ...counted, groupBy: [{ time: context.bucket }] } },
    };
  },
};
