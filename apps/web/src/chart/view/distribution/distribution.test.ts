import { describe, expect, test } from "vitest";
import { inputOf, queryOf, resultOf, testTheme } from "../../testing/answers.js";
import { buildDistribution, type Distribution, drawnOf, marksOf } from "./build.js";
import { labelOfBins, shapeNear, shapeTip } from "./interact.js";
import { buildShapeOption, markLabels, type ShapeDrawing, shapePlot } from "./option.js";

const query = queryOf(["service", { bucket: "latency_us", edges: [10, 100, 1_000] }]);
const columns = ["group service", "bin latency_us", "count"];

function distributionOf(
  result = resultOf(columns, [
    ["web", 10, 6],
    ["web", 1_000, 2],
    ["<b>", 100, 90],
    [null, null, 4],
  ]),
): Distribution {
  const built = buildDistribution(inputOf(result), query);
  if (built === null) throw new Error("no distribution");
  return built;
}

const drawingOf = (distribution: Distribution, more: Partial<ShapeDrawing> = {}): ShapeDrawing => ({
  distribution,
  marks: new Map(),
  kind: "count",
  hues: [0, 1, 2],
  theme: testTheme,
  width: 600,
  height: 300,
  ceiling: null,
  streaming: false,
  ...more,
});

describe("distribution", () => {
  test("one shape per group, largest first; what is beyond the bounds has a bin; missing numbers are counted", () => {
    const { shapes, bins, missing } = distributionOf();
    expect(bins).toBe(3);
    expect(shapes.map(({ label, amounts }) => [label, amounts])).toEqual([
      ["<b>", [0, 90, 0]],
      ["web", [6, 0, 2]],
    ]);
    expect(missing).toBe(4);
  });
  test("ten thousand groups draw five", () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => [`g${i}`, 10, i]);
    const { shapes, hidden } = distributionOf(resultOf(columns, rows));
    expect([shapes.length, hidden, shapes[0]?.label]).toEqual([5, 9_995, "g9999"]);
  });
  test("counts, shares and sums of shares", () => {
    expect(drawnOf([6, 0, 2], "share")).toEqual([0.75, 0, 0.25]);
    expect(drawnOf([6, 0, 2], "cdf")).toEqual([0.75, 0.75, 1]);
    expect(drawnOf([0, 0], "cdf")).toEqual([0, 0]);
  });
  test("side B is dotted in the same hue", () => {
    const result = resultOf([...columns, "count.compare"], [["web", 10, 6, 9]]);
    const { option } = buildShapeOption(drawingOf(distributionOf(result)));
    const [main, base] = option.series as { id: string; lineStyle: object; data: unknown }[];
    expect(main).toMatchObject({ lineStyle: { color: "hue0" } });
    expect(base).toMatchObject({ lineStyle: { color: "hue0", type: "dotted" } });
    expect(base?.data).toContainEqual([1, 9]);
  });
  test("a single shape has whiskers where the answer has error bars, and all percentiles named", () => {
    const result = resultOf(columns, [["web", 10, 6]], { intervals: { count: [[4, 8]] } });
    const distribution = distributionOf(result);
    const marks = marksOf(
      resultOf(
        ["group service", "count", "p50_latency_us", "p95_latency_us.compare"],
        [["web", 6, 55, 1]],
      ),
      ["service"],
    );
    const { option } = buildShapeOption(drawingOf(distribution, { marks }));
    const [main, whiskers] = option.series as { id: string; data: unknown; markLine: unknown }[];
    expect(main?.markLine).toMatchObject({ data: [{ xAxis: 0.5, label: { formatter: "p50" } }] });
    expect(whiskers).toMatchObject({ id: "whiskers" });
    expect(whiskers?.data).toContainEqual([0.5, 8]);
  });
  test("the axis does not move while parts arrive", () => {
    const part = distributionOf(resultOf(columns, [["web", 10, 5]]));
    expect(buildShapeOption(drawingOf(part, { ceiling: 100, streaming: true })).ceiling).toBe(100);
    expect(buildShapeOption(drawingOf(part, { kind: "cdf" })).ceiling).toBe(1);
  });
  test("the nearest shape is touched; the tip has all of them with their shares", () => {
    const distribution = distributionOf();
    const plot = shapePlot(drawingOf(distribution));
    expect(
      shapeNear(distribution, plot, { bin: 1, y: plot.top, kind: "count", ceiling: 90 })?.label,
    ).toBe("<b>");
    expect(
      shapeNear(distribution, plot, {
        bin: 0,
        y: plot.top + plot.height,
        kind: "count",
        ceiling: 90,
      })?.label,
    ).toBe("<b>");
    const box = { fromColumn: 1, toColumn: 2, fromRow: 0, toRow: 0 };
    const tip = shapeTip(distribution, box, { theme: testTheme, hues: [0, 1], baseName: "IN" });
    expect(tip.title).toBe("latency_us from 100 µs");
    expect(labelOfBins(distribution, { ...box, toColumn: 1 })).toBe("latency_us 100 µs – 1 ms");
    expect(tip.rows.map(({ cells }) => cells)).toEqual([
      ["90", "100 %"],
      ["2", "25 %"],
    ]);
  });
  test("the axis contains whole whiskers; close marks have a common label", () => {
    const whiskers = distributionOf(
      resultOf(columns, [["web", 10, 5]], { intervals: { count: [[2, 31]] } }),
    );
    expect(buildShapeOption(drawingOf(whiskers)).ceiling).toBeGreaterThanOrEqual(31);
    const marks = [
      { name: "p50", at: 1 },
      { name: "p90", at: 5 },
      { name: "p95", at: 6 },
      { name: "p99", at: 6.5 },
    ];
    expect(markLabels(marks, 2).map(({ text }) => text)).toEqual(["p50", "p90–99", "", ""]);
  });
});
