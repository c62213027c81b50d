import { TreemapChart } from "echarts/charts";
import { use } from "echarts/core";
import { LabelLayout } from "echarts/features";
import { describe, expect, test } from "vitest";
import { countMeasure } from "../../kit/answer/series.js";
import type { Whole } from "../../kit/answer/whole.js";
import { svgOfOption } from "../../kit/svg/svgOfChart.js";
import { inputOf, resultOf, testTheme } from "../../testing/answers.js";
import { areaLabel, buildTreeOption, nodeTooltip } from "./build.js";
import { buildTree, drawnSize, type TreeNode } from "./buildTree.js";

const columns = ["group service", "group device", "count", "count.compare"];
const rows = [
  ["web", "phone", 50, 25],
  ["web", "tablet", 10, 10],
  ["cart", "phone", 20, 40],
  ["cart", null, 5, 0],
  ["odd", "phone", -3, 0],
] as const;
const lines = (nodes: readonly TreeNode[], indent = ""): string[] =>
  nodes.flatMap((node) => [
    `${indent}${node.label} ${node.now}/${node.was}`,
    ...lines(node.children, `${indent} `),
  ]);

describe("areas", () => {
  test("lie within each other and add up; the rest is one, below 0 none", () => {
    const input = inputOf(resultOf(columns, rows, { truncated: { groups: 2 } }));
    const tree = buildTree(input, countMeasure, { now: 100, was: 80 });
    expect(lines(tree.roots)).toEqual([
      "web 60/35",
      " phone 50/25",
      " tablet 10/10",
      "cart 25/40",
      " phone 20/40",
      " (missing) 5/0",
      "2 smaller groups 15/5",
    ]);
    expect([tree.whole, tree.negativeCount]).toEqual([{ now: 100, was: 80 }, 1]);
  });

  test("what only side B has is as large as it was, and areas hold their parts", () => {
    const gone = rows.map((row, i) => (i === 0 ? ["web", "phone", 0, 25] : row));
    const tree = buildTree(inputOf(resultOf(columns, gone)), countMeasure, null);
    expect(tree.roots.map((root) => [root.label, root.now, drawnSize(root)])).toEqual([
      ["web", 10, 35],
      ["cart", 25, 25],
    ]);
    expect(tree.roots[0]?.children.map(drawnSize)).toEqual([25, 10]);
  });

  test("a difference within the errors of its parts is not coloured", () => {
    const intervals = { "count.delta": [[-40, 90], [-1, 1], [-22, -18], [4, 6], null] } as const;
    const input = inputOf(resultOf(columns, rows, { intervals }));
    const tree = buildTree(input, countMeasure, null);
    expect(tree.roots.map(({ label, unsure }) => [label, unsure])).toEqual([
      ["web", true],
      ["cart", false],
    ]);
    const drawing = {
      tree,
      measure: countMeasure,
      compared: true,
      hues: [0, 1],
      theme: { ...testTheme, series: ["#1f78c1", "#d9730d"] },
      sunburst: false,
    };
    const [series] = buildTreeOption(drawing, 90_000).series as {
      data: { itemStyle: { color: string } }[];
    }[];
    const [web, cart] = series?.data.map(({ itemStyle }) => itemStyle.color) ?? [];
    // Grey has its three parts alike.
    expect(new Set(web?.match(/\d+/g)).size).toBe(1);
    expect(new Set(cart?.match(/\d+/g)).size).toBeGreaterThan(1);
    const [first] = tree.roots;
    expect(first && nodeTooltip(first, drawing).note).toBe(
      "the difference is within the error bars",
    );
  });

  test("where groups overlap, shares are of the whole or are left out, and nothing is the rest", () => {
    const input = inputOf(
      resultOf(
        ["group service", "group tags", "count"],
        [
          ["web", "a", 60],
          ["web", "b", 50],
        ],
        { truncated: { groups: 3 } },
      ),
    );
    const tipsOf = (whole: Whole | null) => {
      const tree = buildTree(input, countMeasure, whole, new Set(["tags"]));
      const drawing = { tree, measure: countMeasure, compared: false, hues: [0], theme: testTheme };
      return tree.roots
        .flatMap((root) => [root, ...root.children])
        .map((node) => nodeTooltip(node, { ...drawing, sunburst: false }))
        .map(({ rows: [row], note }) => [row?.cells[1], note]);
    };
    const web = ["", "a row counts in each of its elements"];
    expect(tipsOf({ now: 200, was: null })).toEqual([web, ["30 %", null], ["25 %", null]]);
    expect(tipsOf(null)).toEqual([web, ["", null], ["", null]]);
  });

  test("a name may be cut, a number never: where it has no room it is left out", () => {
    use([TreemapChart, LabelLayout]);
    const counts = [900_000, 123_456, 88_888, 21_444, 15_555, 14_333, 12_777, 11_666];
    const services = counts.map((count, i) => [`service-${i} {number|x}`, count]);
    const input = inputOf(resultOf(["group service", "count"], services));
    const tree = buildTree(input, countMeasure, null);
    const hues = counts.map(() => 0);
    const theme = { ...testTheme, series: ["#1f78c1"] };
    const drawing = { tree, hues, theme, measure: countMeasure, compared: false, sunburst: false };
    const drawn = new Set<string>();
    for (const width of [200, 300, 500, 900]) {
      const svg = svgOfOption(buildTreeOption(drawing, width * 200), { width, height: 200 });
      for (const [, text = ""] of svg.matchAll(/<text[^>]*>([^<]*)</g)) drawn.add(text);
    }
    const numbers = [...drawn].filter((text) => /^\d/.test(text));
    expect(numbers).toContain("900 k");
    expect(numbers.filter((text) => !/^\d+(\.\d)? k$/.test(text))).toEqual([]);
    expect([...drawn].some((text) => text.endsWith("…"))).toBe(true);
    expect([...drawn].some((text) => text.startsWith("service-0 {"))).toBe(true);
  });

  test("an area too small for letters has none", () => {
    expect(areaLabel("Windows", "141 k", 20_000)).toBe("Windows\n{number|141 k}");
    expect(areaLabel("Xiaomi", "16.2 k", 500)).toBe("");
  });
});
