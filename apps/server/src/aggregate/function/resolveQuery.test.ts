import { HadalError, type Query } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { havingGroupsMax } from "../../plan/resolveQuery.js";
import { createTableSchema } from "../../plan/schema/tableSchema.js";
import { resolveQuery } from "./resolveQuery.js";

const table = createTableSchema("requests", [
  { name: "service", type: "string", decimals: 0 },
  { name: "bytes", type: "int", decimals: 0 },
  { name: "price", type: "int", decimals: 6 },
  { name: "features", type: "set", decimals: 0 },
]);
const base: Query = { table: "requests", from: "-3h", to: "now" };
const nowMs = 10_800_000;

const resolve = (rest: Partial<Query>) => resolveQuery({ ...base, ...rest }, table, nowMs);

function problemOf(rest: Partial<Query>): HadalError {
  try {
    resolve(rest);
  } catch (error) {
    if (error instanceof HadalError) return error;
    throw error;
  }
  return expect.fail("it should have been refused");
}

test("of what is derived only that is computed which is read, and what it is made from", () => {
  const derive: NonNullable<Query["derive"]> = [
    { as: "half", expression: { fn: "/", args: [{ column: "bytes" }, { value: 2 }] } },
    { as: "never", js: "(row) => JSON.stringify(row.service)" },
    { as: "quarter", expression: { fn: "/", args: [{ column: "half" }, { value: 2 }] } },
  ];
  const derivedBy = (rest: Partial<Query>) => {
    const { derived = [], bound } = resolve({ derive, ...rest }).resolved;
    // Where it stands in the query is what faults are told by.
    for (const { index, name } of derived) expect(derive[index]?.as).toBe(name);
    return [derived.map(({ name }) => name), bound?.map(({ name }) => name)];
  };
  expect(derivedBy({})).toEqual([[], []]);
  expect(derivedBy({ groupBy: ["quarter"] })).toEqual([["half", "quarter"], ["bytes"]]);
  expect(derivedBy({ filter: [{ column: "half", op: ">", value: 1 }] })).toEqual([
    ["half"],
    ["bytes"],
  ]);
  expect(derivedBy({ aggregates: [{ fn: "distinct", column: "never" }] })).toEqual([
    ["never"],
    ["service"],
  ]);
  const sampleView = { columns: ["price", "half"] };
  expect(derivedBy({ sampleView })).toEqual([["half"], ["price", "bytes"]]);
});

describe("states", () => {
  test("are shared between the aggregates that need them", () => {
    const { resolved, finish } = resolve({
      aggregates: [
        { fn: "count" },
        { fn: "sum", column: "bytes" },
        { fn: "avg", column: "bytes" },
        { fn: "percentile", column: "bytes", p: 50 },
        { fn: "percentile", column: "bytes", p: 95 },
        { fn: "count", column: "service" },
        { fn: "max", column: "price" },
      ],
    });
    expect(resolved.states).toEqual([
      { kind: "rows" },
      { kind: "weight" },
      { kind: "sum", column: "bytes", decimals: 0 },
      { kind: "histogram", column: "bytes", decimals: 0 },
      { kind: "min", column: "bytes", decimals: 0 },
      { kind: "max", column: "bytes", decimals: 0 },
      { kind: "present", column: "service", weighted: true },
      { kind: "present", column: "service", weighted: false },
      { kind: "max", column: "price", decimals: 6 },
    ]);
    expect(finish.aggregates.map(({ name, type }) => [name, type])).toEqual([
      ["count", "int"],
      ["count.raw", "int"],
      ["sum_bytes", "int"],
      ["avg_bytes", "float"],
      ["p50_bytes", "int"],
      ["p95_bytes", "int"],
      ["count_service", "int"],
      ["count_service.raw", "int"],
      ["max_price", "decimal"],
    ]);
  });

  test("without aggregates: count; a raw count that is asked for comes once", () => {
    expect(resolve({}).finish.aggregates.map(({ name }) => name)).toEqual(["count", "count.raw"]);
    const both = resolve({ aggregates: [{ fn: "count" }, { fn: "count.raw" }] });
    expect(both.finish.aggregates.map(({ name }) => name)).toEqual(["count", "count.raw"]);
  });
});

describe("order and cut", () => {
  test("with having leaves send what a query without a limit gets: they cannot tell which groups pass", () => {
    const { resolved, finish } = resolve({
      groupBy: ["service"],
      limit: 10,
      having: [{ column: "count.raw", op: ">", value: 2.5 }],
    });
    expect(resolved.cut.max).toBe(havingGroupsMax);
    expect(finish.having).toEqual([
      {
        target: { kind: "aggregate", aggregateIndex: 1, part: "main" },
        test: { kind: "exact", op: ">", floor: 2n, exact: false },
      },
    ]);
  });

  test("default: the first aggregate, largest first; with a time bucket time", () => {
    const byCount = resolve({ groupBy: ["service"], limit: 10 });
    expect(byCount.resolved.cut).toEqual({
      max: 100,
      bySeries: false,
      ranks: [{ by: { kind: "state", stateIndex: 1 }, desc: true }],
    });
    const byTime = resolve({ groupBy: ["service", { time: "1m" }] });
    expect(byTime.resolved.cut).toEqual({
      max: 500_000,
      bySeries: false,
      ranks: [{ by: { kind: "key", groupIndex: 1 }, desc: false }],
    });
  });

  test("follows what is asked, several deep, finished numbers by their states", () => {
    const { resolved } = resolve({
      groupBy: ["service"],
      aggregates: [
        { fn: "avg", column: "bytes" },
        { fn: "percentile", column: "bytes", p: 95, as: "p95" },
      ],
      orderBy: [{ by: "p95", desc: true }, { by: "avg_bytes" }, { by: "service", desc: true }],
      limit: 1_000,
    });
    const percentile = {
      ...{ kind: "percentile", stateIndex: 3, p: 95, minIndex: 4, maxIndex: 5 },
      squaresIndex: null,
    };
    expect(resolved.cut).toEqual({
      max: 5_000,
      bySeries: false,
      ranks: [
        { by: { kind: "value", value: percentile }, desc: true },
        { by: { kind: "value", value: { kind: "average", stateIndex: 2 } }, desc: false },
        { by: { kind: "key", groupIndex: 0 }, desc: true },
      ],
    });
  });

  test("what goes by both sides, or by how long a bucket is, is cut at the root alone", () => {
    const cutOf = (more: object) =>
      resolve({ groupBy: ["service"], limit: 8, ...more }).resolved.cut;
    const compare = { offset: "1d" };
    for (const by of ["count.delta", "count.delta_pct"]) {
      const cut = cutOf({ compare, orderBy: [{ by }] });
      expect(cut).toEqual({ max: havingGroupsMax, bySeries: false, ranks: [] });
    }
    // Each side keeps its own best.
    expect(cutOf({ compare, orderBy: [{ by: "count.compare" }] }).max).toBe(100);
    const rate = {
      aggregates: [{ fn: "count", per: "minute", as: "rate" }],
      orderBy: [{ by: "rate", desc: true }],
    };
    expect(cutOf(rate).max).toBe(100);
    expect(cutOf({ ...rate, groupBy: [{ time: "1h" }, "service"] }).max).toBe(havingGroupsMax);
  });

  test("series are ranked by the first aggregate of the order", () => {
    const { resolved, finish } = resolve({
      groupBy: [{ time: "1m" }, "service"],
      aggregates: [{ fn: "count" }, { fn: "sum", column: "bytes" }],
      orderBy: [{ by: "time", desc: true }, { by: "sum_bytes" }],
      series: 30,
    });
    expect(resolved.cut).toEqual({
      max: 150,
      bySeries: true,
      ranks: [{ by: { kind: "state", stateIndex: 2 }, desc: false }],
    });
    expect(finish.series).toMatchObject({ max: 30, timeGroupIndex: 0, timeDesc: true });
  });
});

describe("sides", () => {
  test("times are absolute, buckets cover them", () => {
    const [side] = resolve({ groupBy: [{ time: "1h" }] }).resolved.sides;
    expect(side).toMatchObject({
      fromMs: 0,
      toMs: 10_800_000,
      buckets: { kind: "even", startMs: 0, stepMs: 3_600_000, count: 3 },
    });
  });

  test("a comparison has another time, other rows, or both", () => {
    const filter = [{ column: "bytes", op: ">", value: 5 }] as const;
    const shifted = resolve({ filter, compare: { offset: "7d" } }).resolved.sides;
    expect(shifted[1]).toMatchObject({ fromMs: -604_800_000, filter: shifted[0]?.filter });
    const other = [{ column: "bytes", op: "is missing" }] as const;
    const filtered = resolve({ filter, compare: { filter: other } }).resolved.sides;
    expect(filtered[1]).toEqual({
      ...filtered[0],
      filter: { kind: "present", column: "bytes", negated: true },
    });
  });
});

describe("raw rows", () => {
  test("all columns, newest first, one more than is shown", () => {
    const { resolved, finish } = resolve({ sampleView: {}, limit: 10, groupBy: [{ time: "1m" }] });
    expect(resolved.sample).toMatchObject({ limit: 11, newestFirst: true });
    expect(resolved.sample?.columns.map(({ name }) => name)).toEqual([
      "service",
      "bytes",
      "price",
      "features",
    ]);
    expect(resolved.groupBy).toEqual([]);
    expect(resolved.sides[0]?.buckets).toBeNull();
    expect(finish.sample?.columns.map(({ name, type }) => [name, type])).toEqual([
      ["time", "time"],
      ["service", "string"],
      ["bytes", "int"],
      ["price", "decimal"],
      ["features", "set"],
    ]);
  });

  test("the columns asked for, where they are asked for", () => {
    const { finish } = resolve({
      sampleView: { columns: ["bytes", "time", "bytes"] },
      orderBy: [{ by: "time" }],
    });
    expect(finish.sample?.columns.map(({ name }) => name)).toEqual(["bytes", "time"]);
  });
});

/** Sets have no first element. */
const firstFeature = {
  as: "first",
  expression: { fn: "starts with", args: [{ column: "features" }, { value: "a" }] },
} as const;

test.each([
  [{ groupBy: ["servise"] }, "unknown-column", "groupBy[0]"],
  [{ groupBy: [{ element: "service" }] }, "type-mismatch", "groupBy[0].element"],
  [{ groupBy: [{ bucket: "service", scale: "log" }] }, "type-mismatch", "groupBy[0].bucket"],
  [{ groupBy: [{ bucket: "bytes", width: 0.5 }] }, "type-mismatch", "groupBy[0].width"],
  [{ groupBy: [{ bucket: "bytes", edges: [0, 1.5] }] }, "type-mismatch", "groupBy[0].edges[1]"],
  [{ groupBy: [{ time: "1m" }, { time: "1h" }] }, "invalid-query", "aggregates"],
  [{ aggregates: [{ fn: "sum", column: "service" }] }, "type-mismatch", "aggregates[0].column"],
  [{ aggregates: [{ fn: "count" }, { fn: "count" }] }, "invalid-query", "aggregates"],
  [{ orderBy: [{ by: "cuont" }] }, "invalid-query", "orderBy[0].by"],
  [{ series: 5, groupBy: ["service"] }, "invalid-query", "series"],
  [{ timeZone: "Europe/Berlim" }, "invalid-query", "timeZone"],
  [{ sampleView: { columns: ["nope"] } }, "unknown-column", "sampleView.columns[0]"],
  [{ sampleView: {}, orderBy: [{ by: "bites" }] }, "unknown-column", "orderBy[0].by"],
  [{ derive: [{ as: "x", js: "1" }] }, "function-invalid", "derive[0].js"],
  [{ derive: [firstFeature] }, "type-mismatch", "derive[0].expression.args[0]"],
  [{ having: [{ column: "count", op: ">", value: "x" }] }, "type-mismatch", "having[0].value"],
  [{ having: [{ column: "counts", op: ">", value: 1 }] }, "invalid-query", "having[0].column"],
] as const)("%j is refused: %s at %s", (rest, code, path) => {
  const problem = problemOf(rest as Partial<Query>);
  expect(problem.code).toBe(code);
  expect(problem.errors[0]?.path).toBe(path);
});
