import { LineChart } from "echarts/charts";
import { GridComponent, MarkAreaComponent, TooltipComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";

// What the first view draws. Others add what they need where they are loaded; the rest of ECharts stays out of the page.
use([LineChart, GridComponent, TooltipComponent, MarkAreaComponent, CanvasRenderer]);

export { init as initChart };
