import type { ColumnInfo, NumberBucket, Result, ResultRow } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { viewOf } from "../../chart/view/views.js";
import { type ExploreState, initialState } from "../../query/state/exploreState.js";
import { buildProbe, buildQuery } from "./buildQuery.js";

const nowMs = Date.UTC(2026, 10, 21, 12);
const columns: ColumnInfo[] = [
  { name: "status", type: "int", decimals: 0 },
  { name: "latency_us", type: "int", decimals: 0, unit: "us" },
  { name: "service", type: "string", decimals: 0 },
].map((column) => ({ rows: 1, bytes: 1, compressionRatio: 1, ...column }) as ColumnInfo);

/** min, max, p0.5, p50, p99.5 of latency_us. */
const probeOf = (rows: ResultRow[], groups: string[] = [], truncated: Result["truncated"] = null) =>
  ({
    columns: [
      ...groups.map((name) => ({ name, type: "string", role: "group" })),
      ...["min", "max", "p0.5", "p50", "p99.5"].map((fn) => ({
        name: `${fn}_latency_us`,
        type: "int",
        role: "aggregate",
      })),
    ],
    rows,
    truncated,
  }) as unknown as Result;

const ask = (state: Partial<ExploreState>, probed: Result) =>
  buildQuery(
    { ...initialState("requests"), ...state },
    { timeZone: "UTC", nowMs, columns, probed },
  );

describe("views that ask first", () => {
  test("the probe queries the range of the likeliest column, on both sides", () => {
    const state: ExploreState = {
      ...initialState("requests"),
      view: "heatmap",
      compare: { offset: "7d", filter: null },
    };
    const probe = buildProbe(state, { timeZone: "UTC", nowMs, columns });
    expect(probe?.compare).toEqual({ offset: "7d" });
    expect(probe?.aggregates).toContainEqual({ fn: "percentile", column: "latency_us", p: 99.5 });
  });
  test("a heatmap's bins fit the numbers, and its first additive aggregate fills them", () => {
    const { query } = ask(
      {
        view: "heatmap",
        aggregates: [
          { fn: "percentile", column: "latency_us", p: 95 },
          { fn: "sum", column: "bytes" },
        ],
      },
      probeOf([[100, 9_000, 100, 5_000, 9_000]]),
    );
    expect(query.aggregates).toEqual([{ fn: "sum", column: "bytes" }]);
    const [, bin] = query.groupBy ?? [];
    expect(bin).toMatchObject({ bucket: "latency_us", as: "bin of latency_us" });
    const { edges = [] } = bin as NumberBucket;
    expect(edges[0]).toBe(0);
    expect(edges[edges.length - 1]).toBeGreaterThan(9_000);
  });
  test("side B's numbers count for the bins too, and missing ones for nothing", () => {
    const probed = probeOf([[10, 20, 10, 15, null]]);
    const both = {
      ...probed,
      columns: [
        ...probed.columns,
        { name: "max_latency_us.compare", type: "int", role: "aggregate" },
      ],
      rows: [[10, 20, 10, 15, 20, 400]],
    } as unknown as Result;
    const edgesOf = (result: Result): readonly number[] => {
      const { query } = ask({ view: "heatmap", options: { scale: "log" } }, result);
      return ((query.groupBy?.[1] as NumberBucket | undefined)?.edges ?? []).map(Number);
    };
    expect(edgesOf(both).at(-1)).toBeGreaterThan(400);
    expect(edgesOf(probed).at(-1)).toBeLessThan(40);
  });
  test("identifiers beyond 2^53 are split between whole numbers, and travel as their digits", () => {
    const least = 2n ** 62n;
    const probed = probeOf([[least, least + 3n, least, least + 1n, least + 3n]] as never);
    const { query } = ask({ view: "distribution" }, probed);
    expect((query.groupBy?.[0] as NumberBucket | undefined)?.edges).toEqual(
      [0n, 1n, 2n, 3n, 4n].map((step) => String(least + step)),
    );
  });
  test("a table without numbers in that range is asked anyway", () => {
    const { query } = ask({ view: "distribution" }, probeOf([[null, null, null, null, null]]));
    expect(query.groupBy?.[0]).toMatchObject({ bucket: "latency_us", scale: "log" });
  });
  test.each(["heatmap", "distribution", "scatter"] as const)(
    "a %s of a column without any value says which one it is",
    (view) => {
      const spreads = (latency: ResultRow, status: ResultRow) => {
        const of = probeOf([]).columns;
        const ofStatus = of.map(({ name }) => name.replace("latency_us", "status"));
        return {
          columns: [...of, ...ofStatus.map((name) => ({ name, type: "int", role: "aggregate" }))],
          rows: [[...latency, ...status]],
          truncated: null,
        } as unknown as Result;
      };
      const [none, some] = [
        [null, null, null, null, null],
        [1, 9, 1, 5, 9],
      ];
      expect(ask({ view }, spreads(none, some)).without).toBe("latency_us");
      expect(ask({ view }, spreads(some, some)).without).toBeNull();
      if (view === "scatter") expect(ask({ view }, spreads(some, none)).without).toBe("status");
    },
  );
  test("a distribution of many groups queries the rows of the largest only, on both sides", () => {
    const probed = probeOf(
      [
        ["web", 1, 9, 1, 5, 9],
        [null, 1, 9, 1, 5, 9],
      ],
      ["service"],
      { groups: 10 },
    );
    const { query, extras } = ask(
      {
        view: "distribution",
        groupBy: ["service"],
        compare: { offset: null, filter: [{ column: "status", op: "=", value: 500 }] },
      },
      probed,
    );
    const largest = {
      any: [
        { all: [{ column: "service", op: "=", value: "web" }] },
        { all: [{ column: "service", op: "is missing" }] },
      ],
    };
    expect(query.filter).toEqual([largest]);
    expect(query.compare?.filter).toEqual([{ column: "status", op: "=", value: 500 }, largest]);
    expect(extras.marks?.limit).toBe(5);
  });
  test("for whole lists, which no filter selects, it queries all rows; the empty list has a filter", () => {
    const filterOf = (...lists: (readonly string[])[]) =>
      ask(
        { view: "distribution", groupBy: ["tags"] },
        probeOf(
          lists.map((list) => [list, 1, 9, 1, 5, 9]),
          ["tags"],
          { groups: 10 },
        ),
      ).query.filter;
    expect(filterOf([], ["a", "b"])).toEqual([]);
    expect(filterOf([])).toEqual([{ any: [{ all: [{ column: "tags", op: "is empty" }] }] }]);
  });
  test("without numbers in the table they say so", () => {
    const strings = columns.filter(({ type }) => type === "string");
    for (const view of ["heatmap", "distribution"] as const) {
      const state = { ...initialState("requests"), view };
      expect(viewOf(view).lacks(state, strings)).toMatch(/no column of numbers/);
      expect(viewOf(view).lacks(state, columns)).toBeNull();
    }
  });
});
