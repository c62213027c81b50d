import { type EChartsCoreOption, type EChartsType, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { speakableText } from "./svgText.js";

use([SVGRenderer]);

/** The chart drawn once more, in vectors; ECharts escapes the names in it. Loaded on demand. */
export const svgOfChart = (chart: EChartsType): string =>
  svgOfOption(chart.getOption() as EChartsCoreOption, {
    width: chart.getWidth(),
    height: chart.getHeight(),
  });

/** A chart that is on no screen. */
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

/** Styles as attributes of their own: the page's policy forbids to read documents with inline styles. */
const plainAttributes = (svg: string): string =>
  svg
    // What marks look like under a pointer: a picture has none.
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
