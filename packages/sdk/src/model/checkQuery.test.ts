import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkQuery } from "./checkQuery.js";
import { filterDepthMax, filterTermsMax } from "./filter.js";
import { HadalError, type ProblemCode } from "./problem.js";
import { limitMax, seriesMax, timeoutMsMax } from "./query.js";

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

/** One row per fault: what is wrong, its path, its code, and what the detail must say. */
const faults: readonly [string, Record<string, unknown>, string, string, string][] = [
  ["no table", { table: undefined }, "table", "missing", "name"],
  ["empty table", { table: "" }, "table", "invalid-name", "empty"],
  ["table of control characters", { table: "a\nb" }, "table", "invalid-name", "control"],
  ["table of 256 bytes", { table: "é".repeat(128) }, "table", "invalid-name", "255"],
  ["broken Unicode", { table: "a\ud800" }, "table", "invalid-name", "Unicode"],
  ["unknown key", { filters: [] }, "filters", "unknown-key", 'Did you mean "filter"?'],
  ["no from", { from: undefined }, "from", "time-range-missing", "from"],
  ["null to", { to: null }, "to", "time-range-missing", "to"],
  ["strange from", { from: "soon" }, "from", "time-range-invalid", "soon"],
  ["fraction of a ms", { from: 1.5 }, "from", "time-range-invalid", "1.5"],
  ["from after to", { from: "-1h", to: "-2h" }, "from", "time-range-invalid", "earlier"],
  ["from equals to", { from: 5, to: 5 }, "from", "time-range-invalid", "earlier"],
  ["zone", { timeZone: "Europe/Berln" }, "timeZone", "unknown-time-zone", "Berln"],
  ["limit 0", { limit: 0 }, "limit", "out-of-range", "1 to 1000000"],
  ["limit too large", { limit: limitMax + 1 }, "limit", "out-of-range", "1000001"],
  ["limit NaN", { limit: Number.NaN }, "limit", "out-of-range", "NaN"],
  ["limit of a fraction", { limit: 1.5 }, "limit", "out-of-range", "1.5"],
  ["limit null", { limit: null }, "limit", "out-of-range", "null"],
  ["series 0", { series: 0 }, "series", "out-of-range", "0"],
  ["series too large", { series: seriesMax + 1 }, "series", "out-of-range", "10001"],
  ["timeout", { timeoutMs: timeoutMsMax + 1 }, "timeoutMs", "out-of-range", "120001"],
  [
    "timeout without end",
    { timeoutMs: Number.POSITIVE_INFINITY },
    "timeoutMs",
    "out-of-range",
    "Infinity",
  ],
  ["exact as text", { exact: "yes" }, "exact", "type-mismatch", "true or false"],
  ["filter as object", { filter: {} }, "filter", "type-mismatch", "list"],
  [
    "filter without column",
    { filter: [{ op: "=", value: 1 }] },
    "filter[0].column",
    "missing",
    "column",
  ],
  ["filter without op", { filter: [{ column: "a" }] }, "filter[0].op", "missing", "operator"],
  [
    "unknown op",
    { filter: [{ column: "a", op: "==", value: 1 }] },
    "filter[0].op",
    "unknown-operator",
    '"="',
  ],
  ["no value", { filter: [{ column: "a", op: "=" }] }, "filter[0].value", "missing", "value"],
  [
    "null value",
    { filter: [{ column: "a", op: "=", value: null }] },
    "filter[0].value",
    "type-mismatch",
    "is missing",
  ],
  [
    "value for presence",
    { filter: [{ column: "a", op: "is present", value: 1 }] },
    "filter[0].value",
    "unexpected",
    "no value",
  ],
  [
    "in without a list",
    { filter: [{ column: "a", op: "in", value: 1 }] },
    "filter[0].value",
    "type-mismatch",
    "list",
  ],
  [
    "list for =",
    { filter: [{ column: "a", op: "=", value: [1] }] },
    "filter[0].value",
    "type-mismatch",
    "list",
  ],
  [
    "object in a list",
    { filter: [{ column: "a", op: "in", value: [1, {}] }] },
    "filter[0].value[1]",
    "type-mismatch",
    "object",
  ],
  [
    "pattern of a number",
    { filter: [{ column: "a", op: "~", value: 5 }] },
    "filter[0].value",
    "type-mismatch",
    "string",
  ],
  [
    "beyond 2^53",
    { filter: [{ column: "a", op: "=", value: 2 ** 53 }] },
    "filter[0].value",
    "unsafe-integer",
    "decimal string",
  ],
  [
    "infinite",
    { filter: [{ column: "a", op: "<", value: Number.NEGATIVE_INFINITY }] },
    "filter[0].value",
    "not-finite",
    "Infinity",
  ],
  [
    "two kinds",
    { filter: [{ column: "a", op: "=", value: 1, not: {} }] },
    "filter[0]",
    "ambiguous",
    "column and not",
  ],
  [
    "deep inside",
    { filter: [{ not: { any: [{ column: "", op: "=", value: 1 }] } }] },
    "filter[0].not.any[0].column",
    "invalid-name",
    "empty",
  ],
  [
    "key of a filter",
    { filter: [{ column: "a", op: "=", value: 1, valeu: 1 }] },
    "filter[0].valeu",
    "unknown-key",
    '"value"',
  ],
  [
    "bucket",
    { groupBy: [{ time: "1 minute" }] },
    "groupBy[0].time",
    "invalid-duration",
    "1 minute",
  ],
  ["bucket of nothing", { groupBy: [{ time: "0s" }] }, "groupBy[0].time", "out-of-range", "longer"],
  ["bucket without time", { groupBy: [{}] }, "groupBy[0].time", "missing", "duration"],
  [
    "two time buckets",
    { groupBy: [{ time: "1m" }, { time: "2m" }] },
    "groupBy",
    "duplicate-name",
    "time",
  ],
  ["group by a number", { groupBy: [5] }, "groupBy[0]", "type-mismatch", "object"],
  ["aggregate as text", { aggregates: ["count"] }, "aggregates[0]", "type-mismatch", "object"],
  [
    "unknown fn",
    { aggregates: [{ fn: "cuont" }] },
    "aggregates[0].fn",
    "unknown-function",
    '"count"',
  ],
  ["sum of nothing", { aggregates: [{ fn: "sum" }] }, "aggregates[0].column", "missing", "column"],
  [
    "count.raw of a column",
    { aggregates: [{ fn: "count.raw", column: "a" }] },
    "aggregates[0].column",
    "unexpected",
    "no column",
  ],
  [
    "percentile without p",
    { aggregates: [{ fn: "percentile", column: "a" }] },
    "aggregates[0].p",
    "missing",
    "95",
  ],
  [
    "p of 100",
    { aggregates: [{ fn: "percentile", column: "a", p: 100 }] },
    "aggregates[0].p",
    "out-of-range",
    "100",
  ],
  [
    "p for count",
    { aggregates: [{ fn: "count", p: 5 }] },
    "aggregates[0].p",
    "unexpected",
    "percentile",
  ],
  [
    "rate of avg",
    { aggregates: [{ fn: "avg", column: "a", per: "second" }] },
    "aggregates[0].per",
    "unexpected",
    "add up",
  ],
  [
    "rate per day",
    { aggregates: [{ fn: "count", per: "day" }] },
    "aggregates[0].per",
    "out-of-range",
    "minute",
  ],
  [
    "one name twice",
    { aggregates: [{ fn: "count" }, { fn: "count", per: "minute" }] },
    "aggregates",
    "duplicate-name",
    "count",
  ],
  [
    "order by nothing known",
    { aggregates: [{ fn: "count" }], orderBy: [{ by: "cuont" }] },
    "orderBy[0].by",
    "unknown-result-column",
    '"count"',
  ],
  [
    "order by a base without compare",
    { aggregates: [{ fn: "count" }], orderBy: [{ by: "count.delta" }] },
    "orderBy[0].by",
    "unknown-result-column",
    "count.delta",
  ],
  [
    "desc as text",
    { aggregates: [{ fn: "count" }], orderBy: [{ by: "count", desc: 1 }] },
    "orderBy[0].desc",
    "type-mismatch",
    "true or false",
  ],
  ["compare with nothing", { compare: {} }, "compare", "missing", "offset"],
  [
    "compare offset",
    { compare: { offset: "a week" } },
    "compare.offset",
    "invalid-duration",
    "a week",
  ],
  [
    "compare filter",
    { compare: { filter: [{}] } },
    "compare.filter[0].column",
    "missing",
    "column",
  ],
  [
    "columns of a sample",
    { sampleView: { columns: [""] } },
    "sampleView.columns[0]",
    "invalid-name",
    "empty",
  ],
];

const later: readonly [string, Record<string, unknown>, string][] = [
  ["rate of count.raw", { aggregates: [{ fn: "count.raw", per: "second" }] }, "aggregates[0].per"],
  ["derive", { derive: [{ as: "x", js: "1" }] }, "derive"],
  ["having", { having: [{ column: "count", op: ">", value: 1 }] }, "having"],
  ["compare of raw rows", { sampleView: {}, compare: { offset: "7d" } }, "compare"],
  ["sample by a column", { sampleView: {}, orderBy: [{ by: "bytes" }] }, "orderBy[0].by"],
  ["freshness", { freshnessMs: 1000 }, "freshnessMs"],
];

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
  test.each(faults)("%s", (_, change, path, code, detail) => {
    const error = refusal({ ...plain, ...change });
    expect(error.errors).toEqual([{ path, code, detail: expect.stringContaining(detail) }]);
    const expected: ProblemCode = code.startsWith("time-range")
      ? (code as ProblemCode)
      : "invalid-query";
    expect(error.code).toBe(expected);
  });

  test.each(later)("%s, for now", (_, change, path) => {
    const error = refusal({ ...plain, ...change });
    expect(error.code).toBe("unsupported");
    expect(error.errors.map((part) => [part.path, part.code])).toEqual([[path, "unsupported"]]);
    expect(error.message).toContain("not supported yet");
  });

  test("everything at once", () => {
    const error = refusal({
      table: 5,
      limit: 0,
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

  test("both ends missing under the code of a missing range", () => {
    expect(refusal({ table: "a" }).code).toBe("time-range-missing");
  });

  test.each([[null], [5], ["SELECT 1"], [[]], [undefined]])("%s, which is no object", (input) => {
    expect(refusal(input).errors[0]).toMatchObject({ path: "", code: "type-mismatch" });
  });

  test("more terms than filterTermsMax, telling the limit once", () => {
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
