import { lineOptions, versusOption } from "../../spec/lineOptions.js";
import { overTime } from "../../spec/overTime.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

export const timeseries: ViewSpec = {
  ...overTime,
  id: "timeseries",
  name: "Time series",
  group: "over time",
  answers: "When did it change, and which group?",
  load: async () => (await import("./TimeView.js")).TimeSeriesView,
  options: [versusOption, ...lineOptions],
};
