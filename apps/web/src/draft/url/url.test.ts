import {
  type AggregateSpec,
  aggregateFns,
  exactNumber,
  type Filter,
  type Having,
} from "@hadal/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allViews } from "../../chart/view/views.js";
import { parseFilter, parseHaving, printFilter } from "../../query/filter/filterUrl.js";
import { type GroupSpec, parseGroup, printGroup } from "../../query/group/groupSpec.js";
import {
  type Aggregate,
  aggregateOf,
  type BuiltIn,
  type Plain,
  type Ratio,
} from "../../query/number/aggregate.js";
import { parseAggregate, printAggregate } from "../../query/number/aggregateUrl.js";
import { type ExploreState, initialState } from "../../query/state/exploreState.js";
import type { QueryShape } from "../../query/state/queryShape.js";
import { orderNames } from "../ask/order.js";
import { parseUrl, printUrl } from "./url.js";

const name = fc.oneof(
  fc.constantFrom(
    "service",
    "latency_us",
    "actor.login",
    "__proto__",
    "constructor",
    "a:b",
    "per=x",
    "not",
  ),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
);
const largeInteger = fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n });
const value = fc.oneof(
  fc.constantFrom<string | number | boolean>("500", "true", "#1", "", " ", "a,b", '"', "\\", "-1"),
  fc.string({ unit: "grapheme", maxLength: 10 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => (x === 0 ? 0 : x)),
  fc.boolean(),
  // Beyond 2^53 integers are decimal texts, and numbers in a state that someone wrote.
  largeInteger.map(String),
  largeInteger.map(Number),
);
const columnFilter: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ column: name, op: fc.constantFrom("=", "!=", "<", ">=", "~", "contains"), value }),
  fc.record({
    column: name,
    op: fc.constantFrom("in", "not in", "includes any", "ends with", "contains sequence"),
    value: fc.array(value),
  }),
  fc.record({ column: name, op: fc.constantFrom("is missing", "is present", "is empty") }),
) as fc.Arbitrary<Filter>;
const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    columnFilter,
    fc.record({ not: tie("filter") }),
    fc.record({ any: fc.array(tie("filter"), { maxLength: 3 }) }),
    fc.record({ all: fc.array(tie("filter"), { maxLength: 3 }) }),
  ),
}));
const builtIn: fc.Arbitrary<AggregateSpec> = fc
  .record(
    {
      fn: fc.constantFrom(...aggregateFns),
      column: name,
      p: fc.constantFrom(50, 95, 99.9),
      per: fc.constantFrom("second", "minute", "hour"),
      as: name,
    },
    { requiredKeys: ["fn"] },
  )
  .map(
    ({ p, ...spec }) =>
      (spec.fn === "percentile" ? { ...spec, p: p ?? 95 } : spec) as AggregateSpec,
  );
const call = fc.record(
  { fn: name, columns: fc.array(name, { maxLength: 3 }), as: name },
  { requiredKeys: ["fn", "columns"] },
);
const conditional = fc
  .tuple(builtIn, filter)
  .map(([spec, where]): Plain => ({ ...(spec as BuiltIn), where }));
const plain = fc.oneof(builtIn.map(aggregateOf), call.map(aggregateOf), conditional);
const ratio = fc.record(
  { fn: fc.constant("ratio" as const), of: plain, by: plain, percent: fc.constant(true), as: name },
  { requiredKeys: ["fn", "of", "by"] },
) as fc.Arbitrary<Ratio>;
const aggregate: fc.Arbitrary<Aggregate> = fc.oneof(plain, ratio);
const having: fc.Arbitrary<Having> = fc.oneof(
  fc.record({
    column: name,
    op: fc.constantFrom("=" as const, "!=" as const, "<" as const, ">=" as const),
    value: fc.oneof(
      ...[fc.integer(), fc.string({ unit: "grapheme", maxLength: 10 }), largeInteger.map(String)],
    ),
  }),
  fc.record({ column: name, op: fc.constantFrom("is missing" as const, "is present" as const) }),
);
const chip = fc.record(
  { filter, off: fc.boolean(), pinned: fc.constant(true) },
  { requiredKeys: ["filter", "off"] },
);
const shape: fc.Arbitrary<QueryShape> = fc.record(
  {
    groupBy: fc.array(fc.oneof(name, fc.record({ time: fc.constantFrom("1m", "1mo"), as: name }))),
    aggregates: fc.array(builtIn),
    offset: fc.nat(),
    limit: fc.nat(),
  },
  { requiredKeys: [] },
);
const number = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((x) => exactNumber(x === 0 ? 0 : x));
const group: fc.Arbitrary<GroupSpec> = fc.oneof(
  name,
  fc.record({ element: name, as: name }, { requiredKeys: ["element"] }),
  fc.record({ bucket: name, scale: fc.constant("log" as const) }),
  fc.record({ bucket: name, width: number, as: name }, { requiredKeys: ["bucket", "width"] }),
  fc.record({ bucket: name, edges: fc.array(number, { minLength: 1, maxLength: 3 }) }),
);
/** Choices of lines, as the page writes them. */
const lineChoices: fc.Arbitrary<ExploreState["options"]> = fc.record(
  {
    draw: fc.constantFrom("line", "bars"),
    versus: fc.constantFrom("auto", "overlay", "difference", "ratio"),
    average: fc.integer({ min: 2, max: 1_000 }).map(String),
    axes: fc
      .dictionary(name, fc.record({ log: fc.boolean(), min: number, at: fc.array(number) }))
      .map((axes) => JSON.stringify(axes)),
    lines: fc
      .tuple(
        fc.constantFrom("only", "hide"),
        fc.array(fc.array(value).map((key) => JSON.stringify(key))),
      )
      .map(([kind, keys]) => `${kind} ${JSON.stringify(keys)}`),
  },
  { requiredKeys: [] },
);

const state: fc.Arbitrary<ExploreState> = fc.record({
  table: name,
  from: fc.constantFrom("-3h", "-7d", "2026-11-21T09:00:00Z", "1750500000000", "half past +3"),
  to: fc.constantFrom("now", "2026-11-21T10:00:00+02:00"),
  live: fc.boolean(),
  timeZone: fc.constantFrom(null, "UTC", "Europe/Berlin"),
  part: fc.option(
    fc
      .tuple(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 1, max: 1e9 }))
      .map(([fromMs, lengthMs]) => ({ fromMs, toMs: fromMs + lengthMs })),
  ),
  compare: fc.oneof(
    fc.constant(null),
    fc.record({ offset: fc.constantFrom("previous", "7d"), filter: fc.constant(null) }),
    fc.record({ offset: fc.constantFrom(null, "1d"), filter: fc.array(filter, { maxLength: 2 }) }),
  ),
  aggregates: fc.array(aggregate, { minLength: 1, maxLength: 3 }),
  derive: fc.array(
    fc.oneof(
      fc.record({ as: name, js: fc.string() }),
      fc.record({ as: name, function: name, args: fc.array(name, { maxLength: 2 }) }),
    ),
    { maxLength: 2 },
  ),
  groupBy: fc.array(group, { maxLength: 3 }),
  bucket: fc.constantFrom(null, "1m", "6h"),
  having: fc.array(having, { maxLength: 2 }),
  filters: fc.array(chip, { maxLength: 3 }),
  order: fc.constant(null),
  limit: fc.integer({ min: 1, max: 1_000_000 }),
  series: fc.integer({ min: 1, max: 10_000 }),
  view: fc.constantFrom(...allViews.map(({ id }) => id)),
  options: fc
    .tuple(fc.dictionary(name, fc.string({ unit: "grapheme" }), { maxKeys: 3 }), lineChoices)
    .map(([some, lines]) => ({ ...some, ...lines })),
  columns: fc.oneof(fc.constant(null), fc.array(name, { minLength: 1, maxLength: 3 })),
  exact: fc.boolean(),
  timeoutMs: fc.constantFrom(null, 500, 120_000),
  freshnessMs: fc.constantFrom(null, 0, 60_000),
  shape: fc.oneof(fc.constant(null), shape),
  saved: fc.constantFrom(null, "0b6ce4a1-3c5d-4c1c-9a53-6f2f8f0c8f11"),
});

/** With an order by something that the answer has. */
const ordered: fc.Arbitrary<ExploreState> = fc
  .tuple(state, fc.option(fc.record({ at: fc.nat(), desc: fc.boolean() })))
  .map(([before, order]) => {
    const names = orderNames(before);
    const by = names[(order?.at ?? 0) % names.length];
    return order === null || by === undefined
      ? before
      : { ...before, order: { by, desc: order.desc } };
  });

describe("address", () => {
  test("every state is parsed back from its address", () => {
    fc.assert(
      fc.property(ordered, (before) => {
        const { state: after, faults } = parseUrl(`?${printUrl(before)}`);
        expect(faults).toEqual([]);
        expect(after).toEqual(before);
      }),
      { numRuns: 500 },
    );
  });

  test("survives the browser's own normalisation of addresses", () => {
    fc.assert(
      fc.property(ordered, (before) => {
        const url = new URL(`http://hadal/explore?${printUrl(before)}`);
        expect(parseUrl(url.search).state).toEqual(before);
      }),
    );
  });

  test("is readable", () => {
    const shown: ExploreState = {
      ...initialState("requests"),
      live: true,
      groupBy: ["service"],
      aggregates: [{ fn: "count" }, { fn: "percentile", column: "latency_us", p: 95 }],
      filters: [
        { filter: { column: "status", op: ">=", value: 500 }, off: false },
        { filter: { column: "country", op: "in", value: ["DE", "FR"] }, off: true },
      ],
      compare: { offset: "7d", filter: null },
    };
    expect(printUrl(shown)).toBe(
      "v=1&table=requests&from=-3h&to=now&live=1&view=timeseries&agg=count&agg=p95:latency_us" +
        "&group=service&filter=status:ge:500&off=country:in:DE,FR&compare=7d",
    );
  });

  test("whole numbers beyond 2^53 keep their digits, quoted or not", () => {
    for (const digits of ["9007199254740993", "-9007199254740993", "9223372036854775806"]) {
      expect(parseFilter(`big:eq:${digits}`)).toEqual({ column: "big", op: "=", value: digits });
      expect(parseFilter(`big:in:1,${digits}`)).toMatchObject({ value: [1, digits] });
      expect(parseHaving(`max_big:gt:${digits}`)).toMatchObject({ value: digits });
      expect(printFilter(parseFilter(`big:eq:${digits}`))).toBe(`big:eq:"${digits}"`);
    }
    expect(parseFilter("big:eq:9007199254740991")).toMatchObject({ value: 9007199254740991 });
    expect(parseFilter("big:eq:0.25")).toMatchObject({ value: 0.25 });
  });

  test("without a table there is no state", () => expect(parseUrl("").state).toBeNull());

  test("what it cannot read it names, and keeps the rest", () => {
    const { state: read, faults } = parseUrl(
      "?v=2&table=t&agg=median:x&filter=status:is:5&filter=a:eq:1&limit=-4&tz=Mars&surprise=1&view=piechart&opt=scale&derive={}&ask=[1]&timeout=long&part=9/1",
    );
    expect(faults).toHaveLength(12);
    expect(faults.join("\n")).toContain('"median" is no aggregate');
    expect(read?.filters).toEqual([{ filter: { column: "a", op: "=", value: 1 }, off: false }]);
    expect(read?.limit).toBe(100);
    // Without any number there would be nothing to draw.
    expect(read?.aggregates).toEqual([{ fn: "count" }]);
  });

  test("an order by what the answer does not have is named, and left out", () => {
    const faultsOf = (search: string) => parseUrl(`?table=t&${search}`).faults;
    // The rate is no part of the column's name.
    expect(faultsOf("view=table&agg=sum:bytes:per=minute&order=-sum_bytes_per_minute")).toEqual([
      'order: the answer has no "sum_bytes_per_minute" to order by, only sum_bytes',
    ]);
    expect(parseUrl("?table=t&view=table&order=-nonsense").state?.order).toBeNull();
    expect(faultsOf("order=-nonsense")).toHaveLength(1);
    expect(faultsOf("view=rows&order=-count")).toHaveLength(1);
    expect(faultsOf('view=query&ask={"aggregates":5}&order=-count')).toEqual([]);
    // Whichever comes first in the address.
    expect(faultsOf("order=-sum_bytes&view=table&agg=sum:bytes:per=minute")).toEqual([]);
    expect(faultsOf("order=count.delta&view=table&compare=1d")).toEqual([]);
  });

  test.each(["a", "a:eq:1)", "any(a:eq:1", 'a:eq:"x', "a:in:1,", "none(a:eq:1)", 'a:eq:"\\x"'])(
    "refuses the filter %s",
    (text) => expect(() => parseFilter(text)).toThrow(/character/),
  );
  test.each(["any(count:gt:1|count:lt:9)", "service:in:a,b", "count:gt:true", "count"])(
    "refuses the condition %s on results",
    (text) => expect(() => parseHaving(text)).toThrow(/condition|compares|character/),
  );
  test.each([
    "if(count)",
    "if(count|status)",
    "if(call(f:a)|status:ge:500)",
    "if(if(count|a:missing)|b:missing)",
    "ratio(count)",
    "ratio(ratio(count|count)|count)",
    "ratio(count|count):per=minute",
    "unless(count|a:missing)",
    "call(f:a",
    "call(f:a):per=minute",
    "call(:a)",
    "p95:a:b",
    "sum:x:per=day",
    "sum:x:every=1",
    "percentile:x",
    "constructor",
  ])("refuses the aggregate %s", (text) => expect(() => parseAggregate(text)).toThrow(/character/));
  test.each(["element(a", "steps(a)", "bucket(a:width=x)", "element(a:log)", "bucket(a:wide=1)"])(
    "refuses the group %s",
    (text) => expect(() => parseGroup(text)).toThrow(/character/),
  );
  test("groups print as documented", () => {
    const texts = [
      "service",
      "element(tags)",
      "bucket(latency_us:log)",
      "bucket(bytes:width=100)",
      "bucket(bytes:edges=-1,0.5)",
      '"element(x)"',
    ];
    expect(texts.map((text) => printGroup(parseGroup(text)))).toEqual(texts);
  });
  test("aggregates and filters print as documented", () => {
    expect(printAggregate({ fn: "sum", column: "bytes", per: "minute" })).toBe(
      "sum:bytes:per=minute",
    );
    expect(printAggregate({ fn: "covariance", columns: ["latency_us", "a,b"], as: "cov" })).toBe(
      'call(covariance:latency_us,"a,b"):as=cov',
    );
    const texts = [
      "if(p95:latency_us|any(status:ge:500|status:missing)):as=slow",
      "ratio(if(count|status:ge:500)|count):percent:as=errors",
      "ratio(sum:bytes|count)",
    ];
    expect(texts.map((text) => printAggregate(parseAggregate(text)))).toEqual(texts);
    expect(printFilter({ not: { column: "a", op: "=", value: "500" } })).toBe('not(a:eq:"500")');
  });
});
