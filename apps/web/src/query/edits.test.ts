import type { ColumnInfo } from "@hadal/sdk";
import { checkQuery } from "@hadal/sdk/checks";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { autoBucketMs, bucketCountMax } from "./bucket.js";
import { buildQuery, orderOf, placeOfPath } from "./buildQuery.js";
import { applyEdit, type Edit } from "./edits.js";
import { type ExploreState, initialState, views } from "./exploreState.js";
import { filterLabel, makeFilter, operatorsFor, splitPasted } from "./operators.js";

const start: ExploreState = { ...initialState("requests"), groupBy: ["service"] };
const after = (...edits: Edit[]): ExploreState => edits.reduce(applyEdit, start);
const filtersOf = (state: ExploreState) => state.filters.map((chip) => filterLabel(chip.filter));
const nowMs = Date.UTC(2026, 10, 21, 12);

describe("edits", () => {
  test("only this adds a filter per column of the group, once", () => {
    const edit: Edit = {
      kind: "only this",
      group: [
        { column: "service", value: "cart" },
        { column: "country", value: null },
      ],
    };
    expect(filtersOf(after(edit, edit))).toEqual(["service = cart", "country is missing"]);
  });

  test("not this gathers the values of a column in one chip", () => {
    const not = (value: string | null): Edit => ({
      kind: "not this",
      group: [{ column: "service", value }],
    });
    expect(filtersOf(after(not("cart")))).toEqual(["service ≠ cart"]);
    expect(filtersOf(after(not("cart"), not("search"), not("search")))).toEqual([
      "service not in cart, search",
    ]);
    expect(filtersOf(after(not(null)))).toEqual(["service is present"]);
  });

  test("not this of several columns excludes their combination only", () => {
    const state = after({
      kind: "not this",
      group: [
        { column: "service", value: "cart" },
        { column: "status", value: 500 },
      ],
    });
    expect(filtersOf(state)).toEqual(["not (service = cart and status = 500)"]);
  });

  test("integers beyond 2^53 become their digits", () => {
    const state = after({ kind: "only this", group: [{ column: "id", value: 2n ** 60n }] });
    expect(state.filters[0]?.filter).toEqual({
      column: "id",
      op: "=",
      value: "1152921504606846976",
    });
  });

  test("adding a filter that is laid aside takes it up again", () => {
    const filter = { column: "status", op: "=", value: 500 } as const;
    const state = after(
      { kind: "add filter", filter },
      { kind: "switch filter", index: 0, off: true },
      { kind: "add filter", filter },
    );
    expect(state.filters).toEqual([{ filter, off: false }]);
  });

  test("zooming stops live; live keeps the length of the range", () => {
    const zoomed = after(
      { kind: "set live", live: true },
      { kind: "zoom", fromMs: nowMs, toMs: nowMs + 600_000 },
    );
    expect([zoomed.live, zoomed.from]).toEqual([false, "2026-11-21T12:00:00.000Z"]);
    expect(applyEdit(zoomed, { kind: "set live", live: true })).toMatchObject({
      from: "-600s",
      to: "now",
      live: true,
    });
  });

  test("an order by what is gone is forgotten", () => {
    const state = after(
      { kind: "add aggregate", spec: { fn: "sum", column: "bytes" } },
      { kind: "set order", order: { by: "sum_bytes", desc: true } },
      { kind: "remove aggregate", index: 1 },
    );
    expect(state.order).toBeNull();
    expect(orderOf(state)).toEqual({ by: "count", desc: true });
  });

  test("two aggregates of one name cannot be, nor none", () => {
    const twice = after({ kind: "add aggregate", spec: { fn: "count" } });
    expect(twice.aggregates).toHaveLength(1);
    expect(applyEdit(twice, { kind: "remove aggregate", index: 0 }).aggregates).toHaveLength(1);
  });

  test("seeing the rows of a group is one step", () => {
    const state = after({ kind: "see rows", group: [{ column: "service", value: "cart" }] });
    expect([state.view, ...filtersOf(state)]).toEqual(["rows", "service = cart"]);
  });

  test("an edit that changes nothing gives the same state", () => {
    expect(after({ kind: "set view", view: "timeseries" })).toBe(start);
    expect(after({ kind: "keep steps", count: 3 })).toBe(start);
    expect(after({ kind: "group by", column: "service" })).toBe(start);
  });
});

describe("queries", () => {
  test.each(views)("the view %s asks what the server accepts", (view) => {
    const state = after(
      { kind: "set view", view },
      { kind: "add aggregate", spec: { fn: "percentile", column: "latency_us", p: 95 } },
      { kind: "set compare", compare: { offset: "previous", filter: [] } },
      { kind: "add filter", filter: { column: "status", op: ">=", value: 500 } },
    );
    const { query, totals } = buildQuery(state, "UTC", nowMs);
    expect(checkQuery(JSON.parse(JSON.stringify(query)))).toBeTruthy();
    if (totals !== null) expect(checkQuery(JSON.parse(JSON.stringify(totals)))).toBeTruthy();
  });

  test("totals are asked only where buckets do not add up", () => {
    expect(buildQuery(start, "UTC", nowMs).totals).toBeNull();
    const rate = after({
      kind: "replace aggregate",
      index: 0,
      spec: { fn: "count", per: "minute" },
    });
    expect(buildQuery(rate, "UTC", nowMs).totals?.groupBy).toEqual(["service"]);
  });

  test("filters that are laid aside are not asked, and problems find their chip", () => {
    const state = after(
      { kind: "add filter", filter: { column: "a", op: "=", value: 1 } },
      { kind: "add filter", filter: { column: "b", op: "=", value: 2 } },
      { kind: "switch filter", index: 0, off: true },
    );
    expect(buildQuery(state, "UTC", nowMs).query.filter).toEqual([
      { column: "b", op: "=", value: 2 },
    ]);
    expect(placeOfPath("filter[0].column", state)).toBe("filter 1");
    expect(placeOfPath("groupBy[1]", state)).toBe("group 0");
    expect(placeOfPath("from", state)).toBe("from");
  });

  test("previous period is the length of the range", () => {
    const state = after({ kind: "set compare", compare: { offset: "previous", filter: null } });
    expect(buildQuery(state, "UTC", nowMs).query.compare).toEqual({ offset: "10800000ms" });
  });

  test("a time that cannot be read is refused", () => {
    const state = after({ kind: "set time", from: "yesterdayish", to: "now" });
    expect(() => buildQuery(state, "UTC", nowMs)).toThrow(/not a time/);
  });

  test("buckets are few enough to tell apart and many enough to see", () => {
    expect(autoBucketMs(3 * 3_600_000)).toBe(60_000);
    expect(autoBucketMs(7 * 86_400_000)).toBe(3_600_000);
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 10 * 365 * 86_400_000 }), (rangeMs) => {
        const count = rangeMs / autoBucketMs(rangeMs);
        expect(count).toBeLessThanOrEqual(bucketCountMax);
        expect(count).toBeGreaterThan(95);
      }),
    );
  });
});

describe("filters from what was typed", () => {
  const column = (type: ColumnInfo["type"], decimals = 0): ColumnInfo => ({
    name: "c",
    type,
    decimals,
    rows: 0,
    bytes: 0,
    compressionRatio: null,
  });
  test.each([
    ["int", "=", ["500"], { column: "c", op: "=", value: 500 }],
    ["int", "=", ["500", "503"], { column: "c", op: "in", value: [500, 503] }],
    ["int", "=", ["9007199254740993"], { column: "c", op: "=", value: "9007199254740993" }],
    ["string", "=", ["500"], { column: "c", op: "=", value: "500" }],
    ["string", "not in", ["a"], { column: "c", op: "not in", value: ["a"] }],
    ["string", "is missing", [], { column: "c", op: "is missing" }],
  ] as const)("%s %s %j", (type, op, texts, filter) =>
    expect(makeFilter(column(type), op, texts)).toEqual({ ok: true, filter }),
  );
  test("numbers that are none, and lists where one is wanted, are refused in words", () => {
    expect(makeFilter(column("int"), "=", ["5xx"])).toMatchObject({ ok: false });
    expect(makeFilter(column("int"), "=", ["1.5"])).toMatchObject({ ok: false });
    expect(makeFilter(column("int", 2), "=", ["1.5"])).toMatchObject({ ok: true });
    expect(makeFilter(column("int"), "<", ["1", "2"])).toMatchObject({ ok: false });
    expect(makeFilter(column("string"), "=", [])).toMatchObject({ ok: false });
  });
  test("a pasted list is split", () => expect(splitPasted("a, b\n c,,")).toEqual(["a", "b", "c"]));
  test("only operators that the server answers are offered", () => {
    expect(operatorsFor("string")).toContain("contains");
    expect(operatorsFor("int")).not.toContain("~");
  });
});
