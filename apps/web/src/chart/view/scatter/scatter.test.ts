import { describe, expect, test } from "vitest";
import { inputOf, queryOf, resultOf, testTheme } from "../../testing/answers.js";
import {
  boxContent,
  buildScatter,
  dotsOf,
  scatterCeiling,
  scatterGrid,
  scatterTip,
} from "./build.js";

const query = queryOf([
  { bucket: "bytes", edges: [0, 10, 20], as: "bin of bytes" },
  { bucket: "latency_us", edges: [0, 100, 200], as: "bin of latency_us" },
  "service",
]);
const columns = ["bin bytes", "bin latency_us", "group service", "count"];

function scatterOf(
  result = resultOf(columns, [
    [0, 100, "web", 5],
    [0, 100, "api", 7],
    [10, 0, "web", 40],
    [null, 0, "web", 3],
  ]),
) {
  const scatter = buildScatter(inputOf(result), query);
  if (scatter === null) throw new Error("no scatter");
  return scatter;
}
const look = { theme: testTheme, hues: [0, 1], dots: [], width: 800, ceiling: 40 };

describe("scatter", () => {
  test("counts by both numbers, highest at the top; each cell has its largest group", () => {
    const scatter = scatterOf();
    expect([...scatter.counts]).toEqual([12, 0, 0, 40]);
    expect(scatter.groups.map(({ label }) => label)).toEqual(["web", "api"]);
    expect([...scatter.leader]).toEqual([1, -1, -1, 0]);
    expect(scatter.missing).toBe(3);
    const { cells, palette } = scatterGrid(scatter, look);
    expect(new Set(cells).size).toBe(3);
    expect([...cells].every((index) => index <= palette.length)).toBe(true);
    const tip = scatterTip(scatter, { fromColumn: 0, toColumn: 0, fromRow: 0, toRow: 0 }, () => "");
    expect(tip.note).toBe("mostly api");
  });
  test("a box is a range of both", () => {
    const box = { fromColumn: 0, toColumn: 1, fromRow: 0, toRow: 0 };
    expect(boxContent(scatterOf(), box)).toMatchObject({
      count: 12,
      label: "bytes 0 – 20, latency_us 100 µs – 200 µs",
      filters: [
        { column: "bytes", op: ">=", value: 0 },
        { column: "bytes", op: "<", value: 20 },
        { column: "latency_us", op: ">=", value: 100 },
        { column: "latency_us", op: "<", value: 200 },
      ],
    });
  });
  test("compared, cells have the colour of their difference", () => {
    const result = resultOf(
      ["bin bytes", "bin latency_us", "count", "count.compare"],
      [
        [0, 100, 5, 25],
        [10, 0, 30, 10],
      ],
    );
    const scatter = scatterOf(result);
    expect(scatterCeiling(scatter)).toBe(20);
    const { cells, palette } = scatterGrid(scatter, { ...look, ceiling: 20 });
    expect([cells[0], cells[3]]).toEqual([1, palette.length - 1]);
  });
  test("compared by groups, a cell's difference may be none where its groups' errors together hold 0", () => {
    const result = resultOf(
      ["bin bytes", "bin latency_us", "group service", "count", "count.compare"],
      [
        [0, 100, "web", 50, 40],
        [0, 100, "api", 30, 32],
        [10, 0, "web", 90, 10],
        [10, 0, "api", 5, 4],
      ],
      {
        intervals: {
          "count.delta": [
            [-5, 25],
            [-12, 8],
            [60, 100],
            [-1, 3],
          ],
        },
      },
    );
    const scatter = scatterOf(result);
    expect([...scatter.unsure]).toEqual([1, 0, 0, 0]);
    const { cells, palette } = scatterGrid(scatter, look);
    expect(cells[0]).toBe(palette.length);
    expect(cells[3]).not.toBe(palette.length);
  });
  test("few rows are dots in the hue of their group, over no cells", () => {
    const scatter = scatterOf();
    const rows = resultOf(
      ["bytes", "latency_us", "group service"],
      [
        [5, 150, "web"],
        [null, 1, "api"],
      ],
    );
    const dots = dotsOf(rows, scatter, (key) => key);
    expect(dots).toEqual([{ x: 0.5, y: 0.5, color: '["web"]' }]);
    expect(new Set(scatterGrid(scatter, { ...look, dots }).cells)).toEqual(new Set([0]));
  });
});
