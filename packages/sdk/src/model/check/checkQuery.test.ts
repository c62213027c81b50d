import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expressionDepthMax } from "../expression.js";
import { filterDepthMax, filterTermsMax } from "../filter.js";
import { HadalError, type ProblemCode } from "../problem/problem.js";
import { limitMax, seriesMax, timeoutMsMax } from "../query.js";
import { checkQuery } from "./checkQuery.js";
import { wrongQueries } from "./testing/wrongQueries.js";

const plain = { table: "requests", from: "-3h", to: "now" };

function refusal(input: unknown): HadalError {
  try {
    checkQuery(input);
  } catch (error) {
    if (error instanceof HadalError) return error;
    throw error;
  }
  throw new Error("the query was accepted");
}

test("S40: histograms and standard deviations are asked for like other aggregates; a histogram has no order", () => {
  const query = {
    ...{ table: "t", from: "-1h", to: "now", compare: { offset: "1d" } },
    aggregates: [
      { fn: "histogram", column: "a" },
      { fn: "stddev", column: "a" },
    ],
  };
  expect(checkQuery({ ...query, orderBy: [{ by: "stddev_a.delta" }] })).toBeTruthy();
  for (const by of ["histogram_a", "histogram_a.compare"]) {
    expect(() => checkQuery({ ...query, orderBy: [{ by }] })).toThrow(/has no order/);
  }
  expect(() => checkQuery({ ...query, orderBy: [{ by: "histogram_a.delta" }] })).toThrow();
});

describe("checkQuery refuses", () => {
  test.each(wrongQueries)("%s", (_, change, path, code, detail) => {
    const error = refusal({ ...plain, ...change });
    expect(error.errors).toEqual([{ path, code, detail: expect.stringContaining(detail) }]);
    const expected: ProblemCode = code.startsWith("time-range")
      ? (code as ProblemCode)
      : "invalid-query";
    expect(error.code).toBe(expected);
  });

  test("everything at once", () => {
    const error = refusal({
      table: 5,
      limit: -1,
      filter: [{ column: "a", op: "!!", value: "x" }],
      sereis: 1,
    });
    expect(error.code).toBe("invalid-query");
    expect(error.errors.map((part) => part.path)).toEqual([
      "sereis",
      "table",
      "from",
      "to",
      "filter[0].op",
      "limit",
    ]);
    expect(error.message).toContain("6 problem");
  });

  test("one problem is reported unchanged, with its place if it does not name one", () => {
    expect(refusal({ ...plain, limit: -1 }).message).toBe(
      "limit is a whole number from 0 to 1000000; found the number -1.",
    );
    expect(refusal({ ...plain, limit: JSON.parse("1e400") }).message).toBe(
      "limit is a whole number from 0 to 1000000; found a number beyond 1.8e308.",
    );
    expect(refusal({ ...plain, groupBy: "a" as never }).message).toBe(
      "groupBy: Expected a list, found a string.",
    );
  });

  test("both ends missing under the code of a missing range", () => {
    expect(refusal({ table: "a" }).code).toBe("time-range-missing");
  });

  test.each([[null], [5], ["SELECT 1"], [[]], [undefined]])("%s, which is no object", (input) => {
    expect(refusal(input).errors[0]).toMatchObject({ path: "", code: "type-mismatch" });
  });

  test("more terms than filterTermsMax, with one problem for the limit", () => {
    const value = Array.from({ length: filterTermsMax }, (_, i) => i);
    const error = refusal({ ...plain, filter: [{ column: "a", op: "in", value }] });
    expect(error.errors).toMatchObject([{ path: "filter", code: "too-many" }]);
    expect(() =>
      checkQuery({ ...plain, filter: [{ column: "a", op: "in", value: value.slice(1) }] }),
    ).not.toThrow();
  });

  test("filters nested deeper than filterDepthMax, however deep", () => {
    const nested = (depth: number): unknown => {
      let filter: unknown = { column: "a", op: "=", value: 1 };
      for (let i = 1; i < depth; i++) filter = { not: filter };
      return filter;
    };
    expect(() => checkQuery({ ...plain, filter: [nested(filterDepthMax)] })).not.toThrow();
    for (const depth of [filterDepthMax + 1, 100_000]) {
      expect(refusal({ ...plain, filter: [nested(depth)] }).errors).toMatchObject([
        { code: "too-deep" },
      ]);
    }
  });

  test("expressions nested deeper than any stack, without running out of it", () => {
    let expression: unknown = { column: "a" };
    for (let i = 1; i < expressionDepthMax; i++) expression = { fn: "abs", args: [expression] };
    expect(() => checkQuery({ ...plain, derive: [{ as: "d", expression }] })).not.toThrow();
    for (let i = 0; i < 100_000; i++) expression = { fn: "abs", args: [expression] };
    expect(refusal({ ...plain, derive: [{ as: "d", expression }] }).errors).toMatchObject([
      { code: "too-deep" },
    ]);
  });

  test("a thousand faults with a hundred parts and the whole count", () => {
    const error = refusal({ ...plain, filter: Array.from({ length: 1_000 }, () => 5) });
    expect(error.errors).toHaveLength(100);
    expect(error.message).toContain("1000 problem");
  });
});

describe("checkQuery accepts", () => {
  test.each([
    [
      "the example of the contract",
      {
        filter: [
          { column: "status", op: ">=", value: 500 },
          { any: [{ column: "endpoint", op: "~", value: "^/api" }] },
          { not: { column: "country", op: "in", value: ["DE", "FR"] } },
        ],
        groupBy: [{ time: "1m" }, "service"],
        aggregates: [
          { fn: "count" },
          { fn: "sum", column: "bytes", per: "minute" },
          { fn: "percentile", column: "latency_us", p: 95, as: "p95" },
        ],
        orderBy: [{ by: "p95", desc: true }],
        limit: 100_000,
        series: 10,
        compare: { offset: "7d" },
        sampleView: null,
        exact: false,
        timeoutMs: 2_000,
        freshnessMs: null,
        cache: "use",
        timeZone: "Europe/Berlin",
      },
    ],
    [
      "a decimal string and a BigInt",
      { filter: [{ column: "a", op: "in", value: ["9007199254740993", 9_007_199_254_740_993n] }] },
    ],
    [
      "a name like __proto__",
      { groupBy: ["__proto__", "constructor"], aggregates: [{ fn: "count", as: "toString" }] },
    ],
    [
      "conditions on what a result has",
      {
        groupBy: ["service"],
        aggregates: [{ fn: "count" }],
        compare: { offset: "1d" },
        having: [
          { column: "count.raw", op: ">", value: "9007199254740993" },
          { column: "count.delta_pct", op: "is present" },
          { column: "service", op: "!=", value: "a" },
        ],
      },
    ],
    ["buckets by the calendar", { groupBy: [{ time: "1q" }], compare: { offset: "1y" } }],
    ["raw rows of both sides", { sampleView: {}, compare: { offset: "7d" } }],
    ["a rate of rows", { aggregates: [{ fn: "count.raw", per: "second" }] }],
    ["a name of 255 bytes", { table: "a".repeat(255) }],
    [
      "order by what compare adds",
      {
        aggregates: [{ fn: "count" }],
        compare: { offset: "1w" },
        orderBy: [{ by: "count.delta_pct" }, { by: "count.raw" }],
      },
    ],
    [
      "raw rows, newest first",
      { sampleView: { columns: null }, orderBy: [{ by: "time", desc: true }] },
    ],
    ["empty lists of what comes later", { derive: [], having: [] }],
    ["absolute against relative", { from: "2020-01-01", to: "now" }],
    ["keys that are undefined", { limit: undefined, series: null, compare: null }],
  ])("%s", (_, change) => {
    const query = { ...plain, ...change };
    expect(checkQuery(query)).toEqual(query);
  });

  test("every generated query, and its JSON", () => {
    fc.assert(
      fc.property(queries, (query) => {
        expect(checkQuery(query)).toEqual(query);
        expect(checkQuery(JSON.parse(JSON.stringify(query)))).toEqual(
          JSON.parse(JSON.stringify(query)),
        );
      }),
    );
  });

  test("nothing but HadalErrors come of random JSON", () => {
    const keyed = fc.record(
      {
        table: fc.jsonValue(),
        from: fc.jsonValue(),
        to: fc.jsonValue(),
        filter: fc.jsonValue(),
        groupBy: fc.jsonValue(),
        aggregates: fc.jsonValue(),
        orderBy: fc.jsonValue(),
        compare: fc.jsonValue(),
        sampleView: fc.jsonValue(),
        timeZone: fc.jsonValue(),
        having: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), keyed), (input) => {
        try {
          checkQuery(input);
        } catch (error) {
          expect(error).toBeInstanceOf(HadalError);
          expect((error as HadalError).errors.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 500 },
    );
  });
});

const names = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names must not have them.
  .filter((name) => !/[\u0000-\u001f\u007f-\u009f]/.test(name));
const value = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.integer(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map((n) => n + 0),
);
const { filter } = fc.letrec((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    fc.record({ column: names, op: fc.constantFrom("=", "!=", "<", "<=", ">", ">="), value }),
    fc.record({ column: names, op: fc.constantFrom("in", "not in"), value: fc.array(value) }),
    fc.record({
      column: names,
      op: fc.constantFrom("includes any", "includes none", "contains sequence"),
      value: fc.array(value),
    }),
    fc.record({
      column: names,
      op: fc.constantFrom("~", "contains"),
      value: fc.string({ unit: "grapheme" }),
    }),
    fc.record({ column: names, op: fc.constantFrom("is missing", "is present", "is empty") }),
    fc.record({ any: fc.array(tie("filter"), { maxLength: 3 }) }),
    fc.record({ all: fc.array(tie("filter"), { maxLength: 3 }) }),
    fc.record({ not: tie("filter") }),
  ),
}));
const aggregate = fc.oneof(
  fc.record({ fn: fc.constantFrom("count", "count.raw") }),
  fc.record({
    fn: fc.constant("sum"),
    column: names,
    per: fc.constantFrom("second", "minute", "hour"),
  }),
  fc.record({ fn: fc.constantFrom("sum", "avg", "min", "max"), column: names }),
  fc.record({ fn: fc.constant("percentile"), column: names, p: fc.integer({ min: 1, max: 99 }) }),
);
const queries = fc
  .record(
    {
      table: names,
      from: fc.oneof(fc.constantFrom("-3h", "now-1w", "-90s")),
      to: fc.constantFrom("now", "2099-01-01", "2099-01-01T00:00:00+02:00"),
      timeZone: fc.constantFrom("UTC", "Europe/Berlin", "Asia/Kathmandu"),
      filter: fc.array(filter, { maxLength: 4 }),
      groupBy: fc.uniqueArray(names, { maxLength: 3 }),
      aggregates: fc.array(aggregate, { maxLength: 4 }),
      limit: fc.integer({ min: 1, max: limitMax }),
      series: fc.option(fc.integer({ min: 1, max: seriesMax })),
      compare: fc.option(fc.record({ offset: fc.constantFrom("7d", "1w", "90m") })),
      exact: fc.boolean(),
      timeoutMs: fc.integer({ min: 1, max: timeoutMsMax }),
    },
    { requiredKeys: ["table", "from", "to"] },
  )
  // Names of the result are made unique: that two may not collide is a case of its own.
  .map((query) =>
    query.aggregates === undefined
      ? query
      : {
          ...query,
          aggregates: query.aggregates.map((spec, i) => ({
            ...spec,
            as: `result ${i} of the query`,
          })),
        },
  );
