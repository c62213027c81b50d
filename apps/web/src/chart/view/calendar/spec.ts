import { isNumber } from "../../../query/number/aggregate.js";
import { overTime } from "../../spec/overTime.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

const hourMs = 3_600_000;

export const calendar: ViewSpec = {
  id: "calendar",
  name: "Calendar",
  group: "over time",
  answers: "Which hours of which days: is there a daily or weekly rhythm, and what breaks it?",
  load: async () => (await import("./CalendarView.js")).CalendarView,
  fields: ["compare", "aggregates"],
  options: [
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
  needsColumns: false,
  lacks: overTime.lacks,
  fill: overTime.fill,
  orderNames: () => ["time"],
  build: ({ aggregates }, { counted }) => ({
    query: {
      ...counted,
      aggregates: [aggregates.find(isNumber) ?? { fn: "count" }],
      groupBy: [{ time: `${hourMs}ms` }],
      orderBy: [{ by: "time" }],
    },
    bucketMs: hourMs,
  }),
};
