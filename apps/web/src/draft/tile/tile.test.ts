import type { Query } from "@hadal/sdk";
import { checkQuery } from "@hadal/sdk/checks";
import fc from "fast-check";
import { expect, test } from "vitest";
import { allViews } from "../../chart/view/views.js";
import { type ExploreState, initialState } from "../../query/state/exploreState.js";
import { stateOfTile } from "./stateOfTile.js";
import { tileOfState } from "./tileOfState.js";

const filter = fc.constantFrom(
  { column: "status", op: ">=" as const, value: 500 },
  { any: [{ column: "__proto__", op: "is missing" as const }] },
);
const aggregates = fc.constantFrom<ExploreState["aggregates"]>(
  [{ fn: "count" }],
  [{ fn: "percentile", column: "latency_us", p: 95 }, { fn: "count" }],
  [{ fn: "ratio", of: { fn: "sum", column: "bytes" }, by: { fn: "count" } }],
);
const groups = fc.constantFrom<ExploreState["groupBy"]>(
  [],
  ["service"],
  [{ element: "tags" }, { bucket: "latency_us", scale: "log" }],
);
const views = allViews.map(({ id }) => id).filter((id) => id !== "query" && id !== "rows");
const state = fc
  .record({
    view: fc.constantFrom(...views),
    ...{ aggregates, groupBy: groups },
    filters: fc.array(
      filter.map((one) => ({ filter: one, off: false })),
      { maxLength: 2 },
    ),
    compare: fc.constantFrom(null, { offset: "7d", filter: null }, { offset: null, filter: [] }),
    timeZone: fc.constantFrom(null, "Europe/Berlin"),
    limit: fc.constantFrom(100, 7),
    series: fc.constantFrom(10, 3),
    options: fc.dictionary(fc.string(), fc.string()),
    exact: fc.boolean(),
    timeoutMs: fc.constantFrom(null, 500),
  })
  .map((part): ExploreState => ({ ...initialState("requests"), ...part }));

test("every state of the form is a sound tile, and the tile is the same state again", () => {
  fc.assert(
    fc.property(state, (before) => {
      const tile = tileOfState(before);
      expect(() => checkQuery(tile.query)).not.toThrow();
      const read = JSON.parse(JSON.stringify(tile)) as typeof tile;
      expect(stateOfTile(read)).toEqual(before);
    }),
  );
});

test("a chosen bucket, an order and raw rows are kept", () => {
  const base = initialState("requests");
  const kept: ExploreState[] = [
    { ...base, bucket: "1m", order: { by: "count", desc: true } },
    { ...base, view: "rows", columns: ["service"], limit: 5 },
    { ...base, view: "query", shape: { groupBy: ["a", { time: "1mo" }], aggregates: [] } },
  ];
  for (const one of kept) expect(stateOfTile(tileOfState(one))).toEqual(one);
});

test("a disabled filter is left out, and the period before is as long as the range", () => {
  const before: ExploreState = {
    ...initialState("requests"),
    filters: [{ filter: { column: "a", op: "=", value: 1 }, off: true }],
    compare: { offset: "previous", filter: null },
  };
  const { query } = tileOfState(before);
  expect(query.filter).toBeUndefined();
  expect(query.compare).toEqual({ offset: "10800000ms" });
});

const asked: Query = { table: "requests", from: "-3h", to: "now", aggregates: [{ fn: "count" }] };

test.each([
  ["a view of a later version", { query: asked, view: "hologram" }, "query"],
  [
    "two time buckets",
    { query: { ...asked, groupBy: [{ time: "1m" }, { time: "1h", as: "h" }] } },
    "query",
  ],
  ["no view", { query: asked }, "timeseries"],
  ["raw rows", { query: { table: "requests", from: "-3h", to: "now", sampleView: {} } }, "rows"],
])("%s is shown", (_, tile, view) => {
  expect(stateOfTile(tile as Parameters<typeof stateOfTile>[0]).view).toBe(view);
});
