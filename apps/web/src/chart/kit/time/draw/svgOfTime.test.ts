import { expect, test } from "vitest";
import { testTheme } from "../../../testing/answers.js";
import { drawingOf, inputOf, minute, resultOf, t0 } from "../../../testing/overTime.js";
import { plainAxis } from "../../legend/lineOptions.js";
import type { TimeDrawing } from "../plot/build.js";
import { buildTimePlot } from "../plot/plot.js";
import { svgOfTime } from "./svgOfTime.js";

const ruler = {
  font: "",
  measureText: (text: string) => ({ width: 6 * text.length }) as TextMetrics,
};
const rows = [
  [t0, "<cart>", 10, 8, 900, 450],
  [t0 + minute, "<cart>", 1_000, 4, 900, 450],
  [t0 + 2 * minute, "<cart>", 20, 5, 900, 450],
];
const svgOf = (more: Partial<TimeDrawing> = {}) =>
  svgOfTime(
    buildTimePlot(drawingOf(inputOf(resultOf(rows, { compared: true }), true), more)),
    ruler,
  );

test("a picture has the panels, axes, both sides and thresholds of the screen", () => {
  const axes = new Map([["count", { ...plainAxis, thresholds: [500] }]]);
  const svg = svgOf({ axes });
  expect(svg).toMatch(/^<svg xmlns[^>]*width="800" height="400">.*<\/svg>$/s);
  expect(svg).toContain(">count</text>");
  expect(svg).toContain(">p95 latency_us</text>");
  expect(svg).toContain(">09:01:00</text>");
  expect(svg).toContain(">500</text>");
  // Solid, dotted, and the threshold.
  expect(svg).toMatch(/stroke="hue3" stroke-width="1.6"\/>/);
  expect(svg).toMatch(/stroke="hue3" stroke-width="1.3" stroke-dasharray="1.3 1.3" opacity="0.85"/);
  expect(svg).toMatch(/stroke="#aa0000" stroke-width="1" stroke-dasharray="6 3"/);
  expect(svg).not.toContain("NaN");
  expect(svg).not.toContain("color-mix");
});

test("on an axis of powers a 0 is a gap of the picture too, and the words are there", () => {
  const axes = new Map([["count", { ...plainAxis, isLog: true }]]);
  const svg = svgOf({ axes });
  expect(svg).toContain("count · log scale · 1 value of 0 or less is a gap");
  expect(svg).not.toContain("NaN");
});

test("bars and hatched times are in the picture", () => {
  const covers = new Map([[t0 + minute, { share: 0.5, reason: "missing-leaves" as const }]]);
  const svg = svgOf({ isBars: true, covers });
  expect(svg).toMatch(/<rect [^>]*fill="hue3" fill-opacity="0.85"/);
  expect(svg).toContain('stroke="#dddddd"');
  expect(svg.match(/<svg /g)?.length).toBe(svg.match(/<\/svg>/g)?.length);
});

test("thinned times are shaded under their lines, with a strip along the top and the share kept", () => {
  const thinned = { share: 0.1, reason: "thinned" as const };
  const covers = new Map([0, 1].map((at) => [t0 + at * minute, thinned]));
  const svg = svgOf({ covers });
  const strip = `height="3" fill="${testTheme.edge}"`;
  expect(svg.indexOf(strip)).toBeGreaterThan(svg.indexOf(`fill="${testTheme.sunken}"`));
  expect(svg.indexOf(strip)).toBeLessThan(svg.indexOf('stroke="hue3"'));
  expect(svg).toContain(">one row of 10 kept</text>");
});
