import { setPlatformAPI } from "echarts/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countMeasure } from "../../kit/answer/series.js";
import type { Whole } from "../../kit/answer/whole.js";
import { sizeOf } from "../../kit/answer/wholeParts.js";
import { inputOf, resultOf, testTheme } from "../../testing/answers.js";
import {
  buildFlowOption,
  flowLabel,
  flowTooltip,
  labelledNodes,
  rightMargin,
  touchedFlow,
} from "./build.js";
import { buildFlow, type FlowLink, type FlowNode } from "./buildFlow.js";

const columns = ["group device", "group service", "count", "count.compare"];
const rows = [
  ["phone", "web", 50, 20],
  ["phone", "cart", 30, 30],
  ["tablet", "web", 10, 20],
  ["tv", "web", 4, 0],
  [null, "cart", 1, 0],
  ["watch", "cart", -2, 0],
] as const;

describe("a flow", () => {
  test("beyond the largest of a stage all others are one", () => {
    const flow = buildFlow(inputOf(resultOf(columns, rows)), countMeasure, {
      perStage: 2,
      whole: null,
    });
    expect(flow.nodes.map(({ stage, label, now }) => [stage, label, now])).toEqual([
      [0, "phone", 80],
      [0, "tablet", 10],
      [0, "2 others", 5],
      [1, "web", 64],
      [1, "cart", 31],
    ]);
    expect(flow.links.map(({ from, to, now, was }) => [from.label, to.label, now, was])).toEqual([
      ["phone", "web", 50, 20],
      ["phone", "cart", 30, 30],
      ["tablet", "web", 10, 20],
      ["2 others", "web", 4, 0],
      ["2 others", "cart", 1, 0],
    ]);
    expect([flow.whole, flow.negativeCount]).toEqual([{ now: 95, was: 70 }, 1]);
  });

  test("what the answer left out goes through the others of every stage", () => {
    const result = resultOf(columns, rows.slice(0, 2), { truncated: { groups: 9 } });
    const flow = buildFlow(inputOf(result), countMeasure, {
      perStage: 5,
      whole: { now: 100, was: 60 },
    });
    expect(flow.links.at(-1)).toMatchObject({ now: 20, was: 10 });
    expect(flow.links.at(-1)?.from).toMatchObject({ label: "others", cell: null });
  });

  test("what only side B has is as wide as it was; labels have room or are none", () => {
    const flow = buildFlow(inputOf(resultOf(columns, rows)), countMeasure, {
      perStage: 9,
      whole: null,
    });
    const gone = flow.links.map((link, i) => (i === 0 ? { ...link, now: 0 } : link));
    expect(gone.map(sizeOf)).toEqual([20, ...flow.links.slice(1).map(({ now }) => now)]);
    const all = labelledNodes(flow, 2_000);
    expect(all.size).toBe(flow.nodes.length);
    const few = labelledNodes(flow, 60);
    expect(few.size).toBeLessThan(all.size);
    // The largest of every stage keeps its name.
    for (const stage of [0, 1]) {
      const largest = flow.nodes.filter((node) => node.stage === stage)[0];
      expect(few.has(largest?.id ?? "")).toBe(true);
    }
  });

  test("clicks on nodes and links are distinguished, and tooltips show both shares", () => {
    const flow = buildFlow(inputOf(resultOf(columns, rows)), countMeasure, {
      perStage: 2,
      whole: null,
    });
    expect(touchedFlow({ dataType: "node", dataIndex: 3 }, flow)).toBe(flow.nodes[3]);
    const link = touchedFlow({ dataType: "edge", dataIndex: 0 }, flow);
    expect(link).toBe(flow.links[0]);
    const drawing = {
      flow,
      measure: countMeasure,
      compared: true,
      hueOf: () => 0,
      theme: { ...testTheme, series: ["#1f78c1"] },
    };
    expect(link && flowTooltip(link, drawing).note).toBe("63 % of phone, 78 % of web");
    const [series] = buildFlowOption(drawing, 800, 200).series as {
      links: unknown[];
      data: { label: { show: boolean } }[];
    }[];
    expect(series?.links).toHaveLength(5);
    // 5 of 95 is too low for a line of text.
    expect(series?.data.map(({ label }) => label.show)).toEqual([true, true, true, true, true]);
    const [low] = buildFlowOption(drawing, 800, 120).series as (typeof series)[];
    expect(low?.data.map(({ label }) => label.show)).toEqual([true, true, false, true, true]);
  });

  test("nothing is lost on the way, whatever the names", () => {
    const name = fc.constantFrom("a", "b", "c", "d", "__proto__", "0:1", "", "others", null);
    const way = fc.tuple(name, name, name, fc.integer({ min: 0, max: 100 }));
    const list = fc.uniqueArray(way, { selector: (w) => JSON.stringify(w.slice(0, 3)) });
    fc.assert(
      fc.property(list, fc.integer({ min: 1, max: 4 }), (ways, perStage) => {
        const names = ["group a", "group b", "group c", "count"];
        const flow = buildFlow(inputOf(resultOf(names, ways)), countMeasure, {
          perStage,
          whole: null,
        });
        const all = ways.reduce((sum, [, , , count]) => sum + count, 0);
        for (const stage of [0, 1, 2]) {
          const nodes = flow.nodes.filter((node) => node.stage === stage);
          expect(nodes.reduce((sum, { now }) => sum + now, 0)).toBe(all);
          expect(nodes.length).toBeLessThanOrEqual(perStage + 1);
        }
        expect(new Set(flow.nodes.map(({ id }) => id)).size).toBe(flow.nodes.length);
        const first = flow.links.filter(({ from }) => from.stage === 0);
        expect(first.reduce((sum, { now }) => sum + now, 0)).toBe(all);
      }),
    );
  });

  test("a label ends where the next stage begins: the number stays whole or goes", () => {
    const widthOf = (text: string) => 8 * [...text].length;
    const label = (name: string, number: string, chars: number) =>
      flowLabel(name, number, 8 * chars, widthOf);
    expect(label("recommendations", "303 k", 40)).toBe("recommendations  303 k");
    expect(label("recommendations", "303 k", 16)).toBe("reco…ions  303 k");
    expect(label("recommendations", "303 k", 10)).toBe("recom…ions");
    expect(label("web", "667 k", 10)).toBe("web  667 k");
  });

  test("labels of the last stage end within the chart, however wide digits are", () => {
    setPlatformAPI({ measureText: (text: string) => ({ width: 8 * text.length }) });
    const wide = rows.map((row) => [row[0], "recommendations", 123_456, 0]);
    const flow = buildFlow(inputOf(resultOf(columns, wide)), countMeasure, {
      perStage: 9,
      whole: null,
    });
    const theme = { ...testTheme, series: ["#1f78c1"], font: "wide" };
    const drawing = { flow, measure: countMeasure, compared: false, hueOf: () => 0, theme };
    const [series] = buildFlowOption(drawing, 800, 400).series as {
      label: { formatter: (params: { dataIndex: number }) => string };
    }[];
    const last = flow.nodes.findIndex(({ stage }) => stage === 1);
    const text = series?.label.formatter({ dataIndex: last }) ?? "";
    expect(text).toMatch(/^r.*….* {2}741 k$/);
    expect(8 * text.length + 5).toBeLessThanOrEqual(rightMargin(800));
  });

  test("where groups overlap, shares are of the whole or are left out", () => {
    const input = inputOf(
      resultOf(
        ["group service", "group tags", "count"],
        [
          ["web", "a", 60],
          ["web", "b", 50],
          ["cart", "a", 20],
        ],
      ),
    );
    const tipsOf = (whole: Whole | null) => {
      const flow = buildFlow(input, countMeasure, {
        perStage: 5,
        whole,
        overlapping: new Set(["tags"]),
      });
      const drawing = { flow, measure: countMeasure, compared: false, hueOf: () => 0 };
      const tip = (one: FlowNode | FlowLink | undefined) => {
        const content = one && flowTooltip(one, { ...drawing, theme: testTheme });
        return [content?.rows[0]?.cells[1], content?.note];
      };
      const tagged = flow.nodes.find(({ label }) => label === "a");
      return [tip(flow.nodes[0]), tip(tagged), tip(flow.links[0])];
    };
    // Of 100 rows 80 have a; how many rows of web there are is not what its elements add up to.
    const web = ["", "a row counts in each of its elements"];
    expect(tipsOf({ now: 100, was: null })).toEqual([
      web,
      ["80 % of all", null],
      ["60 % of all", "75 % of a"],
    ]);
    expect(tipsOf(null)).toEqual([web, ["", null], ["", "75 % of a"]]);
  });
});
