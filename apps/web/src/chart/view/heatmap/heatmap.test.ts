import { describe, expect, test } from "vitest";
import { countMeasure } from "../../kit/answer/series.js";
import { ceilingOf, isSkewed, isTwoSided, shareOf } from "../../kit/cells/amountCells.js";
import { inputOf, queryOf, resultOf, testTheme } from "../../testing/answers.js";
import { areaOf, buildHeat, heatGrid, heatTip } from "./build.js";

const minute = 60_000;
const query = queryOf([{ time: "1m" }, { bucket: "latency_us", edges: [10, 100, 1_000] }]);
const columns = ["time", "bin latency_us", "count"];
const plain = resultOf(columns, [
  [0, 10, 5],
  [0, 100, 1],
  [2 * minute, 100, 40],
  [minute, null, 3],
]);
const look = { theme: testTheme, timeZone: "UTC", name: "latency_us", width: 800 };

function heatOf(result = plain) {
  const input = inputOf(result, { toMs: 3 * minute });
  const heat = buildHeat(input, query, countMeasure);
  if (heat === null) throw new Error("no heat");
  return { input, heat };
}

describe("heatmap", () => {
  test("amounts by time and value, the highest values on top, gaps empty", () => {
    const { heat } = heatOf();
    expect(heat.amounts).toEqual([1, null, 40, 5, null, null]);
    expect(heat.times.startsMs).toEqual([0, minute, 2 * minute]);
    expect(heat.missing).toBe(3);
    expect(ceilingOf(heat)).toBe(40);
  });
  test("the most is strongest, nothing has no colour, and a logarithm lifts what is little", () => {
    const { heat } = heatOf();
    const grid = heatGrid(heat, { ...look, isLog: false, ceiling: 40 });
    expect(grid.cells[2]).toBe(grid.palette.length);
    expect([grid.cells[1], grid.cells[4]]).toEqual([0, 0]);
    expect(grid.cells[0]).toBe(2);
    expect(heatGrid(heat, { ...look, isLog: true, ceiling: 40 }).cells[0]).toBeGreaterThan(5);
    expect(shareOf(0, { ceiling: 0, isLog: true })).toBe(0);
    expect(isSkewed(heat, 40)).toBe(false);
    expect(isSkewed(heat, 4_000)).toBe(true);
  });
  test("amounts below 0 have the colours of the other side of it", () => {
    const below = resultOf(columns, [
      [0, 10, -40],
      [0, 100, 40],
      [2 * minute, 100, 0],
    ]);
    const { heat } = heatOf(below);
    const grid = heatGrid(heat, { ...look, isLog: false, ceiling: ceilingOf(heat) });
    const steps = grid.palette.length - 1;
    expect([...grid.cells]).toEqual([steps, 0, 0, 1, 0, 0]);
    expect([isTwoSided(heat), isTwoSided(heatOf().heat)]).toEqual([true, false]);
  });
  test("compared, cells have the colour of their difference, grey within the error bars", () => {
    const result = resultOf(
      [...columns, "count.compare", "count.delta"],
      [
        [0, 10, 5, 25, -20],
        [0, 100, 30, 10, 20],
        [minute, 100, 7, 6, 1],
        [minute, 10, null, 20, null],
      ],
      { intervals: { "count.delta": [[-25, -15], [15, 25], [-2, 4], null] } },
    );
    const { heat, input } = heatOf(result);
    const grid = heatGrid(heat, { ...look, isLog: false, ceiling: ceilingOf(heat) });
    const steps = grid.palette.length - 1;
    expect([...grid.cells]).toEqual([steps, steps + 1, 0, 1, 1, 0]);
    const tip = heatTip(
      heat,
      { fromColumn: 1, toColumn: 1, fromRow: 0, toRow: 0 },
      { input, measure: countMeasure, colorOf: () => "" },
    );
    expect(tip.note).toMatch(/error bars/);
    expect(tip.rows[0]?.cells).toEqual(["7", "side B 6", "+1", "+16.7 %"]);
  });
  test("a box has its times, its values and its amount", () => {
    const { heat, input } = heatOf();
    const area = areaOf(heat, { fromColumn: 0, toColumn: 2, fromRow: 0, toRow: 0 }, input);
    expect(area).toMatchObject({ amount: 41, bins: { from: 1, to: 1 } });
    expect(area.range).toEqual({ fromMs: 0, toMs: 3 * minute });
    expect(area.label).toContain("100 µs – 1 ms");
  });
  test("an answer to another question draws nothing", () => {
    expect(buildHeat(inputOf(plain), queryOf(["service"]), countMeasure)).toBeNull();
  });
});
