import { type EChartsCoreOption, type EChartsType, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { speakableText } from "./svgText.js";

use([SVGRenderer]);

/** Draws the chart again as SVG; ECharts escapes the names. Loaded on demand. */
export const svgOfChart = (chart: EChartsType): string =>
  svgOfOption(chart.getOption() as EChartsCoreOption, {
    width: chart.getWidth(),
    height: chart.getHeight(),
  });

/** A chart that is not on the page. */
export function svgOfOption(
  option: EChartsCoreOption,
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const drawn = init(null, null, { renderer: "svg", ssr: true, width, height });
  try {
    drawn.setOption({ ...option, animation: false });
    return plainAttributes(speakableText(drawn.renderToSVGString()));
  } finally {
    drawn.dispose();
  }
}

/** Styles become attributes: the page's content security policy forbids inline styles. */
const plainAttributes = (svg: string): string =>
  svg
    // Hover styles are dropped.
    .replace(/<style[^>]*>.*?<\/style>/gs, "")
    .replace(/ class="[^"]*"/g, "")
    .replace(/ style="([^"]*)"/g, (_, css: string) => css.split(";").map(attributesOf).join(""));

function attributesOf(rule: string): string {
  const [name = "", value = ""] = rule.split(":").map((part) => part.trim());
  if (value === "") return "";
  if (name !== "font") return ` ${name}="${value}"`;
  // As ECharts writes it: style, weight, size, family.
  const [, style, weight, size, family] = /^(\S+) (\S+) (\S+) (.*)$/.exec(value) ?? [];
  return ` font-style="${style}" font-weight="${weight}" font-size="${size}" font-family="${family}"`;
}
