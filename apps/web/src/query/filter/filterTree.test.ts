import type { ColumnFilter, Filter } from "@hadal/sdk";
import { parseSql, printSql } from "@hadal/sdk/sql";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { conditionOf, inverted, orMissing, restOf, sameFilter } from "./filterTree.js";
import { filterLabel } from "./operators.js";

type Row = Readonly<Record<string, number | null>>;

/** As SQL has it; null: unknown. */
function holds(filter: Filter, row: Row): boolean | null {
  if ("not" in filter) {
    const inner = holds(filter.not, row);
    return inner === null ? null : !inner;
  }
  if ("any" in filter) return joined(filter.any, row, true);
  if ("all" in filter) return joined(filter.all, row, false);
  const value = row[filter.column] ?? null;
  if (filter.op === "is missing") return value === null;
  if (filter.op === "is present") return value !== null;
  return value === null ? null : compared(filter, value);
}

/** `decisive`: what one part must be to decide. */
function joined(filters: readonly Filter[], row: Row, decisive: boolean): boolean | null {
  const parts = filters.map((filter) => holds(filter, row));
  if (parts.includes(decisive)) return decisive;
  return parts.includes(null) ? null : !decisive;
}

function compared({ op, value }: ColumnFilter, is: number): boolean {
  const values = [value].flat().map(Number);
  const than = values[0] ?? 0;
  switch (op) {
    case "=":
    case "in":
      return values.includes(is);
    case "!=":
    case "not in":
      return !values.includes(is);
    case "<":
      return is < than;
    case ">=":
      return is >= than;
    default:
      // No operator says the opposite of it.
      return String(is).includes(String(than));
  }
}

const cell = fc.constantFrom(null, 1, 2, 3);
const row: fc.Arbitrary<Row> = fc.record({ a: cell, b: cell });
const column = fc.constantFrom("a", "b");
const value = fc.constantFrom(1, 2, 3);
const condition: fc.Arbitrary<ColumnFilter> = fc.oneof(
  fc.record({
    column,
    op: fc.constantFrom("=" as const, "!=" as const, "<" as const, ">=" as const),
    value,
  }),
  fc.record({
    column,
    op: fc.constantFrom("in" as const, "not in" as const),
    value: fc.tuple(value, value),
  }),
  fc.record({ column, op: fc.constant("contains" as const), value }),
  fc.record({ column, op: fc.constantFrom("is missing" as const, "is present" as const) }),
);
const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    condition,
    fc.record({ not: tie("filter") }),
    fc.record({ any: fc.array(tie("filter"), { maxLength: 3 }) }),
    fc.record({ all: fc.array(tie("filter"), { maxLength: 3 }) }),
  ),
}));

const equal = (name: string, is: number): ColumnFilter => ({ column: name, op: "=", value: is });

describe("the rest", () => {
  test("has every row that the filter does not have, those without a value too", () => {
    fc.assert(
      fc.property(filter, fc.array(row, { minLength: 1 }), (one, rows) => {
        const rest = restOf(one);
        for (const each of rows) {
          expect(holds(rest, each) === true).toBe(holds(one, each) !== true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test.each<[Filter, string]>([
    [equal("a", 1), "a ≠ 1 or missing"],
    [{ column: "a", op: "in", value: [1, 2] }, "a not in 1, 2 or missing"],
    [{ column: "a", op: "includes any", value: ["x"] }, "a includes none x or missing"],
    [{ column: "a", op: "is missing" }, "a is present"],
    [{ column: "a", op: "contains", value: "x" }, "all but (a contains x)"],
    [{ all: [equal("a", 1), equal("b", 2)] }, "all but (a = 1 and b = 2)"],
    [
      {
        all: [
          { column: "a", op: ">=", value: 10 },
          { column: "a", op: "<", value: 20 },
        ],
      },
      "all but (a ≥ 10 and a < 20)",
    ],
    [{ any: [equal("a", 1), equal("b", 2)] }, "((a ≠ 1 or missing) and (b ≠ 2 or missing))"],
  ])("of %j reads %s", (one, label) => {
    expect(filterLabel(restOf(one))).toBe(label);
    expect(restOf(restOf(one))).toEqual(one);
  });

  test("is read back from SQL as what it was", () => {
    const rest = restOf({ all: [equal("a", 1), equal("b", 2)] });
    const query = { table: "t", from: 0, to: 1, sampleView: {}, filter: [rest] } as const;
    expect(parseSql(printSql(query)).filter).toEqual([rest]);
  });

  test("a filter from the server for a range or a pair has the same words", () => {
    const missing = { column: "a", op: "is missing" } as const;
    const [below, from] = [
      { column: "a", op: "<", value: 10 },
      { column: "a", op: ">=", value: 20 },
    ] as const;
    expect(filterLabel({ any: [below, from, missing] })).toBe("all but (a ≥ 10 and a < 20)");
    const pair = { any: [restOf(equal("a", 1)), restOf(equal("b", 2))] };
    expect(filterLabel(pair)).toBe("all but (a = 1 and b = 2)");
    expect(filterLabel({ any: [equal("a", 1), { column: "b", op: "is missing" }] })).toBe(
      "(a = 1 or b is missing)",
    );
  });
});

describe("turned over", () => {
  test.each<[Filter, Filter]>([
    [equal("a", 1), orMissing({ column: "a", op: "!=", value: 1 })],
    [
      { column: "a", op: "includes any", value: ["x"] },
      orMissing({ column: "a", op: "includes none", value: ["x"] }),
    ],
    [{ column: "a", op: "<", value: 1 }, orMissing({ column: "a", op: ">=", value: 1 })],
    [
      { column: "a", op: "is missing" },
      { column: "a", op: "is present" },
    ],
    [{ any: [] }, { all: [] }],
  ])("%j and %j are each other's opposite", (one, other) => {
    expect(inverted(one)).toEqual(other);
    expect(inverted(other)).toEqual(one);
  });

  test("a written negation becomes the negated filter", () => {
    expect(inverted({ column: "a", op: "not in", value: [1, 2] })).toEqual({
      column: "a",
      op: "in",
      value: [1, 2],
    });
    expect(inverted({ not: { all: [equal("a", 1)] } })).toEqual({ all: [equal("a", 1)] });
  });
});

test("the editor has fields for one condition, with or without the rows that have no value", () => {
  fc.assert(
    fc.property(condition, (one) => {
      expect(conditionOf(one)).toBe(one);
      const both = orMissing(one);
      expect(conditionOf(both)).toEqual(one);
      expect(sameFilter(both, one)).toBe(false);
    }),
  );
  expect(conditionOf({ any: [equal("a", 1), { column: "b", op: "is missing" }] })).toBeNull();
  expect(conditionOf({ any: [equal("a", 1)] })).toBeNull();
  expect(conditionOf({ not: equal("a", 1) })).toBeNull();
});
