import { HadalChartElement } from "./hadalChartElement.js";

// The script may be on a page twice.
if (customElements.get("hadal-chart") === undefined) {
  customElements.define("hadal-chart", HadalChartElement);
}
