import { GridComponent, TooltipComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";

// Modules that all charts use. Each view adds its own where it is loaded; the rest of ECharts is not loaded.
use([GridComponent, TooltipComponent, CanvasRenderer]);

export { init as initChart };
