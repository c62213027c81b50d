import { lineOptions } from "./lineOptions.js";
import { overTime } from "./overTime.js";
import type { ViewSpec } from "./viewSpec.js";

export const area: ViewSpec = {
  ...overTime,
  id: "area",
  name: "Stacked area",
  group: "over time",
  answers: "How does the mix change over time?",
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
