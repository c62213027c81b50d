import { lineOptions } from "../../spec/lineOptions.js";
import { overTime } from "../../spec/overTime.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

export const area: ViewSpec = {
  ...overTime,
  id: "area",
  name: "Stacked area",
  group: "over time",
  answers: "How does the mix change over time?",
  load: async () => (await import("./TimeView.js")).StackedAreaView,
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
    // The whole of every bucket includes groups beyond the limit of series, and those that no
    // condition on results keeps.
    const { having: _, ...counted } = context.counted;
    return {
      query,
      extras: { ...extras, whole: { ...counted, groupBy: [{ time: context.bucket }] } },
    };
  },
};
