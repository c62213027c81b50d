import { ChartLine } from "lucide-react";
import { lineOptions, versusOption } from "../../spec/lineOptions.js";
import { overTime } from "../../spec/overTime.js";
import { linePreview } from "../../spec/previews.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

export const timeseries: ViewSpec = {
  ...overTime,
  id: "timeseries",
  name: "Time series",
  group: "over time",
  answers: "When did it change, and which group?",
  Icon: ChartLine,
  load: async () => (await import("./TimeView.js")).TimeSeriesView,
  preview: linePreview,
  options: [versusOption, ...lineOptions],
};
