import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resultOf } from "../../testing/answers.js";
import { buildTimeline, groupOfSpan, placeOf, sinceFirst, timesOfSpan } from "./build.js";

const columns = { key: "id", lane: "service", length: "took_us", color: "service", isEnd: false };
const of = (rows: (number | string | null | readonly string[])[][], more = {}) =>
  buildTimeline(resultOf(["time", "group service", "took_us"], rows), { ...columns, ...more });

describe("timeline", () => {
  test("lanes in the order of their first rows, rows as wide as their duration", () => {
    const timeline = of([
      [1_000, "web", 500_000],
      [1_100, "db", 200_000],
      [1_200, null, null],
    ]);
    expect(timeline.lanes.map(({ label }) => label)).toEqual(["web", "db", "(missing)"]);
    expect(timeline.spans.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [1_000, 1_500],
      [1_100, 1_300],
      [1_200, 1_200],
    ]);
    const [first, second] = timeline.spans;
    if (first === undefined || second === undefined) throw new Error("no spans");
    expect(sinceFirst(timeline, second)).toBe("+100 ms");
    expect(placeOf(timeline, first).width).toBeGreaterThan(90);
  });
  test("time may be the end; what is negative took nothing", () => {
    const [first] = of([[1_000, "web", 500_000]], { isEnd: true }).spans;
    expect([first?.startMs, first?.endMs]).toEqual([500, 1_000]);
    const [odd] = of([[1_000, "web", -5]]).spans;
    expect(odd?.endMs).toBe(1_000);
  });
  test("no two rows of a line overlap while lines are free", () => {
    const rows = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: 300 })),
      {
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(rows, (drafts) => {
        const timeline = of(drafts.map(([time, took]) => [time, "web", took * 1_000]));
        const spans = timeline.lanes[0]?.spans ?? [];
        expect(spans.length).toBe(drafts.length);
        for (const a of spans) {
          for (const b of spans) {
            if (a.row >= b.row || a.line !== b.line) continue;
            expect(a.endMs <= b.startMs || b.endMs <= a.startMs).toBe(true);
          }
        }
      }),
    );
  });
  test("lists that read alike have lanes of their own, and a mark that is a list", () => {
    const { lanes, spans } = of([
      [1, ["a b"], 1],
      [2, ["a", "b"], 1],
      [3, '["a b"]', 1],
      [4, ["a b"], 1],
    ]);
    expect(lanes.map(({ label, spans: own }) => [label, own.length])).toEqual([
      ["a b", 2],
      ["a, b", 1],
      ['["a b"]', 1],
    ]);
    expect(spans.map(groupOfSpan).slice(1, 3)).toEqual([
      [{ column: "service", value: '["a","b"]', text: "a, b", list: ["a", "b"] }],
      [{ column: "service", value: '["a b"]' }],
    ]);
  });
  test("a mark is of its lane and of its colour; of one lane in one colour it is of no column", () => {
    const [span] = of([[1, "web", 5]], { color: "took_us" }).spans;
    if (span === undefined) throw new Error("no span");
    expect(groupOfSpan(span)).toEqual([
      { column: "service", value: "web" },
      { column: "took_us", value: 5 },
    ]);
    const [plain] = of([[1, "web", 5]], { lane: "", color: "" }).spans;
    if (plain === undefined) throw new Error("no span");
    expect(groupOfSpan(plain)).toEqual([]);
  });
  test("as many rows as an answer may have", () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => [i, "web", 1_000]);
    expect(of(rows)).toMatchObject({ fromMs: -4_000, toMs: 204_000 });
  });
  test("no rows, and more lanes than can be read", () => {
    expect(of([])).toMatchObject({ lanes: [], fromMs: 0, toMs: 1 });
    const many = of(Array.from({ length: 100 }, (_, i) => [i, `s${i}`, 1]));
    expect([many.lanes.length, many.hiddenLanes]).toEqual([60, 40]);
  });
});

test.each([
  [1_000, 1_000, 1_000, 1_001],
  [1_000.4, 1_200, 1_000, 1_201],
  [1_000, 1_200.6, 1_000, 1_201],
])("the times of a span from %d to %d hold both ends", (startMs, endMs, fromMs, toMs) => {
  expect(timesOfSpan({ startMs, endMs })).toEqual({ fromMs, toMs });
});
