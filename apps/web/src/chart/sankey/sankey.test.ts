import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countMeasure } from "../series.js";
import { inputOf, resultOf, testTheme } from "../testing/answers.js";
import { sizeOf } from "../wholeParts.js";
import { buildFlowOption, flowLabel, flowTooltip, labelledNodes, touchedFlow } from "./build.js";
import { buildFlow } from "./buildFlow.js";

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
    const flow = buildFlow(inputOf(resultOf(columns, rows)), countMeasure, 2, null);
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
    expect([flow.now, flow.negativeCount]).toEqual([95, 1]);
  });

  test("what the answer left out goes through the others of every stage", () => {
    const result = resultOf(columns, rows.slice(0, 2), { truncated: { groups: 9 } });
    const flow = buildFlow(inputOf(result), countMeasure, 5, { now: 100, was: 60 });
    expect(flow.links.at(-1)).toMatchObject({ now: 20, was: 10 });
    expect(flow.links.at(-1)?.from).toMatchObject({ label: "others", cell: null });
  });

  test("what only side B has is as wide as it was; labels have room or are none", () => {
    const flow = buildFlow(inputOf(resultOf(columns, rows)), countMeasure, 9, null);
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

  test("touches are told apart, and tooltips say both shares", () => {
    const flow = buildFlow(inputOf(resultOf(columns, rows)), countMeasure, 2, null);
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
        const flow = buildFlow(inputOf(resultOf(names, ways)), countMeasure, perStage, null);
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
    expect(flowLabel("recommendations", "303 k", 40)).toBe("recommendations  303 k");
    expect(flowLabel("recommendations", "303 k", 16)).toBe("reco…ions  303 k");
    expect(flowLabel("recommendations", "303 k", 10)).toBe("recom…ions");
    expect(flowLabel("web", "667 k", 10)).toBe("web  667 k");
  });
});
