import { expect, test } from "vitest";
import { drawingOf, inputOf, minute, resultOf, t0 } from "../../../testing/overTime.js";
import { plainAxis } from "../../legend/lineOptions.js";
import type { TimeDrawing } from "./build.js";
import { buildTimePlot } from "./plot.js";

const rows = [
  [t0, "a", 10, 1],
  [t0, "b", 30, 1],
  [t0 + minute, "a", 40, 1],
];
const panelOf = (more: Partial<TimeDrawing>) => {
  const [panel] = buildTimePlot(
    drawingOf(inputOf(resultOf(rows)), { isBars: true, ...more }),
  ).panels;
  if (panel === undefined) throw new Error("there is no panel");
  return panel;
};
const close = (value: number) => expect.closeTo(value, 6);

test("bars of groups stand side by side in their bucket, from 0 upwards", () => {
  const { bars, lines, ceiling } = panelOf({});
  expect([lines, ceiling]).toEqual([[], 40]);
  // A bucket is a quarter of the width, of which the bars take 80 %.
  expect(bars.map(({ color, x, width, y, height }) => [color, x, width, y, height])).toEqual([
    ["hue3", close(0.025), close(0.1), 0, close(0.25)],
    ["hue3", close(0.275), close(0.1), 0, close(1)],
    ["hue5", close(0.125), close(0.1), 0, close(0.75)],
  ]);
});

test("where numbers add up in a stack bars stand on each other", () => {
  const { bars } = panelOf({ stacked: true });
  expect(bars.map(({ key, x, width, y, height }) => [key, x, width, y, height])).toEqual([
    ['["a"]', close(0.025), close(0.2), 0, close(0.25)],
    ['["a"]', close(0.275), close(0.2), 0, close(1)],
    ['["b"]', close(0.025), close(0.2), close(0.25), close(0.75)],
  ]);
});

test("bars of a bucket that is not whole are marked", () => {
  const covers = new Map([
    [t0 + minute, { share: 0.5, reason: "cut" as const, isCut: true as const }],
  ]);
  expect(panelOf({ covers }).bars.map(({ isDashed }) => isDashed)).toEqual([false, true, false]);
});

test("bars that cannot be drawn true are lines, and why", () => {
  const thin = panelOf({ width: 90 });
  expect([thin.bars, thin.lines.length]).toEqual([[], 2]);
  expect(thin.notes).toEqual([
    "bars would be too thin to see: lines. Show fewer, or longer buckets",
  ]);
  const log = panelOf({ axes: new Map([["count", { ...plainAxis, isLog: true }]]) });
  expect(log.bars).toEqual([]);
  expect(log.notes).toContain("bars begin at 0, which a log scale has not: lines");
});
