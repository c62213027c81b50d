/** `<hadal-chart>` for React 19. */
export type { HadalChartProps } from "./react/HadalChart.js";
export { HadalChart } from "./react/HadalChart.js";
