import { describe, expect, test } from "vitest";
import { buildSeries, countMeasure } from "../series.js";
import { inputOf, resultOf, testTheme } from "../testing/answers.js";
import { levelOf, levelsOf, levelText, placeOf, statusGrid, statusTip } from "./build.js";

const columns = ["time", "group service", "count"];
const plain = resultOf(columns, [
  [0, "web", 10],
  [60_000, "web", 600],
  [0, "{a|<b>}", 200],
]);
const setOf = (result = plain) => {
  const input = inputOf(result, { toMs: 120_000 });
  return { input, set: buildSeries(input) };
};

describe("status history", () => {
  test("written bounds are good, to be watched and bad; the other way round where high is good", () => {
    const { set } = setOf();
    const levels = levelsOf(set, "100,500", false, testTheme);
    expect(levels.colors).toEqual([testTheme.good, testTheme.warn, testTheme.bad]);
    expect(levelsOf(set, "100,500", true, testTheme).colors[0]).toBe(testTheme.bad);
    expect([99, 100, 500].map((value) => levelOf(levels, value))).toEqual([0, 1, 2]);
    expect([0, 1, 2].map((level) => levelText(levels, level, countMeasure))).toEqual([
      "below 100",
      "100 – 500",
      "from 500",
    ]);
  });
  test("fifths of what is there; one value has one level", () => {
    const levels = levelsOf(setOf().set, "auto", false, testTheme);
    expect(levels.colors.length).toBe(levels.bounds.length + 1);
    const { set } = setOf(
      resultOf(columns, [
        [0, "web", 7],
        [60_000, "web", 7],
      ]),
    );
    expect(levelsOf(set, "auto", false, testTheme)).toMatchObject({ bounds: [] });
  });
  test("a row of cells per group; side B has a row of its own", () => {
    const { set, input } = setOf();
    const levels = levelsOf(set, "100,500", false, testTheme);
    const grid = statusGrid(set, input, levels, 800);
    expect([grid.rows, [...grid.cells]]).toEqual([2, [1, 3, 2, 1]]);
    expect(grid.yTicks.map(({ text }) => text)).toEqual(["web", "{a|<b>}"]);

    const both = setOf(resultOf([...columns, "count.compare"], [[0, "web", 10, 900]]));
    const compared = statusGrid(both.set, both.input, levels, 800);
    expect([compared.rows, compared.cells[0], compared.cells[compared.columns]]).toEqual([2, 1, 3]);
    const thin = { fromColumn: 0, toColumn: 0, fromRow: 1, toRow: 1 };
    expect(placeOf(both.set, both.input, thin)).toMatchObject({
      series: { label: "web" },
      range: { fromMs: 0, toMs: 60_000 },
    });
    const tip = statusTip(both.set, both.input, countMeasure, levels, thin);
    expect(tip?.rows[0]?.cells).toEqual(["10", "was 900", "−98.9 %"]);
    expect(tip?.note).toBe("below 100");
  });
});
