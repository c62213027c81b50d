import { describe, expect, test } from "vitest";
import { drawingOf, inputOf, minute, resultOf, t0 } from "../../../testing/overTime.js";
import { buildSeries } from "../../answer/series.js";
import { readLineOptions } from "../../legend/lineOptions.js";
import { timeTooltip } from "../point/tooltipContent.js";
import { chosenLines } from "./drawnLines.js";
import { lookOf } from "./panelLines.js";
import { buildTimePlot } from "./plot.js";
import { drawnSides } from "./sides.js";

const services = ["a", "b", "c", "d", "e"];
const inputOfRows = (rows: readonly (readonly unknown[])[], more = {}) => {
  const input = inputOf({ ...resultOf(rows as never, { compared: true }), ...more } as never, true);
  const named = { ownName: "now", baseName: "1 week earlier" };
  return { ...input, measures: input.measures.map((measure) => ({ ...measure, ...named })) };
};
const chosenOf = (input: ReturnType<typeof inputOfRows>, options = {}) => {
  const set = buildSeries(input);
  const hues = set.series.map((_, at) => at);
  return chosenLines({ input, set, hues }, readLineOptions(options), "chosen");
};
const plotOf = (chosen: ReturnType<typeof chosenOf>) => {
  const { options, lineCount: _, ...lines } = chosen;
  return buildTimePlot(drawingOf(lines.input, { ...lines, ...options }));
};

describe("two sides", () => {
  test("of few lines are drawn each, of many as their difference", () => {
    expect(drawnSides("auto", { compared: true, lineCount: 4 })).toBe("overlay");
    expect(drawnSides("auto", { compared: true, lineCount: 5 })).toBe("difference");
    expect(drawnSides("overlay", { compared: true, lineCount: 5 })).toBe("overlay");
    expect(drawnSides("ratio", { compared: true, lineCount: 1 })).toBe("ratio");
    expect(drawnSides("ratio", { compared: false, lineCount: 9 })).toBe("none");
  });

  test("the difference is named by both sides; a side that is missing is a gap, no 0", () => {
    const input = inputOfRows([
      [t0, "a", 10, 4, 900, null],
      [t0 + minute, "a", 3, 8, 500, 700],
    ]);
    const { set, input: drawn } = chosenOf(input, { versus: "difference" });
    expect(drawn.measures.map(({ name, label }) => [name, label])).toEqual([
      ["count.difference", "count: now − 1 week earlier"],
      ["p95_latency_us.difference", "p95 latency_us: now − 1 week earlier"],
    ]);
    expect(set.series[0]?.values).toEqual([
      [6, -5, 0, 0],
      [null, -200, null, null],
    ]);
    expect(set.series[0]?.compare).toBeNull();
  });

  test("a ratio to 0 is a gap, and the panel says how many", () => {
    const input = inputOfRows([
      [t0, "a", 10, 4, 900, 300],
      [t0 + minute, "a", 3, 0, 1, 1],
    ]);
    const chosen = chosenOf(input, { versus: "ratio" });
    expect(chosen.set.series[0]?.values[0]).toEqual([2.5, null, null, null]);
    const [panel] = plotOf(chosen).panels;
    expect([panel?.same, panel?.notes]).toEqual([1, ["3 ratios to 0 are gaps"]]);
    expect(timeTooltip(plotOf(chosen).drawing, 0, 0)).toMatchObject({
      heads: ["count: now ÷ 1 week earlier", "now", "1 week earlier", "Δ %"],
      rows: [{ cells: ["2.5×", "10", "4", "+150 %"] }],
    });
  });

  test("a difference within its error bars is grey, behind those that are none", () => {
    const rows = [
      [t0, "a", 10, 8, 1, 1],
      [t0 + minute, "a", 90, 10, 1, 1],
      [t0 + 2 * minute, "a", 95, 10, 1, 1],
    ];
    const intervals = {
      "count.delta": [
        [-2, 6],
        [70, 90],
        [70, 95],
      ],
    };
    const chosen = chosenOf(inputOfRows(rows, { intervals }), { versus: "difference" });
    const [panel] = plotOf(chosen).panels;
    expect(panel?.lines.map(({ color, points }) => [color, points])).toEqual([
      ["hue0", [null, 80, 85, 0]],
      ["#606060", [2, 80, null, null]],
    ]);
    expect(panel?.bands[0]?.low.slice(0, 3)).toEqual([-2, 70, 70]);
    expect(panel?.floor).toBe(-2);
    const [cell] = timeTooltip(plotOf(chosen).drawing, 0, 0).rows[0]?.cells ?? [];
    expect(cell).toEqual({ text: "2", isQuiet: true });
  });

  test("in an overlay of many the dotted side is of the line in focus, or of the one alone", () => {
    const input = inputOfRows(services.map((service) => [t0, service, 10, 4, 1, 1]));
    const dotted = (options: object, focusedKey: string | null) =>
      plotOf(chosenOf(input, { versus: "overlay", ...options }))
        .panels[0]?.lines.filter(({ side }) => side === "compare")
        .filter((line) => lookOf(line, focusedKey).opacity > 0)
        .map(({ key }) => key);
    expect(dotted({}, null)).toEqual([]);
    expect(dotted({}, '["b"]')).toEqual(['["b"]']);
    expect(dotted({ lines: 'only ["[\\"c\\"]"]' }, null)).toEqual(['["c"]']);
  });

  test("a stack of many has one dotted line: the whole of side B", () => {
    const input = inputOfRows(services.map((service) => [t0, service, 10, 4, 1, 1]));
    const set = buildSeries(input);
    const lines = chosenLines(
      { input, set, hues: [0, 1, 2, 3, 4] },
      readLineOptions({}),
      "overlaid",
    );
    const { options, lineCount: _, ...drawn } = lines;
    const [panel] = buildTimePlot(
      drawingOf(lines.input, { ...drawn, ...options, stacked: true }),
    ).panels;
    const dotted = panel?.lines.filter(({ side }) => side === "compare");
    expect(dotted?.map(({ color, points }) => [color, points[0]])).toEqual([["#101010", 20]]);
  });

  test("lines that are hidden leave the others their hues, and the count of all", () => {
    const input = inputOfRows(services.map((service) => [t0, service, 10, 4, 1, 1]));
    const chosen = chosenOf(input, { lines: 'hide ["[\\"b\\"]","[\\"c\\"]"]' });
    expect([chosen.hues, chosen.lineCount]).toEqual([[0, 3, 4], 5]);
    expect(chosen.set.series.map(({ label }) => label)).toEqual(["a", "d", "e"]);
    // Hiding lines does not turn a difference into something else.
    expect(chosen.sides).toBe("difference");
  });

  test("a ratio is one of averages", () => {
    const input = inputOfRows([
      [t0, "a", 10, 1, 1, 1],
      [t0 + minute, "a", 20, 9, 1, 1],
    ]);
    const { set, input: drawn } = chosenOf(input, { versus: "ratio", average: "2" });
    expect(set.series[0]?.values[0]?.slice(0, 2)).toEqual([null, 3]);
    expect(drawn.measures[0]?.label).toBe("count, average of 2: now ÷ 1 week earlier");
  });
});
