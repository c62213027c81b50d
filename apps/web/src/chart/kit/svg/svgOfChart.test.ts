import { BarChart } from "echarts/charts";
import { use } from "echarts/core";
import { expect, test } from "vitest";
import { initChart } from "../echart/echarts.js";
import { createSvgContext } from "./svgContext.js";
import { svgOfChart } from "./svgOfChart.js";

use([BarChart]);

const hostile = `<script>alert(1)</script>]]>"'&\u0000\uD800\u202Egnp.nimda\u2066`;
const asShown =
  "&lt;script&gt;alert(1)&lt;/script&gt;]]&gt;&quot;&#39;&amp;\uFFFD\uFFFD\uFFFDgnp.nimda\uFFFD";

test("a chart in vectors says its names and numbers, and nothing of them is markup", () => {
  const chart = initChart(null, null, { renderer: "svg", ssr: true, width: 400, height: 200 });
  chart.setOption({
    animation: false,
    textStyle: { fontFamily: "system-ui, 'Segoe UI'" },
    grid: {},
    xAxis: { type: "category", data: [hostile, "cart"], axisLabel: { interval: 0 } },
    yAxis: { type: "value" },
    series: {
      type: "bar",
      data: [12, 31],
      // Rich texts are written in another way than plain ones.
      label: { show: true, formatter: "{big|{c}}", rich: { big: { fontSize: 20 } } },
    },
  });
  const svg = svgOfChart(chart);
  chart.dispose();
  expect(svg).toContain(`>${asShown}</text>`);
  expect(svg).toMatch(/font-size="20px"[^>]*>31<\/text>/);
  expect(svg).toContain(`font-family="system-ui, 'Segoe UI'"`);
  expect(svg).not.toMatch(/<script|<style|style=|class=/);
});

test("a flame graph's words are words", () => {
  const measureText = (text: string) => ({ width: text.length * 6 }) as TextMetrics;
  const pen = createSvgContext({ font: "", measureText });
  pen.font = `11px "Mono"`;
  pen.fillStyle = "#123456";
  pen.fillRect(1, 2, 30, 19);
  pen.fillText(hostile, 4, 10, 20);
  const svg = pen.print(100, 50);
  expect(svg).toContain(`<rect x="1" y="2" width="30" height="19" fill="#123456"/>`);
  expect(svg).toContain(`textLength="20" lengthAdjust="spacingAndGlyphs">${asShown}</text>`);
  expect(svg).toContain(`font-family="&quot;Mono&quot;"`);
});
