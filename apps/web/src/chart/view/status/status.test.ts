import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test, vi } from "vitest";
import { buildSeries, countMeasure } from "../../kit/answer/series.js";
import { createColorBook } from "../../kit/paint/color.js";
import { inputOf, queryOf, resultOf, testTheme } from "../../testing/answers.js";
import { p95 } from "../../testing/overTime.js";
import {
  boxOfGroup,
  levelOf,
  levelsOf,
  levelText,
  numberText,
  placeOf,
  statusGrid,
  statusTip,
} from "./build.js";
import { StatusView } from "./StatusView.js";

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
    const levels = levelsOf(set, "100,500", "low", testTheme);
    expect(levels.colors).toEqual([testTheme.good, testTheme.warn, testTheme.bad]);
    expect(levelsOf(set, "100,500", "high", testTheme).colors[0]).toBe(testTheme.bad);
    expect([99, 100, 500].map((value) => levelOf(levels, value))).toEqual([0, 1, 2]);
    expect([0, 1, 2].map((level) => levelText(levels, level, countMeasure))).toEqual([
      "below 100",
      "100 – 500",
      "from 500",
    ]);
  });
  test("fifths of the values; one value has one level", () => {
    const levels = levelsOf(setOf().set, "auto", "low", testTheme);
    expect(levels.colors.length).toBe(levels.bounds.length + 1);
    const { set } = setOf(
      resultOf(columns, [
        [0, "web", 7],
        [60_000, "web", 7],
      ]),
    );
    expect(levelsOf(set, "auto", "low", testTheme)).toMatchObject({ bounds: [] });
  });
  test("a row of cells per group; side B has a row of its own", () => {
    const { set, input } = setOf();
    const levels = levelsOf(set, "100,500", "low", testTheme);
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
    const tip = statusTip(
      { set: both.set, input: both.input, measure: countMeasure, levels },
      thin,
    );
    expect(tip?.rows[0]?.cells).toEqual(["10", "side B 900", "−98.9 %"]);
    expect(tip?.note).toBe("below 100");
  });
  test("for several cells the lowest and the highest number are shown, and a common level", () => {
    const { set, input } = setOf();
    const levels = levelsOf(set, "100,500", "low", testTheme);
    const box = { fromColumn: 0, toColumn: 1, fromRow: 0, toRow: 0 };
    const tip = statusTip({ set, input, measure: countMeasure, levels }, box);
    expect(tip?.rows[0]).toMatchObject({ color: "transparent", cells: ["10 – 600"] });
    expect(tip?.note).toBe("2 steps");
    expect(numberText(set.series[0]?.values[0] ?? [], box, countMeasure)).toBe("10 – 600");
    const low = levelsOf(set, "1000", "low", testTheme);
    expect(statusTip({ set, input, measure: countMeasure, levels: low }, box)?.note).toBe(
      "2 steps, below 1 k",
    );

    const both = setOf(
      resultOf(
        [...columns, "count.compare"],
        [
          [0, "web", 10, 900],
          [60_000, "web", 12, 700],
        ],
      ),
    );
    expect(
      statusTip({ set: both.set, input: both.input, measure: countMeasure, levels }, box)?.rows[0]
        ?.cells,
    ).toEqual(["10 – 12", "side B 700 – 900"]);
  });
  test("a drag that leaves the row of its group stays in it", () => {
    const cell = (column: number, row: number) => ({
      ...{ fromColumn: column, toColumn: column, fromRow: row, toRow: row },
    });
    expect(boxOfGroup(cell(3, 2), cell(1, 5))).toEqual({
      ...{ fromColumn: 1, toColumn: 3, fromRow: 2, toRow: 2 },
    });
  });
  test("rows of cells stand in the order of a number that is not drawn", () => {
    const answers = { web: [10, 5], cart: [5, 90] };
    const rows = Object.entries(answers).map(([service, numbers]) => [service, ...numbers]);
    const names = ["group service", "count", "p95_latency_us"];
    const overTime = rows.map((row) => [0, ...row]);
    const input = inputOf(resultOf(["time", ...names], overTime), {
      measures: [countMeasure, p95],
    });
    const view = createElement(StatusView, {
      ...{ input, query: queryOf(["service"]), extras: { totals: resultOf(names, rows) } },
      ...{
        extraQueries: { totals: queryOf(["service"]) },
        options: { levels: "auto", good: "low" },
      },
      ...{ rank: { by: p95.name, desc: true }, colors: createColorBook(), themeName: "light" },
      ...{ questionKey: "", part: null, whatChanged: neverAsked, onIntent: () => {} },
    });
    expect(onPage(() => renderToStaticMarkup(view))).toContain(
      "Status history of count: cart, web",
    );
  });
});

const neverAsked = (): never => {
  throw new Error("a status view asks nothing");
};

/** With as much of a page as a view reads before it is on one. */
function onPage<T>(run: () => T): T {
  const style = { color: "rgb(1, 2, 3)", fontFamily: "", getPropertyValue: () => "" };
  vi.stubGlobal("window", { innerWidth: 800 });
  vi.stubGlobal("getComputedStyle", () => style);
  vi.stubGlobal("document", {
    body: { append: () => {} },
    createElement: () => ({ style: { setProperty: () => {} }, remove: () => {} }),
  });
  try {
    return run();
  } finally {
    vi.unstubAllGlobals();
  }
}
