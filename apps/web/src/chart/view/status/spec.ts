import { overTime } from "../../spec/overTime.js";
import { readThresholds } from "../../spec/thresholds.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

export const status: ViewSpec = {
  ...overTime,
  id: "status",
  name: "Status history",
  group: "over time",
  answers: "Which one was bad, and when?",
  load: async () => (await import("./StatusView.js")).StatusView,
  options: [
    {
      name: "levels",
      label: "Levels",
      choices: () => [{ value: "auto", label: "fifths of the values" }],
      accepts: (text) => readThresholds(text) !== null,
      hint: "bounds, e.g. 100, 500",
    },
    {
      name: "good",
      label: "Good is",
      choices: () => [
        { value: "low", label: "low" },
        { value: "high", label: "high" },
      ],
    },
  ],
};
