import type { ColumnInfo, TableDetail } from "@hadal/sdk";
import { checkQuery } from "@hadal/sdk/checks";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allViews } from "../../chart/view/views.js";
import { filtersOfGroup, type GroupValue } from "../../query/filter/groupFilter.js";
import {
  filterLabel,
  makeFilter,
  operatorsFor,
  splitPasted,
} from "../../query/filter/operators.js";
import { autoBucketMs, bucketCountMax } from "../../query/group/bucket.js";
import { type GroupSpec, groupName } from "../../query/group/groupSpec.js";
import { type ExploreState, initialState } from "../../query/state/exploreState.js";
import { openingState } from "../../query/state/opening.js";
import { buildQuery, placeOfPath } from "../ask/buildQuery.js";
import { orderOf } from "../ask/order.js";
import { applyEdit, type Edit, type Selection } from "./edits.js";

const start: ExploreState = { ...initialState("requests"), groupBy: ["service"] };
const after = (...edits: Edit[]): ExploreState => edits.reduce(applyEdit, start);
const selected = (...group: GroupValue[]): Selection => ({
  filters: filtersOfGroup(group, []) ?? [],
  range: null,
});
const filtersOf = (state: ExploreState) => state.filters.map((chip) => filterLabel(chip.filter));
const nowMs = Date.UTC(2026, 10, 21, 12);

describe("edits", () => {
  test("only this adds a filter per column of the group, once", () => {
    const edit: Edit = {
      kind: "only this",
      selection: selected({ column: "service", value: "cart" }, { column: "country", value: null }),
    };
    expect(filtersOf(after(edit, edit))).toEqual(["service = cart", "country is missing"]);
  });

  test("integers beyond 2^53 become strings of digits", () => {
    const state = after({
      kind: "only this",
      selection: selected({ column: "id", value: 2n ** 60n }),
    });
    expect(state.filters[0]?.filter).toEqual({
      column: "id",
      op: "=",
      value: "1152921504606846976",
    });
  });

  test("adding a disabled filter enables it", () => {
    const filter = { column: "status", op: "=", value: 500 } as const;
    const state = after(
      { kind: "add filter", filter },
      { kind: "switch filter", index: 0, off: true },
      { kind: "add filter", filter },
    );
    expect(state.filters).toEqual([{ filter, off: false }]);
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

  test("only this of a part of the range zooms to it", () => {
    const range = { fromMs: nowMs, toMs: nowMs + 60_000 };
    const state = after({ kind: "only this", selection: { filters: [], range } });
    expect([state.from, state.to]).toEqual([
      "2026-11-21T12:00:00.000Z",
      "2026-11-21T12:01:00.000Z",
    ]);
  });

  test("comparing with the rest keeps the filters on both sides", () => {
    const state = after(
      { kind: "add filter", filter: { column: "status", op: ">=", value: 500 } },
      { kind: "add filter", filter: { column: "zone", op: "=", value: 1 } },
      { kind: "switch filter", index: 1, off: true },
      { kind: "compare with rest", selection: selected({ column: "service", value: "cart" }) },
    );
    expect(filtersOf(state)).toEqual(["status ≥ 500", "zone = 1", "service = cart"]);
    expect(state.compare?.offset).toBeNull();
    expect(state.compare?.filter?.map(filterLabel)).toEqual([
      "status ≥ 500",
      "service ≠ cart or missing",
    ]);
  });

  test("what is different in times: they are compared with the rest of the range, under the same filters", () => {
    const [of, range] = [
      { fromMs: nowMs - 60_000, toMs: nowMs },
      { fromMs: nowMs - 30_000, toMs: nowMs - 20_000 },
    ];
    const failed: Edit = { kind: "add filter", filter: { column: "status", op: ">=", value: 500 } };
    const state = after(failed, {
      kind: "what is different",
      selection: { filters: [], range, of },
    });
    expect(state).toMatchObject({ view: "changes", part: range, live: false });
    expect([state.from, state.to]).toEqual([
      "2026-11-21T11:59:00.000Z",
      "2026-11-21T12:00:00.000Z",
    ]);
    expect(buildQuery(state, { timeZone: "UTC", nowMs }).query.compare).toBeUndefined();
    expect(filtersOf(state)).toEqual(["status ≥ 500"]);
    // Another range has other parts, another comparison other sides.
    for (const edit of [
      { kind: "set time", from: "-1h", to: "now" },
      { kind: "zoom", ...range },
      { kind: "set compare", compare: null },
    ] as const) {
      expect(applyEdit(state, edit).part).toBeNull();
    }
  });

  test("what is different in rows: they are held against the other rows", () => {
    const selection = selected({ column: "service", value: "cart" });
    const state = after({ kind: "what is different", selection });
    expect(state).toMatchObject({ view: "changes", part: null });
    expect(state.compare?.filter?.map(filterLabel)).toEqual(["service ≠ cart or missing"]);
  });

  test("seeing the rows of a group is one step", () => {
    const state = after({
      kind: "see rows",
      selection: selected({ column: "service", value: "cart" }),
    });
    expect([state.view, ...filtersOf(state)]).toEqual(["rows", "service = cart"]);
  });

  test("an edit that changes nothing gives the same state", () => {
    expect(after({ kind: "set view", view: "timeseries" })).toBe(start);
    expect(after({ kind: "keep steps", count: 3 })).toBe(start);
    expect(after({ kind: "group by", group: "service" })).toBe(start);
  });
});

describe("chips", () => {
  const filter = (column: string) => ({ column, op: "is present" }) as const;
  const three: Edit[] = ["a", "b", "c"].map((column) => ({
    kind: "add filter",
    filter: filter(column),
  }));
  const pinB: Edit = { kind: "pin filter", index: 1, pinned: true };

  test("pinned filters stay when filters are cleared or walked back", () => {
    expect(filtersOf(after(...three, pinB, { kind: "clear filters" }))).toEqual(["b is present"]);
    expect(filtersOf(after(...three, pinB, { kind: "keep steps", count: 1 }))).toEqual([
      "a is present",
      "b is present",
    ]);
    const unpinned = after(...three, pinB, { ...pinB, pinned: false }, { kind: "clear filters" });
    expect(unpinned.filters).toEqual([]);
  });

  test("pinned filters are kept for another table, disabled where it lacks the column", () => {
    const before = after(...three, pinB, { kind: "pin filter", index: 2, pinned: true });
    const detail = { name: "other", columns: [{ name: "c", type: "int" }], toMs: null };
    const opened = openingState(detail as unknown as TableDetail, nowMs, before);
    expect(opened.filters).toEqual([
      { filter: filter("b"), off: true, pinned: true },
      { filter: filter("c"), off: false, pinned: true },
    ]);
  });

  test("chips change places, and stay where there is none", () => {
    const grouped = after({ kind: "group by", group: "b" }, { kind: "group by", group: "c" });
    const groups = (...edits: Edit[]) => edits.reduce(applyEdit, grouped).groupBy;
    expect(groups({ kind: "move group", from: 2, to: 0 })).toEqual(["c", "service", "b"]);
    expect(groups({ kind: "move group", from: 0, to: 3 })).toBe(grouped.groupBy);
    expect(groups({ kind: "replace group", index: 1, group: { element: "b" } })).toEqual([
      "service",
      { element: "b" },
      "c",
    ]);
    expect(groups({ kind: "replace group", index: 1, group: "c" })).toBe(grouped.groupBy);
    expect(filtersOf(after(...three, { kind: "move filter", from: 0, to: 2 }))).toEqual([
      "b is present",
      "c is present",
      "a is present",
    ]);
  });
});

describe("filters of a group", () => {
  const [element, steps, log, edges] = [
    { element: "tags" },
    { bucket: "latency", width: 0.1 },
    { bucket: "bytes", scale: "log" },
    { bucket: "size", edges: [0, 10, 100] },
  ] as const;
  const of = (spec: GroupSpec, value: GroupValue["value"]) =>
    filtersOfGroup([{ column: groupName(spec), value }], [spec])?.map(filterLabel);
  test.each<[GroupSpec, GroupValue["value"], string[]]>([
    [element, "beta", ["tags includes any beta"]],
    [element, null, ["tags is missing"]],
    [steps, 0.2, ["latency ≥ 0.2", "latency < 0.3"]],
    [steps, null, ["latency is missing"]],
    // Decimals with more digits than a number holds are texts.
    [steps, "90071992547409.93", ["latency ≥ 90071992547409.93", "latency < 90071992547410.03"]],
    [steps, "-90071992547409.93", ["latency ≥ -90071992547409.93", "latency < -90071992547409.83"]],
    [
      { bucket: "id", width: 5 },
      "9007199254740993.5",
      ["id ≥ 9007199254740993.5", "id < 9007199254740998.5"],
    ],
    [edges, "90071992547409.93", ["size ≥ 90071992547409.93"]],
    [
      { bucket: "id", width: 2 },
      2n ** 60n,
      ["id ≥ 1152921504606846976", "id < 1152921504606846978"],
    ],
    [log, 20, ["bytes ≥ 20", "bytes < 50"]],
    [log, 0.05, ["bytes ≥ 0.05", "bytes < 0.1"]],
    [log, 0, ["bytes = 0"]],
    [log, -100, ["bytes ≥ -100", "bytes < -50"]],
    [log, -20, ["bytes ≥ -20", "bytes < -10"]],
    [edges, 10, ["size ≥ 10", "size < 100"]],
    [edges, 100, ["size ≥ 100"]],
    [edges, -(2n ** 63n), ["size < 0"]],
  ])("%j %s", (spec, value, labels) => expect(of(spec, value)).toEqual(labels));
});

describe("queries", () => {
  test.each(allViews.map(({ id }) => id))(
    "the view %s has a query that the server accepts",
    (view) => {
      const columns = [
        { name: "latency_us", type: "int", decimals: 0, rows: 1, bytes: 1, compressionRatio: null },
      ] as const;
      const state = after(
        { kind: "set view", view, columns },
        { kind: "add aggregate", spec: { fn: "percentile", column: "latency_us", p: 95 } },
        { kind: "set compare", compare: { offset: "previous", filter: [] } },
        { kind: "add filter", filter: { column: "status", op: ">=", value: 500 } },
      );
      const { query, extras } = buildQuery(state, { timeZone: "UTC", nowMs, columns });
      expect(checkQuery(JSON.parse(JSON.stringify(query)))).toBeTruthy();
      for (const extra of Object.values(extras)) {
        expect(checkQuery(JSON.parse(JSON.stringify(extra)))).toBeTruthy();
      }
    },
  );

  test("conditions on results, exactness and limits are asked where they are set", () => {
    const having = [{ column: "count", op: ">", value: 10 }] as const;
    const state = {
      ...after({ kind: "set having", having }, { kind: "set exact", exact: true }),
      timeoutMs: 500,
      freshnessMs: 0,
    };
    const asked = { having, exact: true, timeoutMs: 500, freshnessMs: 0 };
    expect(buildQuery(state, { timeZone: "UTC", nowMs }).query).toMatchObject(asked);
    expect(buildQuery(start, { timeZone: "UTC", nowMs }).query).not.toHaveProperty("exact");
    const rows = buildQuery(applyEdit(state, { kind: "set view", view: "rows" }), {
      timeZone: "UTC",
      nowMs,
    });
    expect(rows.query).not.toHaveProperty("having");
    expect(placeOfPath("having[0].column", state)).toBe("having 0");
  });

  test("the view `query` applies its shape to the rows of the form's filters", () => {
    const shape = { groupBy: [{ time: "1mo" }, { time: "1d", as: "day" }], offset: 5 };
    const state: ExploreState = {
      ...after({ kind: "add filter", filter: { column: "a", op: "=", value: 1 } }),
      view: "query",
      shape,
    };
    expect(buildQuery(state, { timeZone: "UTC", nowMs }).query).toMatchObject({
      ...shape,
      filter: [{ column: "a", op: "=", value: 1 }],
    });
  });

  test("totals are asked only where buckets do not add up", () => {
    expect(buildQuery(start, { timeZone: "UTC", nowMs }).extras).toEqual({});
    const rate = after({
      kind: "replace aggregate",
      index: 0,
      spec: { fn: "count", per: "minute" },
    });
    expect(buildQuery(rate, { timeZone: "UTC", nowMs }).extras.totals?.groupBy).toEqual([
      "service",
    ]);
  });

  test("disabled filters are not in the query, and problems are assigned to their chip", () => {
    const state = after(
      { kind: "add filter", filter: { column: "a", op: "=", value: 1 } },
      { kind: "add filter", filter: { column: "b", op: "=", value: 2 } },
      { kind: "switch filter", index: 0, off: true },
    );
    expect(buildQuery(state, { timeZone: "UTC", nowMs }).query.filter).toEqual([
      { column: "b", op: "=", value: 2 },
    ]);
    expect(placeOfPath("filter[0].column", state)).toBe("filter 1");
    expect(placeOfPath("groupBy[1]", state)).toBe("group 0");
    expect(placeOfPath("from", state)).toBe("from");
  });

  test("previous period is the length of the range", () => {
    const state = after({ kind: "set compare", compare: { offset: "previous", filter: null } });
    expect(buildQuery(state, { timeZone: "UTC", nowMs }).query.compare).toEqual({
      offset: "10800000ms",
    });
  });

  test("a time that cannot be read is refused", () => {
    const state = after({ kind: "set time", from: "yesterdayish", to: "now" });
    expect(() => buildQuery(state, { timeZone: "UTC", nowMs })).toThrow(/not a time/);
  });

  test("buckets are few enough to distinguish and many enough to show changes", () => {
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
