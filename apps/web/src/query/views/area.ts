import { overTime } from "./overTime.js";
import type { ViewSpec } from "./viewSpec.js";

export const area: ViewSpec = {
  ...overTime,
  id: "area",
  name: "Stacked area",
  answers: "How does the mix change over time?",
};
