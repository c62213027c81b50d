import { expect, test } from "vitest";
import { drawingOf, inputOf, minute, resultOf, rows, t0 } from "../../../testing/overTime.js";
import { bandOpacity, knownRuns } from "../draw/drawBands.js";
import { seriesAt } from "../point/interact.js";
import { timeTooltip } from "../point/tooltipContent.js";
import { drawnValue } from "./build.js";
import { fillOpacity, lonelyPoints, lookOf, panelLines } from "./panelLines.js";
import { buildTimePlot } from "./plot.js";
import { isInPanel, pixelOfTime, pixelOfValue, timeAt } from "./scale.js";

const cart = '["cart"]';

test("a bucket that is compared with a time of another length is shaded, and its change is grey", () => {
  const rows = [
    [t0, "cart", 10, 8, 900, 450],
    [t0 + 60_000, "cart", 10, 40, 900, 450],
  ];
  const compared = { ...resultOf(rows, { compared: true }), incomplete: [t0 + 60_000] };
  const drawing = drawingOf(inputOf(compared, true));
  expect(timeTooltip(drawing, 0, 0)).toMatchObject({
    rows: [{ cells: ["10", "8", "+25 %"] }],
    note: null,
  });
  expect(timeTooltip(drawing, 1, 0)).toMatchObject({
    rows: [{ cells: ["10", "40", { text: "−75 %", isQuiet: true }] }],
  });
  expect(buildTimePlot(drawing).covered).toEqual([
    {
      ...{ fromMs: t0 + 60_000, toMs: t0 + 120_000, look: "shaded" },
      cover: { share: 1, reason: "unlike" },
    },
  ]);
});

test("what was is drawn below what is, in the same hue", () => {
  const compared = resultOf([[t0, "cart", 10, 8, 900, 450]], { compared: true });
  const { panels } = buildTimePlot(drawingOf(inputOf(compared, true)));
  const drawn = panels.map((panel) => panelLines(panel).lines);
  expect(
    drawn.map((lines) => lines.map(({ line, points }) => [line?.side, line?.color, points[0]])),
  ).toEqual([
    [
      ["compare", "hue3", 8],
      ["main", "hue3", 10],
    ],
    [
      ["compare", "hue3", 450],
      ["main", "hue3", 900],
    ],
  ]);
});

test("a band lies between where a line may be at least and at most", () => {
  const result = { ...resultOf([[t0, "cart", 10, 900]]), intervals: { count: [[-5, 190]] } };
  const { panels } = buildTimePlot(drawingOf(inputOf(result as never)));
  const [counts, p95s] = panels.map(({ bands }) => bands);
  expect(counts?.map(({ low, high }) => [low[0], high[0]])).toEqual([[-5, 190]]);
  expect(p95s).toEqual([]);
  expect(panels[0]?.ceiling).toBe(200);
});

test("a band is filled where both of its edges are known, and pales with all else", () => {
  expect(knownRuns([null, 1, 2, null, 4], [9, 9, 9, 9, 9])).toEqual([
    [1, 3],
    [4, 5],
  ]);
  expect(knownRuns([1, 2, 3], [9, null, 9])).toEqual([
    [0, 1],
    [2, 3],
  ]);
  expect(knownRuns([], [])).toEqual([]);
  expect([bandOpacity(0.18, null), bandOpacity(0.18, cart), bandOpacity(0.02, cart)]).toEqual([
    0.18, 0.04, 0.02,
  ]);
});

test("only what adds up is stacked, each on those below it", () => {
  const { panels } = buildTimePlot(drawingOf(inputOf(resultOf(rows)), { stacked: true }));
  const big = Number(2n ** 60n);
  expect(panels.map(({ lines }) => lines.map(({ points }) => points))).toEqual([
    [
      [0, 10, 0, 30],
      [0, 10 + big, 0, 30],
    ],
    [
      [null, 900, null, 1100],
      [null, 5, null, null],
    ],
  ]);
  const [stack] = panels.map(panelLines);
  const edges = stack?.fills.map(({ upper, lower }) =>
    [upper, lower].map((at) => stack.lines[at]?.points[1]),
  );
  expect(edges).toEqual([
    [10, 0],
    [10 + big, 10],
  ]);
});

test("values below zero pile downwards and are filled from their base", () => {
  const input = inputOf(
    resultOf([
      [t0, "a", 4, 1],
      [t0, "b", -5, 2],
      [t0, "c", -1, 2],
    ]),
  );
  const [panel] = buildTimePlot(drawingOf(input, { stacked: true })).panels;
  expect(panel?.lines.map(({ points, area }) => [area?.base[0], points[0]])).toEqual([
    [0, 4],
    [0, -5],
    [-5, -6],
  ]);
  if (panel === undefined) throw new Error("there is no panel");
  const { lines, fills } = panelLines(panel);
  const spans = fills.map(({ upper, lower }) => [lines[upper]?.points[0], lines[lower]?.points[0]]);
  expect(spans).toEqual([
    [4, 0],
    [-5, 0],
    [0, -5],
    [-6, -5],
    [-5, -6],
  ]);
});

test("the axis of a stack contains the sums on both sides of zero, and each band can be pointed at", () => {
  const input = inputOf(
    resultOf([
      [t0, "a", 40, 1],
      [t0, "b", -30, 2],
      [t0, "c", 50, 2],
      [t0, "d", -60, 2],
    ]),
  );
  const plot = buildTimePlot(drawingOf(input, { stacked: true }));
  const [panel] = plot.panels;
  if (panel === undefined) throw new Error("there is no panel");
  expect([panel.floor, panel.ceiling]).toEqual([-100, 100]);
  expect([0, 1, 2, 3].map((s) => drawnValue(plot.drawing, s, 0, 0))).toEqual([40, -30, 90, -90]);
  const x = pixelOfTime(plot, t0);
  const touched = [20, 60, -20, -60].map(
    (value) => seriesAt(plot, x, pixelOfValue(panel, value))?.seriesIndex,
  );
  expect(touched).toEqual([0, 2, 1, 3]);
});

test("side B is within the axis of a stack too", () => {
  const compared = resultOf(
    [
      [t0, "a", 1, -30, 1, 1],
      [t0, "b", 1, -60, 1, 1],
    ],
    { compared: true },
  );
  const [panel] = buildTimePlot(drawingOf(inputOf(compared, true), { stacked: true })).panels;
  expect(panel?.floor).toBe(-100);
});

test("an axis of shares contains all stacked shares, also where groups overlap or some are below zero", () => {
  const stackOf = (shares: readonly number[], final = true) => {
    const points = shares.map((share, i) => [t0, `group ${i}`, share, 1]);
    const input = inputOf(resultOf(points, { final }));
    return buildTimePlot(drawingOf(input, { stacked: true, shares: true })).panels[0];
  };
  expect(stackOf([60, 40.0000001])?.ceiling).toBe(100);
  expect(stackOf([3, 2])?.ceiling).toBe(100);
  // Half of the rows have shares as large as all have.
  expect(stackOf([60, 30], false)?.ceiling).toBe(100);
  const overlapping = stackOf([60, 90, 80]);
  expect([overlapping?.floor, overlapping?.ceiling, overlapping?.ticks[1]]).toEqual([0, 250, 50]);
  const mixed = stackOf([150, -50]);
  expect([mixed?.floor, mixed?.ceiling]).toEqual([-50, 150]);
});

test("shares are written as percentages, amounts in full", () => {
  const compared = resultOf([[t0, "a", 55.8233950774, 12.3456789, 81_234, 1]], { compared: true });
  const drawing = drawingOf(inputOf(compared, true), { stacked: true, shares: true });
  expect(timeTooltip(drawing, 0, 0).rows[0]?.cells.slice(0, 2)).toEqual(["56 %", "12 %"]);
  // What does not add up is no share.
  expect(timeTooltip(drawing, 0, 1).rows[0]?.cells[0]).toBe("81\u202f234 µs");
});

test("a point that has no neighbours is a dot", () => {
  expect(lonelyPoints([1, null, 2, 3, null, 4])).toEqual([0, 5]);
  expect(lonelyPoints([1, 2, 3])).toEqual([]);
});

test("what the reader points at stands out of what pales", () => {
  const result = resultOf([
    [t0, "cart", 1, 1],
    [t0, "web", 2, 2],
  ]);
  const [panel] = buildTimePlot(drawingOf(inputOf(result), { stacked: true })).panels;
  if (panel === undefined) throw new Error("there is no panel");
  const looks = (key: string | null) => panel.lines.map((line) => Object.values(lookOf(line, key)));
  expect(looks(null)).toEqual([
    [1, 1.6],
    [1, 1.6],
  ]);
  expect(looks(cart)).toEqual([
    [1, 2.4],
    [0.15, 1.6],
  ]);
  expect(panelLines(panel).fills.map((fill) => fillOpacity(fill, cart))).toEqual([0.5, 0.08]);
});

test("pixels are where the numbers are", () => {
  const plot = buildTimePlot(drawingOf(inputOf(resultOf([[t0 + minute, "cart", 50, 1]]))));
  const [panel] = plot.panels;
  if (panel === undefined) throw new Error("there is no panel");
  const { floor, ceiling, ticks, top, height } = panel;
  expect([floor, ceiling, ticks]).toEqual([0, 50, [0, 10, 20, 30, 40, 50]]);
  expect([0, 25, 50].map((value) => pixelOfValue(panel, value))).toEqual([
    top + height,
    top + height / 2,
    top,
  ]);
  for (const timeMs of [t0, t0 + minute, t0 + 4 * minute]) {
    expect(timeAt(plot, pixelOfTime(plot, timeMs))).toBe(timeMs);
  }
  expect([timeAt(plot, -50), timeAt(plot, 5_000)]).toEqual([t0, t0 + 4 * minute]);
  const x = pixelOfTime(plot, t0 + minute);
  expect(seriesAt(plot, x, pixelOfValue(panel, 48))).toEqual({
    seriesIndex: 0,
    measureIndex: 0,
    at: 1,
  });
  expect(seriesAt(plot, x, pixelOfValue(panel, 25))).toBe(null);
  expect([isInPanel(plot, x, top), isInPanel(plot, x, top - 1), isInPanel(plot, 10, top)]).toEqual([
    true,
    false,
    false,
  ]);
});
