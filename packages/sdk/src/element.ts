/** Types of the custom element `<hadal-chart>`, and the function that loads it. */
export type {
  HadalChartCompletion,
  HadalChartElement,
  HadalChartEventDetails,
  HadalChartEventMap,
  HadalChartMethods,
  HadalChartProblem,
  HadalChartProperties,
  HadalChartSelection,
  HadalChartState,
  HadalChartTheme,
} from "./element/hadalChartElement.js";
export { loadHadalChart } from "./element/loadHadalChart.js";
