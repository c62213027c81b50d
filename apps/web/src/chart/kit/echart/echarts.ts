import { GridComponent, TooltipComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";

// What all its charts have. Each adds what else it needs where it is loaded; the rest of ECharts stays out of the page.
use([GridComponent, TooltipComponent, CanvasRenderer]);

export { init as initChart };
