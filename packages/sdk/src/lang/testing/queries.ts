import fc from "fast-check";
import { aggregateName, isNumberAggregate } from "../../model/aggregate.js";
import {
  type Expression,
  type ExpressionFn,
  expressionArity,
  timeParts,
} from "../../model/expression.js";
import type { Filter, FilterValue } from "../../model/filter.js";
import type { GroupBy, Query } from "../../model/query.js";

/** Names as people and adversaries choose them. */
const names = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom("service", "latency_us", "actor.login", "status", "tags"),
  },
  fc.constantFrom(
    "select",
    "from",
    "time",
    "case",
    "end",
    "count",
    "per",
    "js",
    "zone",
    "a.select",
  ),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "lower(a)",
    "a + 1",
    '"',
    "''",
    "a b",
    "5",
    "*",
    "-- x",
    "/*",
  ),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((name) => isName(name)),
);

function isName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a name must not have.
  return !/[\u0000-\u001f\u007f-\u009f]|\p{Surrogate}/u.test(name);
}

const texts = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 10 }),
  fc.constantFrom("it's", "''", "--", "/* x", ";", "%", "_", "\\", "now", "-3h", "\n", "5"),
);

const numbers = fc.oneof(
  fc.integer({ min: -1_000, max: 1_000 }),
  fc.maxSafeInteger(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((n) => !Number.isInteger(n) || Number.isSafeInteger(n)),
  fc.constantFrom(0, -0, 0.1 + 0.2, 1e-7, 5e-324, -2.5),
);

const values: fc.Arbitrary<FilterValue> = fc.oneof(
  texts,
  numbers,
  fc.boolean(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(0n, 5n, -5n, 2n ** 64n),
);

const durations = fc
  .tuple(fc.integer({ min: 1, max: 400 }), fc.constantFrom("ms", "s", "m", "h", "d", "w"))
  .map(([count, unit]) => `${count}${unit}`);

const lists = fc.array(values, { maxLength: 4 });

const filters: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, depthIdentifier: "filter" },
    fc.record({
      column: names,
      op: fc.constantFrom("=", "!=", "<", "<=", ">", ">="),
      value: values,
    }),
    fc.record({ column: names, op: fc.constantFrom("in", "not in"), value: lists }),
    fc.record({ column: names, op: fc.constantFrom("~", "!~", "contains"), value: texts }),
    fc.record({
      column: names,
      op: fc.constantFrom("includes any", "includes all", "includes none"),
      value: lists,
    }),
    fc.record({
      column: names,
      op: fc.constantFrom("starts with", "ends with", "contains sequence"),
      value: lists,
    }),
    fc.record({ column: names, op: fc.constantFrom("is missing", "is present", "is empty") }),
    fc.record({ any: fc.array(tie("filter"), { maxLength: 3 }) }),
    fc.record({ all: fc.array(tie("filter"), { maxLength: 3 }) }),
    fc.record({ not: tie("filter") }),
  ),
})).filter;

/** Functions whose arguments may be any expression. */
const plainFns = (Object.keys(expressionArity) as ExpressionFn[]).filter(
  (fn) => fn !== "extract" && !isOfLists(fn),
);

/** Conditions on lists are not parts of other expressions. */
function isOfLists(fn: ExpressionFn): boolean {
  return /^(includes|is empty|starts with|ends with|contains seq)/.test(fn);
}

export const expressions: fc.Arbitrary<Expression> = fc.letrec<{ expression: Expression }>(
  (tie) => ({
    expression: fc.oneof(
      { maxDepth: 4, depthIdentifier: "expression" },
      fc.record({ column: names }),
      fc.record({ value: fc.oneof(texts, numbers, fc.boolean(), fc.constant(null)) }),
      fc.record({
        integer: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
      }),
      fc.record({ decimal: fc.constantFrom("1024.0", "-0.0", "2.50", "0.123456789012345678") }),
      fc.constantFrom(...plainFns).chain((fn) => {
        const [least, most] = expressionArity[fn];
        const args = fc.array(tie("expression"), {
          minLength: least,
          maxLength: Math.min(most, least + 2),
        });
        return fc.record({ fn: fc.constant(fn), args });
      }),
      fc.record({
        fn: fc.constant("extract" as const),
        args: fc.tuple(fc.record({ value: fc.constantFrom(...timeParts) }), tie("expression")),
      }),
    ),
  }),
).expression;

const derived = fc.oneof(
  { weight: 3, arbitrary: fc.record({ as: names, expression: expressions }) },
  fc.record({ as: names, js: texts }),
  fc.record({ as: names, function: names, args: fc.array(names, { maxLength: 3 }) }),
);

const groups: fc.Arbitrary<GroupBy> = fc.oneof(
  { weight: 3, arbitrary: names },
  fc.record({ column: names, as: names }, { requiredKeys: ["column"] }),
  fc.record(
    { time: fc.oneof(durations, fc.constantFrom("1mo", "1q", "2y")), as: names },
    { requiredKeys: ["time"] },
  ),
  fc.record(
    {
      bucket: names,
      width: fc.oneof(
        fc.double({ min: 0.001, max: 1e9, noNaN: true }),
        fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String),
      ),
      as: names,
    },
    { requiredKeys: ["bucket", "width"] },
  ),
  fc.record(
    { bucket: names, scale: fc.constant("log" as const), as: names },
    { requiredKeys: ["bucket", "scale"] },
  ),
  fc.record({
    bucket: names,
    scale: fc.constant("linear" as const),
    edges: fc
      .uniqueArray(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), {
        minLength: 1,
        maxLength: 4,
      })
      .map((edges) =>
        edges
          .sort((a, b) => (a < b ? -1 : 1))
          .map((edge) => (Number.isSafeInteger(Number(edge)) ? Number(edge) : String(edge))),
      ),
  }),
  fc.record({ element: names, as: names }, { requiredKeys: ["element"] }),
);

const named = { as: names };
const aggregates = fc.oneof(
  fc.record(
    { fn: fc.constantFrom("count" as const, "count.raw" as const), ...named },
    { requiredKeys: ["fn"] },
  ),
  fc.record({
    fn: fc.constantFrom("count" as const, "sum" as const),
    column: names,
    per: fc.constantFrom("second" as const, "minute" as const, "hour" as const),
  }),
  fc.record(
    {
      fn: fc.constantFrom("count", "sum", "avg", "min", "max", "distinct", "histogram", "stddev"),
      column: names,
      ...named,
    } as const,
    { requiredKeys: ["fn", "column"] },
  ),
  fc.record({
    fn: fc.constant("percentile" as const),
    column: names,
    p: fc.double({ min: 0.001, max: 99.999, noNaN: true }),
  }),
  fc.record(
    {
      fn: fc.oneof(names, fc.constantFrom("covariance", "sum", "p95", "ilike", "contains")),
      columns: fc.array(names, { maxLength: 3 }),
      ...named,
    },
    { requiredKeys: ["fn", "columns"] },
  ),
);

const times = {
  from: fc.oneof(
    durations.map((text) => `-${text}`),
    fc.constantFrom("-1mo", "-1mo+1ms", "-2q-3d", "now-1mo", "now-1y+2mo", "-3h-2h"),
    fc.constantFrom("now-1w", " now - 3h", "2024-01-01", "-007h", 0, -5, 1_700_000_000_000),
  ),
  to: fc.constantFrom(
    "now",
    "now+1mo",
    "now+1y-1d",
    "2099-03-31 -1mo",
    "2099-01-01",
    "2099-01-01T00:00:00+02:00",
    4_000_000_000_000,
  ),
};

const having = fc.oneof(
  fc.record({ column: names, op: fc.constantFrom("is missing", "is present") } as const),
  fc.record({
    column: names,
    op: fc.constantFrom("=", "!=", "<", "<=", ">", ">=" as const),
    value: fc.oneof(numbers, texts),
  } as const),
);

/** Queries of every shape the model has; most are sound, all are of the right form. */
export const queries: fc.Arbitrary<Query> = fc
  .record(
    {
      table: names,
      ...times,
      timeZone: fc.constantFrom("UTC", "Europe/Berlin", "Asia/Kathmandu"),
      filter: fc.array(filters, { maxLength: 4 }),
      derive: fc.uniqueArray(derived, { maxLength: 3, selector: ({ as }) => as }),
      groupBy: fc.array(groups, { maxLength: 3 }),
      aggregates: fc.array(aggregates, { maxLength: 4 }),
      calculate: fc.array(fc.record({ as: names, expression: expressions }), { maxLength: 2 }),
      show: fc.array(names, { minLength: 1, maxLength: 4 }),
      having: fc.array(having, { maxLength: 2 }),
      orderBy: fc.array(fc.record({ by: names, desc: fc.boolean() }, { requiredKeys: ["by"] }), {
        maxLength: 2,
      }),
      limit: fc.integer({ min: 1, max: 1_000_000 }),
      offset: fc.integer({ min: 0, max: 1_000_000 }),
      series: fc.option(fc.integer({ min: 1, max: 10_000 })),
      compare: fc.option(
        fc.oneof(
          fc.record({ offset: fc.oneof(durations, fc.constantFrom("1mo", "1q", "2y")) }),
          fc.record({ filter: fc.array(filters, { maxLength: 3 }) }),
          fc.record({ offset: durations, filter: fc.array(filters, { maxLength: 2 }) }),
        ),
      ),
      sampleView: fc.option(
        fc.record({ columns: fc.option(fc.array(names, { maxLength: 3 })) }, { requiredKeys: [] }),
        { freq: 3 },
      ),
      exact: fc.boolean(),
      timeoutMs: fc.integer({ min: 1, max: 120_000 }),
      freshnessMs: fc.option(fc.nat(100_000)),
      cache: fc.constantFrom("use" as const, "refresh" as const, "off" as const),
    },
    { requiredKeys: ["table", "from", "to"] },
  )
  .map((query) => withDistinctNames(query as Query));

/** Result columns need distinct names: those that collide are named after their place. */
function withDistinctNames(query: Query): Query {
  const seen = new Set<string>();
  const free = (name: string, place: string): string | undefined => {
    const isFree = !seen.has(name) && name !== "count.raw";
    seen.add(name);
    return isFree ? undefined : place;
  };
  const groupBy = query.groupBy?.map((group, i): GroupBy => {
    const object = typeof group === "string" ? { column: group } : group;
    const name = object.as ?? ("time" in object ? "time" : nameOf(object));
    const as = free(name, `group ${i}`);
    return as === undefined ? group : { ...object, as };
  });
  const specs = query.aggregates?.map((spec, i) => {
    const as = free(aggregateName(spec), `aggregate ${i}`);
    return as === undefined ? spec : { ...spec, as };
  });
  const named = {
    ...query,
    ...(groupBy === undefined ? {} : { groupBy }),
    ...(specs === undefined ? {} : { aggregates: specs }),
  };
  return withKnownNames(withCalculations(named, seen));
}

/** Calculations begin with an aggregate, and name nothing else than aggregates and groups. */
function withCalculations(query: Query, seen: Set<string>): Query {
  const { calculate, show, ...rest } = query;
  const named = (rest.aggregates ?? []).map(aggregateName);
  const aggregated = named.length === 0 ? ["count"] : named;
  if (rest.sampleView || (named.length === 0 && seen.has("count"))) return rest;
  seen.add("count");
  const known = [...aggregated, ...(rest.groupBy ?? []).map(groupName)];
  const pick = (name: string, from: readonly string[]): string => from[name.length % from.length]!;
  const bind = (expression: Expression): Expression => {
    if ("column" in expression) return { column: pick(expression.column, known) };
    if (!("fn" in expression)) return expression;
    return { fn: expression.fn, args: expression.args.map(bind) };
  };
  const columns = (calculate ?? []).map(({ as, expression }, i) => {
    const first = { column: pick(as, aggregated) };
    const own = seen.has(as) || as === "count.raw" ? `calculated ${i}` : as;
    seen.add(own);
    return { as: own, expression: { fn: "/" as const, args: [first, bind(expression)] } };
  });
  const all = [...known, ...columns.map(({ as }) => as)];
  const shown = show === undefined ? [] : [...new Set(show.map((name) => pick(name, all)))];
  return {
    ...rest,
    ...(columns.length === 0 ? {} : { calculate: columns }),
    ...(shown.length === 0 ? {} : { show: shown }),
  };
}

function withKnownNames(named: Query): Query {
  const known = resultNames(named);
  const pick = (name: string): string => known[name.length % known.length] ?? "";
  const { orderBy, having, ...rest } = named;
  if (known.length === 0) return rest;
  return {
    ...rest,
    ...(orderBy === undefined
      ? {}
      : { orderBy: orderBy.map((one) => ({ ...one, by: pick(one.by) })) }),
    ...(having === undefined
      ? {}
      : { having: having.map((one) => ({ ...one, column: pick(one.column) })) }),
  };
}

/** Names of the result columns that can be ordered by. */
function resultNames({ sampleView, groupBy, aggregates, compare }: Query): readonly string[] {
  if (sampleView !== undefined && sampleView !== null) return ["time"];
  const compared =
    compare === undefined || compare === null ? [""] : ["", ".compare", ".delta", ".delta_pct"];
  return [
    ...(groupBy ?? []).map(groupName),
    ...(aggregates ?? [])
      .filter(isNumberAggregate)
      .flatMap((spec) => compared.map((part) => aggregateName(spec) + part)),
  ];
}

function groupName(group: GroupBy): string {
  return typeof group === "string" ? group : (group.as ?? nameOf(group));
}

function nameOf(group: Exclude<GroupBy, string>): string {
  if ("column" in group) return group.column;
  if ("bucket" in group) return group.bucket;
  return "element" in group ? group.element : "time";
}
