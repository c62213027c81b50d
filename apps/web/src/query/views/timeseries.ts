import { lineOptions, versusOption } from "./lineOptions.js";
import { overTime } from "./overTime.js";
import type { ViewSpec } from "./viewSpec.js";

export const timeseries: ViewSpec = {
  ...overTime,
  id: "timeseries",
  name: "Time series",
  group: "over time",
  answers: "When did it change, and which group?",
  options: [versusOption, ...lineOptions],
};
