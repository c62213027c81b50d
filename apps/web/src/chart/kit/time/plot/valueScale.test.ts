import { describe, expect, test } from "vitest";
import { drawingOf, inputOf, minute, resultOf, t0 } from "../../../testing/overTime.js";
import { type AxisChoice, plainAxis } from "../../legend/lineOptions.js";
import { seriesAt } from "../point/interact.js";
import type { TimeDrawing } from "./build.js";
import { logTicks, roundPower } from "./logTicks.js";
import { buildTimePlot } from "./plot.js";
import { pixelOfTime } from "./scale.js";
import { placeOf } from "./valueScale.js";

const panelOf = (
  counts: readonly number[],
  choice: Partial<AxisChoice>,
  more: Partial<TimeDrawing> = {},
) => {
  const rows = counts.map((count, i) => [t0 + i * minute, "cart", count, 1]);
  const axes = new Map([["count", { ...plainAxis, ...choice }]]);
  const plot = buildTimePlot(drawingOf(inputOf(resultOf(rows)), { axes, ...more }));
  const [panel] = plot.panels;
  if (panel === undefined) throw new Error("there is no panel");
  return { panel, plot };
};

describe("an axis of powers", () => {
  test("ends at round numbers around what is above 0, and 0 has no place on it", () => {
    const { panel, plot } = panelOf([3, 0, 40, 700], { isLog: true });
    expect([panel.floor, panel.ceiling, panel.isLog]).toEqual([2, 1_000, true]);
    expect(panel.ticks).toEqual([10, 100, 1_000]);
    expect(panel.lines.map(({ points }) => points)).toEqual([[3, null, 40, 700]]);
    expect(panel.notes).toEqual(["log scale", "1 value of 0 or less is a gap"]);
    expect(placeOf(panel, 0)).toBeNaN();
    expect(seriesAt(plot, pixelOfTime(plot, t0 + minute), panel.top + panel.height)).toBeNull();
  });

  test("equal ratios are equal lengths", () => {
    const { panel } = panelOf([10, 100, 1_000, 1_000], { isLog: true });
    expect([10, 100, 1_000].map((value) => placeOf(panel, value))).toEqual([
      expect.closeTo(0, 9),
      expect.closeTo(0.5, 9),
      expect.closeTo(1, 9),
    ]);
  });

  test("is refused where nothing is above 0, and of a stack, in words", () => {
    const empty = panelOf([0, 0, 0, 0], { isLog: true }).panel;
    expect([empty.isLog, empty.notes]).toEqual([false, ["no log scale: no value is above 0"]]);
    const stack = panelOf([1, 2, 3, 4], { isLog: true }, { stacked: true }).panel;
    expect([stack.isLog, stack.notes]).toEqual([false, ["no log scale: a stack's heights add up"]]);
  });

  test("has no end at 0, and does not move while parts arrive", () => {
    const { panel } = panelOf([30, 40, 50, 60], { isLog: true, min: 0 });
    expect([panel.floor, panel.notes]).toEqual([
      20,
      ["log scale", "a log scale has no end at 0 or below"],
    ]);
    const held = panelOf([30, 40, 50, 60], { isLog: true }, { floors: [5], ceilings: [200] }).panel;
    expect([held.floor, held.ceiling]).toEqual([5, 100]);
    const far = panelOf([300, 400], { isLog: true }, { floors: [5] }).panel;
    expect(panelOf([30, 40], { isLog: true }, { floors: [0] }).panel.floor).toBe(20);
    // Much of the axis would be empty.
    expect(far.floor).toBe(200);
  });

  test("has round ticks, of bytes those of 2", () => {
    expect(logTicks(10, 1_000_000, undefined)).toEqual([
      10, 100, 1_000, 10_000, 100_000, 1_000_000,
    ]);
    expect(logTicks(1, 100, undefined)).toEqual([1, 2, 5, 10, 20, 50, 100]);
    expect(logTicks(1_024, 4_096, "bytes")).toEqual([1_024, 2_048, 4_096]);
    expect(roundPower(700, undefined, "up")).toBe(1_000);
    expect(roundPower(700, undefined, "down")).toBe(500);
    expect(roundPower(1_000, undefined, "down")).toBe(1_000);
    expect(roundPower(1_500, "bytes", "up")).toBe(2_048);
  });
});

describe("chosen ends", () => {
  test("are the ends, and what lies beyond them is counted", () => {
    const { panel } = panelOf([5, 15, 25, 95], { min: 10, max: 50 });
    expect([panel.floor, panel.ceiling, panel.ticks]).toEqual([10, 50, [10, 20, 30, 40, 50]]);
    expect(panel.notes).toEqual(["1 value above 50", "1 value below 10"]);
  });

  test("an axis of bars or a stack that does not begin at 0 says so", () => {
    const { panel } = panelOf([15, 15, 25, 45], { min: 10 }, { isBars: true });
    expect(panel.notes).toEqual(["begins at 10, not at 0"]);
    expect(panel.bars[0]?.y).toBe(0);
  });

  test("one end beyond all values leaves an axis", () => {
    const { panel } = panelOf([1, 2, 3, 4], { min: 100 });
    expect(panel.ceiling).toBeGreaterThan(100);
    const below = panelOf([1, 2, 3, 4], { max: -5 }).panel;
    expect(below.floor).toBeLessThan(-5);
  });
});

describe("thresholds", () => {
  test("are within an automatic axis, and noted on a fixed one", () => {
    const { panel } = panelOf([1, 2, 3, 4], { thresholds: [-3, 20] });
    expect([panel.floor, panel.ceiling, panel.thresholds]).toEqual([-3, 20, [-3, 20]]);
    const fixed = panelOf([1, 2, 3, 4], { thresholds: [2, 20], max: 10 }).panel;
    expect([fixed.thresholds, fixed.notes]).toEqual([[2], ["threshold 20 is off the axis"]]);
    expect(panelOf([30, 40], { thresholds: [2], isLog: true }).panel.floor).toBe(2);
  });
});
