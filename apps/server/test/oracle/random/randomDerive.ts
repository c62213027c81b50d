import type { DerivedColumn, Expression, ExpressionFn, Query } from "@hadal/sdk";
import { timeParts } from "@hadal/sdk";
import { deriveTable } from "../naive/deriveTable.js";
import type { SeededRandom } from "../seed/seededRandom.js";
import { createSeededRandom } from "../seed/seededRandom.js";
import type { OracleTable } from "../table/oracleTable.js";
import { randomFilters } from "./randomFilter.js";

const ints = ["small", "latency_us", "regular", "constant", "price", "ratio", "grown", "wide"];
/** Codes, texts without a dictionary, and strings that were numbers once. */
const strings = ["few", "many", "odd", "flag", "message", "unique", "mixed", "constructor"];
const lists = ["features", "stack", "turned", "gathered"];

/** A query over derived columns, and the table as it would be with them; decided by the seed alone. */
export function randomDerivedQuery(
  table: OracleTable,
  seed: number,
): { readonly query: Query; readonly derived: OracleTable } {
  const random = createSeededRandom(seed);
  for (;;) {
    const timeZone = random.chance(0.3) ? "America/New_York" : "UTC";
    const derive = randomDerive(random);
    const scope: Query = { table: table.name, from: 0, to: 1, timeZone, derive };
    const derived = deriveTable(table, scope);
    if (derived === null) continue;
    const names = derive.map(({ as }) => as);
    // Random filters take their values from the first row.
    const isThere = (name: string) => derived.rows[0]?.values.get(name) !== undefined;
    if (!names.every(isThere)) continue;
    return { query: { ...scope, ...randomRest(derived, names, random) }, derived };
  }
}

function randomDerive(random: SeededRandom): DerivedColumn[] {
  const count = random.pick([1, 2, 2, 3]);
  const known = { ints: [...ints], strings: [...strings] };
  return Array.from({ length: count }, (_, i) => {
    const as = random.pick(["d", "derived ", "__proto__"]) + i;
    const kind = random.int(0, 5);
    const depth = random.pick([1, 2, 2, 3]);
    if (kind < 3) {
      const expression = number(random, known, depth);
      known.ints.push(as);
      return { as, expression };
    }
    const expression = (kind === 3 ? condition : text)(random, known, depth);
    known.strings.push(as);
    return { as, expression };
  });
}

interface Known {
  readonly ints: readonly string[];
  readonly strings: readonly string[];
}

function number(random: SeededRandom, known: Known, depth: number): Expression {
  const next = () => number(random, known, depth - 1);
  if (depth === 0 || random.chance(0.15)) {
    return random.chance(0.3) ? constant(random) : { column: random.pick(known.ints) };
  }
  switch (random.int(0, 12)) {
    case 0:
    case 1:
      return call(random.pick(["+", "-"]), next(), next());
    case 2:
      return call("*", next(), constant(random));
    case 3:
      return call("/", next(), next());
    case 4:
      return call("%", next(), next());
    case 5:
      return call(random.pick(["least", "greatest"]), next(), next());
    case 6:
      if (random.chance(0.2)) return call("round", next(), { value: random.int(0, 4) });
      return call(random.pick(["negate", "abs", "to_int", "floor", "ceil", "round"]), next());
    case 7: {
      const pairs = [condition(random, known, depth - 1), next()];
      return call("case", ...pairs, ...(random.chance(0.7) ? [next()] : []));
    }
    case 8:
      return call("coalesce", next(), next());
    case 9:
      return call("nullif", next(), next());
    case 10:
      return random.chance(0.5)
        ? call("length", { column: random.pick(lists) })
        : call("length", text(random, known, depth - 1));
    case 11:
      return call("to_int", text(random, known, depth - 1));
    default:
      return call("extract", { value: random.pick(timeParts) }, { column: "time" });
  }
}

function text(random: SeededRandom, known: Known, depth: number): Expression {
  const next = () => text(random, known, depth - 1);
  const small = () => ({ value: random.int(-1, 4) });
  if (depth === 0 || random.chance(0.15)) {
    return random.chance(0.2)
      ? { value: random.pick(["", "a", "checkout", "é"]) }
      : { column: random.pick(known.strings) };
  }
  switch (random.int(0, 9)) {
    case 0:
    case 1:
      return call(random.pick(["lower", "upper", "pattern", "trim"]), next());
    case 2:
      return call("substr", next(), small(), ...(random.chance(0.6) ? [small()] : []));
    case 3:
      return call("replace", next(), { value: random.pick(["e", "/", "a"]) }, { value: "__" });
    case 4:
      return call("concat", next(), { value: "/" }, next());
    case 5:
      return call("to_string", number(random, known, depth - 1));
    case 6:
    case 7: {
      const pairs = [condition(random, known, depth - 1), next()];
      return call("case", ...pairs, ...(random.chance(0.7) ? [next()] : []));
    }
    case 8:
      return call("nullif", next(), { value: random.pick(["checkout", "true", ""]) });
    default:
      return call("coalesce", next(), next());
  }
}

function condition(random: SeededRandom, known: Known, depth: number): Expression {
  const inner = () => condition(random, known, depth - 1);
  const aNumber = () => number(random, known, Math.max(0, depth - 1));
  const aText = () => text(random, known, Math.max(0, depth - 1));
  switch (depth <= 0 ? random.int(4, 8) : random.int(0, 8)) {
    case 0:
      return call(random.pick(["and", "or"]), inner(), inner());
    case 1:
      return call("not", inner());
    case 2:
      return call(
        random.pick(["is missing", "is present"]),
        random.chance(0.5) ? aNumber() : aText(),
      );
    case 3:
      return call("in", aNumber(), constant(random), constant(random));
    case 4:
      return call("in", aText(), { value: "checkout" }, { value: "true" }, { value: "a" });
    case 5:
      return call(random.pick(["contains", "starts_with", "ends_with"]), aText(), { value: "e" });
    case 6:
      return call("~", aText(), { value: random.pick(["^[a-c]", "\\d\\d$", "e+"]) });
    case 7:
      return call(random.pick(["=", "!=", "<", "<=", ">", ">="]), aText(), aText());
    default:
      return call(random.pick(["=", "!=", "<", "<=", ">", ">="]), aNumber(), aNumber());
  }
}

function constant(random: SeededRandom): Expression {
  if (random.chance(0.1)) return { integer: "4611686018427387904" };
  if (random.chance(0.1)) return { decimal: random.pick(["3.0", "-10.00", "0.125000000"]) };
  return { value: random.pick([0, 1, -1, 2, 3, 7, 10, 1000, 0.5, 2.25]) };
}

function call(fn: ExpressionFn, ...args: readonly Expression[]): Expression {
  return { fn, args };
}

function randomRest(
  table: OracleTable,
  names: readonly string[],
  random: SeededRandom,
): Partial<Query> {
  const times = table.rows.map((row) => row.timeMs);
  const from = times.reduce((a, b) => Math.min(a, b));
  const to = times.reduce((a, b) => Math.max(a, b)) + 1;
  const middle = from + Math.floor((to - from) * random.next());
  const range = random.chance(0.6) ? { from, to } : { from, to: Math.max(from + 1, middle) };
  const filters = randomFilters(
    { ...table, columns: table.columns.filter(({ name }) => names.includes(name)) },
    random,
  );
  const filter = random.chance(0.5) ? filters : [];
  if (random.chance(0.12)) {
    return { ...range, filter, sampleView: { columns: [...names, "small"] }, limit: 50 };
  }
  const isInt = (name: string) =>
    table.columns.some((one) => one.name === name && one.type === "int");
  const numbers = names.filter(isInt);
  const fns = ["sum", "min", "max", "avg", "percentile"] as const;
  const aggregates = [
    { fn: "count" as const },
    ...names.map((column, i) => ({ fn: "count" as const, column, as: `present${i}` })),
    ...numbers.map((column, i) => {
      const fn = random.pick(fns);
      return { fn, column, as: `number${i}`, ...(fn === "percentile" ? { p: 75 } : {}) };
    }),
    { fn: "distinct" as const, column: random.pick(names), as: "distinct" },
  ];
  const groups = random.sample([...names, "few"], random.pick([0, 1, 1, 2]));
  const bucketed = numbers.length > 0 && random.chance(0.15);
  const groupBy = bucketed ? [{ bucket: numbers[0]!, scale: "log" as const }] : groups;
  const compare = random.chance(0.15) ? { compare: { filter: filters } } : {};
  return { ...range, filter, groupBy, aggregates, ...compare };
}
