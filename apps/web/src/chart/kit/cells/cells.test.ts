import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { queryOf, resultOf, testTheme } from "../../testing/answers.js";
import { amountRamp, changeRamp, rampIndex } from "../paint/shade.js";
import { createSvgContext } from "../svg/svgContext.js";
import { binColumnOf, binOfKey, filtersOfBins } from "./binColumn.js";
import {
  type BinScale,
  binCount,
  binTicks,
  boundsOf,
  edgeIndex,
  positionOf,
  rangeText,
} from "./binScale.js";
import { plotOf } from "./cellOption.js";
import { boxOf, type CellPlot, cellAt, rectOf, stepOf } from "./cellPlot.js";
import { drawCells } from "./paintCells.js";
import { timeCellTicks, timesOfCells } from "./timeCells.js";

const scale: BinScale = {
  column: "latency_us",
  edges: [10, 100, 1_000],
  hasBelow: true,
  hasAbove: true,
  measure: { unit: "us" },
};

describe("bins", () => {
  test.each([
    [9, -1],
    [10, 0],
    [99, 0],
    [1_000, 2],
    [5_000, 2],
  ])("the key %d lies at bound %d", (key, at) => {
    expect(edgeIndex(scale.edges, key)).toBe(at);
  });
  test("what is beyond the bounds has bins of its own", () => {
    expect(binCount(scale)).toBe(4);
    expect([0, 1, 3].map((bin) => boundsOf(scale, bin))).toEqual([
      { low: null, high: 10 },
      { low: 10, high: 100 },
      { low: 1_000, high: null },
    ]);
    expect(filtersOfBins(scale, 0, 1)).toEqual([{ column: "latency_us", op: "<", value: 100 }]);
    expect(filtersOfBins(scale, 0, 3)).toEqual([{ column: "latency_us", op: "is present" }]);
    expect(filtersOfBins(scale, 1, 2)).toEqual([
      { column: "latency_us", op: ">=", value: 10 },
      { column: "latency_us", op: "<", value: 1_000 },
    ]);
  });
  test("bounds beyond 2^53 are filtered by their digits", () => {
    const large = { ...scale, edges: [2e17, 4e17], hasBelow: false, hasAbove: false };
    expect(filtersOfBins(large, 0, 0)).toEqual([
      { column: "latency_us", op: ">=", value: "200000000000000000" },
      { column: "latency_us", op: "<", value: "400000000000000000" },
    ]);
  });
  test("neighbours beyond 2^53 have bins, labels and filters of their own", () => {
    const first = 2n ** 60n + 1n;
    const edges = [0n, 1n, 2n, 3n].map((step) => String(first + step));
    const query = queryOf([{ bucket: "id", edges, as: "bin of id" }]);
    const answer = resultOf(
      ["bin of id", "count"],
      [
        [first, 1],
        [first + 2n, 5],
      ],
    );
    const columns = answer.columns.map((column, i) => ({
      ...column,
      role: i === 0 ? ("group" as const) : column.role,
    }));
    const found = binColumnOf(query, { ...answer, columns });
    expect(found?.scale.edges).toEqual([0n, 1n, 2n, 3n].map((step) => first + step));
    if (found === null) throw new Error("there are no bins");
    expect([first, first + 2n].map((key) => binOfKey(found.scale, key))).toEqual([0, 2]);
    expect(filtersOfBins(found.scale, 1, 1)).toEqual([
      { column: "id", op: ">=", value: "1152921504606846978" },
      { column: "id", op: "<", value: "1152921504606846979" },
    ]);
    expect(rangeText({ low: first, high: first + 1n }, {})).toBe(
      "1 152 921 504 606 846 977".replaceAll(" ", "\u202f"),
    );
    expect(rangeText({ low: first, high: first + 9n }, {})).toBe(
      "1 152 921 504 606 846 977 – 1 152 921 504 606 846 986".replace(/(?<=\d) (?=\d)/g, "\u202f"),
    );
    expect(new Set(binTicks(found.scale, 4).map(({ text }) => text)).size).toBe(4);
    expect(positionOf(found.scale, first + 2n)).toBe(2);
    // Whole numbers are exact well below 2^53 too.
    expect(edgeIndex([1e15, 1e15 + 1, 1e15 + 2], 1e15)).toBe(0);
  });
  test("a number's place is between its bounds", () => {
    expect(positionOf(scale, 55)).toBe(1.5);
    expect(positionOf(scale, 3)).toBe(0.5);
    expect(positionOf(scale, 1e9)).toBe(3.5);
  });
  test("ranges read as people write them", () => {
    expect(rangeText({ low: 10, high: 1_000 }, { unit: "us" })).toBe("10 µs – 1 ms");
    expect(rangeText({ low: null, high: 10 }, {})).toBe("below 10");
    expect(rangeText({ low: 500, high: 501 }, {})).toBe("500");
  });
  test("labels are the roundest bounds that fit", () => {
    const edges = [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8, 10, 12.5, 16, 20];
    const plain = { ...scale, edges, hasBelow: false, measure: {} };
    expect(binTicks(plain, 6).map(({ text }) => text)).toEqual(["1", "2", "5", "10", "20"]);
    expect(binTicks(plain, 3).map(({ text }) => text)).toEqual(["1", "5", "10"]);
    const even = { ...plain, edges: [0, 10, 20, 30, 40, 50, 60] };
    expect(binTicks(even, 4).map(({ at, text }) => [at, text])).toEqual([
      [0, "0"],
      [2, "20"],
      [4, "40"],
      [6, "60"],
    ]);
  });
  test("the answer's keys say which bins there are: exact, beyond both ends, missing, beyond 2^53", () => {
    const query = queryOf([
      { bucket: "latency_us", edges: [10, 100, 1_000], as: "bin of latency_us" },
    ]);
    const rows = [
      [-9223372036854775808n, 1],
      [10, 5],
      [1_000, 2],
      [null, 7],
    ];
    const found = binColumnOf(query, resultOf(["bin latency_us", "count"], rows));
    expect(found?.scale).toEqual({ ...scale });
    expect(rows.map(([key]) => binOfKey(scale, key ?? null))).toEqual([0, 1, 3, null]);
    expect(binColumnOf(queryOf(["service"]), resultOf(["group service"], []))).toBeNull();
  });
});

describe("cells", () => {
  const plot: CellPlot = { left: 50, top: 10, width: 200, height: 100, columns: 20, rows: 5 };
  test("every pixel has its cell, and the cell covers the pixel", () => {
    const pixel = fc.record({
      x: fc.integer({ min: 50, max: 249 }),
      y: fc.integer({ min: 10, max: 109 }),
    });
    fc.assert(
      fc.property(pixel, ({ x, y }) => {
        const { left, top, width, height } = rectOf(plot, cellAt(plot, x, y));
        expect(x >= left && x < left + width && y >= top && y < top + height).toBe(true);
      }),
    );
  });
  test("a drag in any direction is a box; outside the cells it ends at the edge", () => {
    const box = boxOf(cellAt(plot, 245, 100), cellAt(plot, 0, 0));
    expect(box).toEqual({ fromColumn: 0, toColumn: 19, fromRow: 0, toRow: 4 });
  });
  test("arrow keys walk and stop at the ends", () => {
    const at = cellAt(plot, 50, 10);
    expect(stepOf(plot, at, "ArrowLeft")?.fromColumn).toBe(0);
    expect(stepOf(plot, at, "ArrowDown")?.fromRow).toBe(1);
    expect(stepOf(plot, at, "End")?.fromColumn).toBe(19);
    expect(stepOf(plot, at, "constructor")).toBeNull();
  });
  test("long names take at most two fifths of the width", () => {
    const grid = {
      ...{ columns: 2, rows: 1, cells: new Uint8Array(2), palette: [], xTicks: [] },
      ...{ yTicks: [{ at: 0, text: "x".repeat(300) }], yName: "", gapFromPx: 8 },
    };
    expect(plotOf({ grid, theme: testTheme, width: 400, height: 200 }).left).toBe(160);
  });
  test("thinned times are underlined, hatching is for missing leaves", () => {
    const grid = {
      ...{ columns: 2, rows: 1, cells: Uint8Array.of(1, 1), palette: ["#00ff00"], xTicks: [] },
      ...{ yTicks: [], yName: "", gapFromPx: 8, looks: ["thinned", null] as const },
    };
    const ruler = { font: "", measureText: () => ({ width: 6 }) as TextMetrics };
    const pen = createSvgContext(ruler);
    drawCells(pen, grid, { ...plot, columns: 2, rows: 1 }, testTheme);
    const svg = pen.print(200, 100);
    expect(svg).toContain(`<rect x="0" y="97" width="100" height="3" fill="${testTheme.edge}"`);
    expect(svg.indexOf(testTheme.edge)).toBeGreaterThan(svg.indexOf("#00ff00"));
    expect(svg).not.toContain(testTheme.hairline);
  });
  test("times of cells stay within the range that was asked for", () => {
    const times = { startsMs: [0, 60_000, 120_000], endMs: 180_000 };
    const range = { fromMs: 30_000, toMs: 150_000 };
    expect(timesOfCells(times, 0, 0, range)).toEqual({ fromMs: 30_000, toMs: 60_000 });
    expect(timesOfCells(times, 1, 2, range)).toEqual({ fromMs: 60_000, toMs: 150_000 });
    expect(timeCellTicks(times, 2, "UTC").map(({ at }) => at)).toEqual([0, 2]);
  });
});

describe("ramps", () => {
  test("from pale to strong, from less over neutral to more", () => {
    const ramp = amountRamp(testTheme, 5);
    expect(new Set(ramp).size).toBe(5);
    const change = changeRamp(testTheme, 5);
    expect([change[0], change[4]]).toEqual(["rgb(0, 0, 255)", "rgb(255, 136, 0)"]);
    expect([-1, 0, 0.5, 1, 7].map((share) => rampIndex(share, 5))).toEqual([0, 0, 2, 4, 4]);
  });
});
