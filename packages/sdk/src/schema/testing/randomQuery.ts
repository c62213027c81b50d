import fc from "fast-check";
import { aggregateFns } from "../../model/aggregate.js";
import { operatorsTaking } from "../../model/check/checkFilter.js";
import { expressionFns } from "../../model/expression.js";

/**
 * Values that are wrong in most places: typical mistakes of people and programs.
 */
const junk = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1, 1.5, 100, 1e300, 2 ** 53, -(2 ** 53), 2 ** 53 - 1),
  fc.constantFrom(
    "",
    "x",
    "now",
    "-1h",
    "1m",
    "0s",
    "7d",
    "1 day",
    "=",
    "count",
    "log",
    "a\u0001b",
  ),
  fc.constantFrom<unknown>([], {}, [1], ["a"], [null], { column: "a" }, { time: "1m" }, [[]]),
  fc.double({ noNaN: true }),
  fc.string(),
);
const name = fc.constantFrom("a", "status", "__proto__", "count", "länge", "time");
const duration = fc.constantFrom("1m", "90s", "7d", "1h", "1mo", "2q", "0y");
const filterValue = fc.constantFrom<unknown>("x", "", 5, -0.5, true, "9223372036854775807");

const columnFilter = fc.oneof(
  fc.record({ column: name, op: fc.constantFrom(...operatorsTaking("one")), value: filterValue }),
  fc.record({
    column: name,
    op: fc.constantFrom(...operatorsTaking("text")),
    value: fc.constantFrom("", "^x"),
  }),
  fc.record({
    column: name,
    op: fc.constantFrom(...operatorsTaking("list")),
    value: fc.array(filterValue, { maxLength: 3 }),
  }),
  fc.record({ column: name, op: fc.constantFrom(...operatorsTaking("none")) }),
);
const { filter } = fc.letrec<{ filter: unknown }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    columnFilter,
    fc.record({ any: fc.array(tie("filter"), { maxLength: 3 }) }),
    fc.record({ all: fc.array(tie("filter"), { maxLength: 3 }) }),
    fc.record({ not: tie("filter") }),
  ),
}));
const filters = fc.array(filter, { maxLength: 3 });
const { expression } = fc.letrec<{ expression: unknown }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({ column: name }),
    fc.record({ value: fc.constantFrom<unknown>(1, "x", null, true) }),
    fc.record({ integer: fc.constantFrom("9223372036854775807", "-1") }),
    fc.record({
      fn: fc.constantFrom(...expressionFns),
      args: fc.array(tie("expression"), { maxLength: 3 }),
    }),
  ),
}));
const derived = fc.oneof(
  fc.record({ as: name, expression }),
  fc.record({ as: name, js: fc.constant("(row) => row.a") }),
  fc.record(
    { as: name, function: name, args: fc.array(name) },
    { requiredKeys: ["as", "function"] },
  ),
);
const groupBy = fc.oneof(
  name,
  fc.record({ time: duration, as: name }, { requiredKeys: ["time"] }),
  fc.record({ column: name, as: name }, { requiredKeys: ["column"] }),
  fc.record({ element: name, as: name }, { requiredKeys: ["element"] }),
  fc.record({ bucket: name, scale: fc.constant("log") }),
  fc.record({ bucket: name, width: fc.constantFrom<unknown>(10, 0.5) }),
  fc.record({
    bucket: name,
    scale: fc.constant("linear"),
    edges: fc.constantFrom([1, 2, 3], [2, 1]),
  }),
);
const as = fc.constantFrom("x", "y", "z", "u", "v", "w");
const per = fc.constantFrom("second", "minute", "hour");
const fnsOfOwnForm: readonly string[] = ["count", "count.raw", "sum", "percentile"];
const fnsOfColumns = aggregateFns.filter((fn) => !fnsOfOwnForm.includes(fn));
const aggregate = fc.oneof(
  fc.record({ fn: fc.constant("count"), column: name, per, as }, { requiredKeys: ["fn"] }),
  fc.record({ fn: fc.constant("count.raw"), as }, { requiredKeys: ["fn"] }),
  fc.record({ fn: fc.constant("sum"), column: name, per, as }, { requiredKeys: ["fn", "column"] }),
  fc.record({ fn: fc.constant("percentile"), column: name, p: fc.constantFrom(50, 99.9), as }),
  fc.record({
    fn: fc.constantFrom(...fnsOfColumns),
    column: name,
    as,
  }),
  fc.record(
    {
      fn: fc.constantFrom("covariance", "entropy", "__proto__", "länge", "sum", "count"),
      columns: fc.oneof(
        { weight: 5, arbitrary: fc.array(name, { maxLength: 3 }) },
        fc.array(name, { minLength: 19, maxLength: 22 }),
      ),
      as,
    },
    { requiredKeys: ["fn", "columns"] },
  ),
);
const order = fc.record({ by: name, desc: fc.boolean() }, { requiredKeys: ["by"] });
const having = fc.record(
  {
    column: name,
    op: fc.constantFrom("=", ">", "is missing"),
    value: fc.constantFrom<unknown>(1, "1", 2 ** 60),
  },
  { requiredKeys: ["column", "op"] },
);
const compare = fc.oneof(
  fc.record({ offset: duration, filter: filters }, { requiredKeys: ["offset"] }),
  fc.record({ filter: filters }),
);
const sampleView = fc.record(
  { columns: fc.oneof(fc.constant(null), fc.array(name)) },
  { requiredKeys: [] },
);

const sound = fc.record(
  {
    table: name,
    from: fc.constantFrom<unknown>("-3h", 0, "2025-06-21", "now-1d", "2025-06-21T10:00:00Z"),
    to: fc.constantFrom<unknown>("now", 1750500000000, "2030-01-01", "1750500000000"),
    timeZone: fc.constantFrom("UTC", "Europe/Berlin"),
    filter: filters,
    derive: fc.array(derived, { maxLength: 2 }),
    groupBy: fc.array(groupBy, { maxLength: 3 }),
    aggregates: fc.array(aggregate, { maxLength: 3 }),
    having: fc.array(having, { maxLength: 1 }),
    orderBy: fc.array(order, { maxLength: 2 }),
    limit: fc.constantFrom(1, 100, 1_000_000),
    offset: fc.constantFrom(0, 7, 10_000_000),
    series: fc.constantFrom(null, 10, 10_000),
    compare: fc.option(compare),
    sampleView: fc.option(sampleView),
    exact: fc.boolean(),
    timeoutMs: fc.constantFrom(1, 120_000),
    freshnessMs: fc.constantFrom(null, 5),
    cache: fc.constantFrom("use", "refresh", "off"),
  },
  { requiredKeys: ["table", "from", "to"] },
);

interface Change {
  readonly place: number;
  readonly kind: "replace" | "remove" | "add";
  readonly value: unknown;
}
const change: fc.Arbitrary<Change> = fc.record({
  place: fc.nat(),
  kind: fc.constantFrom("replace", "remove", "add"),
  value: junk,
});

/** Queries, most of them with an error in one place. */
export const randomQuery: fc.Arbitrary<unknown> = fc
  .tuple(sound, fc.array(change, { maxLength: 2, size: "max" }))
  .map(([query, changes]) => changes.reduce(applyChange, JSON.parse(JSON.stringify(query))));

type Holder = Record<string, unknown>;

function applyChange(query: Holder, { place, kind, value: shared }: Change): Holder {
  // A later change may go inside it.
  const value = structuredClone(shared);
  const places = placesOf(query);
  const [holder, key] = places[place % places.length] ?? [query, "table"];
  if (kind === "replace") holder[key] = value;
  else if (kind === "add") holder[Array.isArray(holder) ? holder.length : "extra"] = value;
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
  return query;
}

/** Every place within a query: the object or list that contains it, and its key. */
function placesOf(holder: Holder): [Holder, string][] {
  return Object.keys(holder).flatMap((key) => {
    const value = holder[key];
    const here: [Holder, string] = [holder, key];
    return typeof value === "object" && value !== null
      ? [here, ...placesOf(value as Holder)]
      : [here];
  });
}
