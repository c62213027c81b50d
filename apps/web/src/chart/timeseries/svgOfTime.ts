import { LineChart } from "echarts/charts";
import { MarkAreaComponent } from "echarts/components";
import { use } from "echarts/core";
import "../echarts.js";
import { svgOfOption } from "../svgOfChart.js";
import { buildTimeOption, type TimeDrawing } from "./build.js";

use([LineChart, MarkAreaComponent]);

/** Lines over time in vectors, by ECharts, which can write them; loaded when somebody wants a picture. */
export const svgOfTime = (drawing: TimeDrawing): string =>
  svgOfOption(buildTimeOption(drawing).option, drawing);
