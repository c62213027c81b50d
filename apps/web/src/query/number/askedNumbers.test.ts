import type { Filter, Query } from "@hadal/sdk";
import { checkQuery } from "@hadal/sdk/checks";
import { parseSql, printSql } from "@hadal/sdk/sql";
import { describe, expect, test } from "vitest";
import type { Aggregate, Plain, Ratio } from "./aggregate.js";
import { askedNumbers, numbersOfQuery } from "./askedNumbers.js";

const errors: Filter = { column: "status", op: ">=", value: 500 };
const base = { table: "requests", from: "-3h", to: "now", groupBy: [{ time: "1m" }, "service"] };
const rate: Ratio = {
  ...{ fn: "ratio", of: { fn: "count", where: errors }, by: { fn: "count" } },
  percent: true,
};
const asked = (...aggregates: readonly Aggregate[]): Query => askedNumbers({ ...base, aggregates });

describe("numbers in a query", () => {
  test("plain ones as they are", () => {
    const plain = { ...base, aggregates: [{ fn: "count" }, { fn: "percentile", p: 95 }] } as const;
    expect(askedNumbers({ ...plain, aggregates: [...plain.aggregates] })).toEqual(plain);
    expect(askedNumbers(base)).toEqual(base);
  });

  test("a condition is a column per row, 1 where it counts rows", () => {
    const p95 = { fn: "percentile", p: 95, column: "latency_us" } as const;
    const { derive, aggregates, show } = asked(
      { fn: "count", where: errors },
      { ...p95, where: errors },
      { fn: "sum", column: "bytes", where: errors, as: "lost" },
    );
    const condition = { fn: ">=", args: [{ column: "status" }, { value: 500 }] };
    const where = (value: object) => ({ fn: "case", args: [condition, value] });
    expect(derive).toEqual([
      { as: "1 where status ≥ 500", expression: where({ value: 1 }) },
      // The unit comes from the end of the name.
      { as: "where status ≥ 500: latency_us", expression: where({ column: "latency_us" }) },
      { as: "where status ≥ 500: bytes", expression: where({ column: "bytes" }) },
    ]);
    expect(aggregates).toEqual([
      { fn: "count", column: "1 where status ≥ 500", as: "count where status ≥ 500" },
      {
        ...{ ...p95, column: "where status ≥ 500: latency_us" },
        as: "p95_latency_us where status ≥ 500",
      },
      { fn: "sum", column: "where status ≥ 500: bytes", as: "lost" },
    ]);
    expect(show).toBeUndefined();
  });

  test("a ratio is calculated, and what it is of is not shown for it", () => {
    const query = asked({ ...rate, as: "error rate" }, { fn: "avg", column: "latency_us" });
    expect(query.calculate).toEqual([
      {
        as: "error rate",
        expression: {
          fn: "*",
          args: [
            { fn: "/", args: [{ column: "count where status ≥ 500" }, { column: "count" }] },
            { value: 100 },
          ],
        },
      },
    ]);
    expect(query.show).toEqual(["time", "service", "error rate", "avg_latency_us"]);
    expect(query.aggregates?.map((spec) => spec.fn)).toEqual(["avg", "count", "count"]);
  });

  test("what two numbers have in common is asked for once", () => {
    const query = asked({ fn: "count" }, rate, {
      fn: "ratio",
      of: { fn: "sum", column: "bytes", where: errors },
      by: { fn: "count", where: errors },
    });
    expect(query.derive).toHaveLength(2);
    expect(query.aggregates).toHaveLength(3);
  });

  test("a derived column of the reader's own keeps its name", () => {
    const own = { as: "1 where status ≥ 500", expression: { column: "status" } } as const;
    const { derive, aggregates } = askedNumbers({
      ...{ ...base, derive: [own] },
      aggregates: [{ fn: "count", where: errors }],
    });
    expect(derive?.map(({ as }) => as)).toEqual([own.as, `${own.as} 2`]);
    expect(aggregates).toMatchObject([{ column: `${own.as} 2` }]);
  });

  test("a condition on a list stands alone in a column", () => {
    const { derive } = asked({
      fn: "count",
      where: { not: { column: "tags", op: "includes any", value: ["a", "b"] } },
    });
    expect(derive).toMatchObject([
      { expression: { fn: "includes any", args: [{ column: "tags" }, { value: "a" }, {}] } },
      { expression: { fn: "case", args: [{ fn: "not", args: [{ fn: "=" }] }, { value: 1 }] } },
    ]);
  });

  test.each<Filter>([
    { any: [] },
    { all: [] },
    { all: [errors, { any: [{ column: "a", op: "is missing" }, errors] }] },
    { column: "a", op: "in", value: ["x", "y"] },
    { column: "a", op: "not in", value: [] },
    { column: "a", op: "in", value: [] },
    { column: "a", op: "!~", value: "^x" },
    { column: "id", op: "=", value: 2 ** 60 },
  ])("the query of %j is one that the server takes", (where) => {
    const count: Plain = { fn: "count", where };
    const query = asked(count, { ...rate, of: count });
    expect(() => checkQuery(query)).not.toThrow();
    // SQL says the same.
    expect(printSql(parseSql(printSql(query)))).toBe(printSql(query));
  });
});

describe("numbers of a query", () => {
  test("ratios are found again, what they are of is not a number of its own", () => {
    const numbers: Aggregate[] = [
      { fn: "count" },
      { fn: "ratio", of: { fn: "sum", column: "bytes" }, by: { fn: "count" }, percent: true },
      { fn: "ratio", of: { fn: "avg", column: "bytes" }, by: { fn: "count" }, as: "each" },
    ];
    expect(numbersOfQuery(asked(...numbers))).toEqual(numbers);
  });

  test("other calculations are none that the form has", () => {
    const sum = { fn: "+", args: [{ column: "count" }, { value: 1 }] } as const;
    const query = { ...asked({ fn: "count" }), calculate: [{ as: "more", expression: sum }] };
    expect(numbersOfQuery(query)).toBeNull();
    expect(numbersOfQuery({ ...asked({ fn: "count" }), show: ["time"] })).toBeNull();
  });
});
