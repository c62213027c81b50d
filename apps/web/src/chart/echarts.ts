import { BarChart, CustomChart, LineChart } from "echarts/charts";
import { GridComponent, MarkAreaComponent, TooltipComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";

// Only what the views draw: the rest of ECharts stays out of the bundle.
use([
  LineChart,
  BarChart,
  CustomChart,
  GridComponent,
  TooltipComponent,
  MarkAreaComponent,
  CanvasRenderer,
]);

export { init as initChart };
