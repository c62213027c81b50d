import type { ColumnInfo } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { viewOf } from "../../chart/view/views.js";
import type { ViewId } from "../../query/state/exploreState.js";
import { type ExploreState, initialState } from "../../query/state/exploreState.js";
import { applyEdit } from "../edit/edits.js";
import { buildQuery } from "./buildQuery.js";
import { optionsInForce } from "./viewOptions.js";

const nowMs = Date.UTC(2026, 10, 21, 12);
const column = (
  name: string,
  type: ColumnInfo["type"],
  bytes: number,
  unit?: string,
): ColumnInfo => ({
  name,
  type,
  decimals: 0,
  rows: 100,
  bytes,
  compressionRatio: null,
  ...(unit === undefined ? {} : { unit }),
});
const columns = [
  column("time", "int", 800),
  column("status", "int", 100),
  column("latency_us", "int", 800, "us"),
  column("sample_rate", "int", 100),
  column("message", "string", 5000),
  column("country", "string", 90),
  column("service", "string", 50),
  column("device", "string", 40),
  column("stack", "vector", 300),
  column("features", "set", 200),
];
const shown = (view: ViewId, state: Partial<ExploreState> = {}) =>
  applyEdit({ ...initialState("requests"), ...state }, { kind: "set view", view, columns });
const asked = (state: ExploreState) => buildQuery(state, { timeZone: "UTC", nowMs, columns });

describe("switching to a view", () => {
  test.each<[ViewId, readonly unknown[]]>([
    ["pie", ["device"]],
    ["treemap", ["device", "service"]],
    ["sankey", ["device", "service", "country"]],
    ["pivot", ["device", "service"]],
    ["map", ["country"]],
    ["tags", [{ element: "features" }]],
    ["flame", ["stack"]],
  ])("%s splits by what suits it", (view, groupBy) => {
    const state = shown(view);
    expect(viewOf(view).lacks(state, columns)).toBeNull();
    expect(asked(state).query.groupBy).toEqual(groupBy);
  });

  test("what is split by stays first, and stays when going back", () => {
    const state = shown("sankey", { groupBy: ["country"] });
    expect(state.groupBy).toEqual(["country", "device"]);
    const back = applyEdit(state, { kind: "set view", view: "table", columns });
    expect(back.groupBy).toEqual(["country", "device"]);
  });

  test.each<ViewId>(["pie", "treemap", "sankey", "pivot", "map", "tags", "leaderboards", "flame"])(
    "%s says what a bare table lacks",
    (view) => {
      const bare = [column("time", "int", 800), column("x", "int", 800)];
      expect(viewOf(view).lacks({ ...initialState("bare"), view }, bare)).toMatch(/^(A |bare has)/);
    },
  );
});

describe("sizes", () => {
  const sizesOf = (state: ExploreState) =>
    viewOf("pie")
      .options.find(({ name }) => name === "size")
      ?.choices(state, columns)
      .map(({ label }) => label);

  test("are numbers that add up: those of the form first, ids and times last or never", () => {
    const p95 = { fn: "percentile", column: "latency_us", p: 95 } as const;
    const bytes = { fn: "sum", column: "bytes" } as const;
    const state = shown("pie", { aggregates: [p95, bytes] });
    expect(sizesOf(state)).toEqual(["sum bytes", "count", "sum latency_us", "sum status"]);
    expect(optionsInForce(state, columns).size).toBe("sum:bytes");
    expect(asked(state).query.aggregates).toEqual([bytes]);
  });

  test("the whole is asked beside, with the same size", () => {
    const state = shown("pie", { options: { size: "sum:latency_us" } });
    const { query, extras } = asked(state);
    expect(query).toMatchObject({ orderBy: [{ by: "sum_latency_us", desc: true }], limit: 10 });
    expect(extras.total).toMatchObject({
      groupBy: [],
      aggregates: [{ fn: "sum", column: "latency_us" }],
    });
  });
});

test("a view with room for one number shows the one that was chosen", () => {
  const aggregates = [{ fn: "count" }, { fn: "avg", column: "latency_us" }] as const;
  const first = shown("map", { aggregates });
  expect(asked(first).query.aggregates).toEqual([{ fn: "count" }]);
  const second = { ...first, options: { measure: "avg_latency_us" } };
  expect(asked(second).query.aggregates).toEqual([aggregates[1]]);
});

test("elements are ranked by how they grew, once there is a side B", () => {
  const alone = shown("tags");
  expect(asked(alone).query.orderBy).toEqual([{ by: "count", desc: true }]);
  const compared = { ...alone, compare: { offset: "7d", filter: null } };
  expect(asked(compared).query.orderBy).toEqual([{ by: "count.delta", desc: true }]);
  expect(asked(compared).extras.sparks?.groupBy).toEqual([
    { time: "300000ms" },
    { element: "features" },
  ]);
});

test("values of texts trend as elements do", () => {
  const state = { ...shown("tags"), options: { list: "service" } };
  expect(asked(state).query.groupBy).toEqual(["service"]);
  expect(asked(state).extras.sparks?.groupBy).toEqual([{ time: "300000ms" }, "service"]);
  const listed = viewOf("tags").options[0]?.choices(state, columns);
  expect(listed?.map(({ value }) => value)).toEqual([
    ...["features", "stack", "message", "country", "service", "device"],
  ]);
});

test("above raw rows all that match are counted over time, whatever part of them is shown", () => {
  const filters = [{ filter: { column: "status", op: "=", value: 500 }, off: false } as const];
  const { query, extras } = asked(shown("rows", { filters, limit: 20, columns: ["status"] }));
  expect(extras.overTime).toMatchObject({
    ...{ table: "requests", from: query.from, to: query.to, filter: query.filter },
    groupBy: [{ time: "120000ms" }],
    aggregates: [{ fn: "count" }],
  });
  expect(extras.overTime).not.toHaveProperty("limit");
  expect(extras.overTime).not.toHaveProperty("sampleView");
});

describe("leaderboards", () => {
  const compared = { compare: { offset: "7d", filter: null } } as const;

  test("choose columns with repeated values, fewest values first, and elements of lists", () => {
    const { query, extras } = asked(shown("leaderboards"));
    expect(query.groupBy).toEqual([]);
    expect(Object.entries(extras).map(([name, { groupBy }]) => [name, groupBy])).toEqual([
      ["board device", ["device"]],
      ["board service", ["service"]],
      ["board country", ["country"]],
      ["board status", ["status"]],
      ["elements features", [{ element: "features" }]],
      ["elements stack", [{ element: "stack" }]],
    ]);
  });

  test.each([
    [{}, "count", true],
    [compared, "count", true],
    [
      { ...compared, aggregates: [{ fn: "sum" as const, column: "bytes" }] },
      "sum_bytes.delta",
      true,
    ],
    [{ ...compared, options: { rank: "fell" } }, "count.delta", false],
    [{ ...compared, options: { rank: "most" } }, "count", true],
  ])("%j are ordered by %s (descending: %s)", (state, by, desc) => {
    const { extras } = asked(shown("leaderboards", state));
    expect(extras["board device"]?.orderBy).toEqual([{ by, desc }]);
    // The largest growth is selected from many groups.
    const limit = state === compared ? 200 : 8;
    expect(extras["board device"]?.limit).toBe(limit);
  });
});

test("a pivot also queries the totals of its rows and columns: percentiles do not add up", () => {
  const { extras } = asked(shown("pivot", { groupBy: ["service", "country", "device"] }));
  expect([extras.rows?.groupBy, extras.columns?.groupBy, extras.total?.groupBy]).toEqual([
    ["service"],
    ["country"],
    [],
  ]);
});
