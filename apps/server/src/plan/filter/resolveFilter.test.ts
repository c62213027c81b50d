import { type Filter, HadalError } from "@hadal/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OracleRow } from "../../../test/oracle/table/oracleTable.js";
import { floorScaled, parseExactDecimal } from "../../base/number/decimalText.js";
import { createTableSchema } from "../schema/tableSchema.js";
import { passesFilter } from "../testing/passesFilter.js";
import { resolveFilters } from "./resolveFilter.js";

const table = createTableSchema("requests", [
  { name: "status", type: "int", decimals: 0 },
  { name: "price", type: "int", decimals: 2 },
  { name: "service", type: "string", decimals: 0 },
  { name: "features", type: "set", decimals: 0 },
  { name: "stack", type: "vector", decimals: 0 },
]);
const nowMs = Date.parse("2024-06-01T00:00Z");
/** Open ends are farther than 64 bits at any scale. */
const [noLow, noHigh] = [`${-(10n ** 60n)}`, `${10n ** 60n}`];
const int64Max = "9223372036854775807";

function resolve(...filters: Filter[]) {
  return resolveFilters(filters, table, { nowMs, timeZone: "Europe/Berlin" }, "filter");
}

function problemOf(filter: Filter): HadalError {
  try {
    resolve(filter);
  } catch (error) {
    if (error instanceof HadalError) return error;
    throw error;
  }
  return expect.fail("it should have been refused");
}

const range = (column: string, decimals: number, low: string, high: string, negated = false) => ({
  kind: "range",
  column,
  decimals,
  low,
  high,
  negated,
});

describe("comparisons of integers", () => {
  test.each([
    ["<", 3.145, noLow, "314"],
    ["<", 3.14, noLow, "313"],
    ["<", "3.140", noLow, "313"],
    ["<=", 3.145, noLow, "314"],
    ["<=", 3.14, noLow, "314"],
    [">", 3.145, "315", noHigh],
    [">", 3.14, "315", noHigh],
    [">=", 3.145, "315", noHigh],
    [">=", 3.14, "314", noHigh],
    ["=", 3.14, "314", "314"],
    ["=", 3.145, "1", "0"],
    ["=", "1e2", "10000", "10000"],
    ["=", -0.5, "-50", "-50"],
    ["<", -0.005, noLow, "-1"],
    [">", -0.005, "0", noHigh],
    [">=", -0.005, "0", noHigh],
    ["=", "92233720368547758.07", int64Max, int64Max],
    ["=", "92233720368547758.08", "9223372036854775808", "9223372036854775808"],
    ["<", "1e30", noLow, `${10n ** 32n - 1n}`],
    [">", "1e30", `${10n ** 32n + 1n}`, noHigh],
    [">", "-1e30", `${1n - 10n ** 32n}`, noHigh],
    ["=", 12n, "1200", "1200"],
  ] as const)("price %s %s", (op, value, low, high) => {
    expect(resolve({ column: "price", op, value })).toEqual(range("price", 2, low, high));
  });

  test("!= is the negation of =, and of nothing when no row can equal it", () => {
    expect(resolve({ column: "status", op: "!=", value: 500 })).toEqual(
      range("status", 0, "500", "500", true),
    );
    expect(resolve({ column: "status", op: "!=", value: 0.5 })).toEqual(
      range("status", 0, "1", "0", true),
    );
  });

  test("in keeps what a row can hold, each value once", () => {
    expect(resolve({ column: "price", op: "in", value: [1, "1.00", 2.345, "1e40"] })).toEqual({
      kind: "ints",
      column: "price",
      decimals: 2,
      // Rows that came before the column had decimals may hold what it has no room for now.
      values: ["100", `${10n ** 42n}`],
      negated: false,
    });
  });

  test("exact decimals agree with arithmetic on their digits", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
        fc.nat(8),
        fc.nat(8),
        (digits, scale, decimals) => {
          const text = `${digits}e-${scale}`;
          const { floor, exact } = floorScaled(parseExactDecimal(text)!, decimals);
          // floor · 10^scale <= digits · 10^decimals < (floor + 1) · 10^scale
          const value = digits * 10n ** BigInt(decimals);
          const unit = 10n ** BigInt(scale);
          expect(floor * unit <= value && value < (floor + 1n) * unit).toBe(true);
          expect(exact).toBe(floor * unit === value);
        },
      ),
    );
  });

  test.each([
    "",
    ".",
    "-",
    "1e",
    "0x10",
    "1_000",
    "NaN",
    "Infinity",
    "1.2.3",
    "９",
    "9".repeat(401),
  ])("%s is no number", (text) => expect(parseExactDecimal(text)).toBeNull());
});

test("time compares with milliseconds and ISO texts", () => {
  const ms = String(nowMs);
  expect(resolve({ column: "time", op: ">=", value: "2024-06-01T00:00:00Z" })).toEqual(
    range("time", 0, ms, noHigh),
  );
  expect(resolve({ column: "time", op: "=", value: nowMs })).toEqual(range("time", 0, ms, ms));
  expect(problemOf({ column: "time", op: "=", value: "noon" }).errors[0]?.path).toBe(
    "filter[0].value",
  );
});

describe("conditions on strings", () => {
  test("numbers and truth values stand for their text", () => {
    expect(resolve({ column: "service", op: "in", value: ["a", 500, true, 1e21, "a"] })).toEqual({
      kind: "strings",
      column: "service",
      values: ["a", "500", "true", "1000000000000000000000"],
      negated: false,
    });
    expect(resolve({ column: "service", op: "!=", value: false })).toMatchObject({
      values: ["false"],
      negated: true,
    });
  });

  test("contains, match and order", () => {
    expect(resolve({ column: "service", op: "contains", value: "out" })).toMatchObject({
      kind: "contains",
      needle: "out",
    });
    expect(resolve({ column: "service", op: "!~", value: "^a" })).toMatchObject({
      kind: "match",
      pattern: "^a",
      negated: true,
    });
    expect(resolve({ column: "service", op: "<", value: "m" })).toMatchObject({
      kind: "order",
      op: "<",
      value: "m",
    });
  });

  test("every present text contains the empty one; none does not", () => {
    const empty: Filter = { column: "service", op: "contains", value: "" };
    expect(resolve(empty)).toEqual({ kind: "present", column: "service", negated: false });
    expect(resolve({ not: empty })).toEqual({ kind: "any", filters: [] });
  });
});

describe("refusals", () => {
  test.each([
    [{ column: "statos", op: "=", value: 1 }, "unknown-column", "filter[0].column", /status/],
    [
      { column: "requests.status", op: "=", value: 1 },
      "unknown-column",
      "filter[0].column",
      /"status"\? Columns are named without/,
    ],
    [
      { column: "status", op: "=", value: "abc" },
      "type-mismatch",
      "filter[0].value",
      /status \(int\)/,
    ],
    [{ column: "status", op: "=", value: true }, "type-mismatch", "filter[0].value", /true/],
    [
      { column: "price", op: "~", value: "a" },
      "type-mismatch",
      "filter[0].op",
      /price \(decimal\)/,
    ],
    [
      { column: "service", op: "<", value: 5 },
      "type-mismatch",
      "filter[0].value",
      /service \(string\)/,
    ],
    [
      { column: "service", op: "~", value: "(" },
      "invalid-pattern",
      "filter[0].value",
      /missing closing \)/,
    ],
    [{ column: "service", op: "~", value: "(?=a)" }, "invalid-pattern", "filter[0].value", /./],
    [
      { column: "features", op: "=", value: "a" },
      "type-mismatch",
      "filter[0].op",
      /features \(set\); these do: includes any, includes all/,
    ],
    [
      { column: "features", op: "starts with", value: ["a"] },
      "type-mismatch",
      "filter[0].op",
      /"starts with" does not work on column features \(set\)/,
    ],
    [
      { column: "service", op: "includes any", value: ["a"] },
      "type-mismatch",
      "filter[0].op",
      /service \(string\); these do: =/,
    ],
    [
      { column: "stack", op: "contains sequence", value: "a" },
      "type-mismatch",
      "filter[0].value",
      /list/,
    ],
    [
      { any: [{ not: { column: "status", op: "in", value: [1, "x"] } }] },
      "type-mismatch",
      "filter[0].any[0].not.value[1]",
      /x/,
    ],
  ] as const)("%j", (filter, code, path, text) => {
    const problem = problemOf(filter as Filter);
    expect(problem.code).toBe(code);
    expect(problem.errors[0]?.path).toBe(path);
    expect(problem.message).toMatch(text);
  });
});

/** SQL's three-valued logic, straight from the filter as asked. */
type Truth = boolean | null;

function truthOf(filter: Filter, row: OracleRow): Truth {
  if ("not" in filter) return negate(truthOf(filter.not, row));
  if ("all" in filter) return every(filter.all.map((part) => truthOf(part, row)));
  if ("any" in filter) return negate(every(filter.any.map((part) => negate(truthOf(part, row)))));
  const value = row.values.get(filter.column);
  if (filter.op === "is missing") return value === undefined;
  if (filter.op === "is present") return value !== undefined;
  if (value === undefined) return null;
  const order = Number(value) - Number(filter.value);
  return { "=": order === 0, "!=": order !== 0, "<": order < 0, ">=": order >= 0 }[
    filter.op as "=" | "!=" | "<" | ">="
  ];
}

function every(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(null) ? null : true;
}

function negate(truth: Truth): Truth {
  return truth === null ? null : !truth;
}

test("pushing NOT down keeps what is true, with missing values in play", () => {
  const condition = fc.record({
    column: fc.constantFrom("status", "price"),
    op: fc.constantFrom("=", "!=", "<", ">="),
    value: fc.integer({ min: 0, max: 3 }),
  });
  const presence = fc.record({
    column: fc.constantFrom("status", "price"),
    op: fc.constantFrom("is missing", "is present"),
  });
  const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      condition as fc.Arbitrary<Filter>,
      presence as fc.Arbitrary<Filter>,
      fc.record({ not: tie("filter") }),
      fc.record({ any: fc.array(tie("filter"), { maxLength: 3 }) }),
      fc.record({ all: fc.array(tie("filter"), { maxLength: 3 }) }),
    ),
  }));
  const value = fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined });
  fc.assert(
    fc.property(filter, value, value, (asked, status, price) => {
      const values = new Map<string, bigint>();
      const stored = new Map<string, bigint>();
      for (const [name, one, decimals] of [
        ["status", status, 0],
        ["price", price, 2],
      ] as const) {
        if (one === undefined) continue;
        values.set(name, BigInt(one));
        stored.set(name, BigInt(one) * 10n ** BigInt(decimals));
      }
      const truth = truthOf(asked, { timeMs: 0, values });
      expect(passesFilter(resolve(asked), { timeMs: 0, values: stored })).toBe(truth === true);
    }),
    { numRuns: 500 },
  );
});
