import { describe, expect, expectTypeOf, test } from "vitest";
import { filterOperators } from "../check/checkFilter.js";
import { checkQuery } from "../check/checkQuery.js";
import type { ColumnFilter } from "../filter.js";
import { HadalError } from "../problem/problem.js";
import type { HistogramBucket, Result, ResultValue } from "../result.js";
import {
  avg,
  count,
  distinct,
  histogram,
  max,
  min,
  type NumberCell,
  percentile,
  stddev,
  sum,
} from "./aggregateBuilder.js";
import { allOf, anyOf, col, not } from "./filterBuilder.js";
import { bucket, element, every, from, rowObjects } from "./queryBuilder.js";

const everyFilter: ColumnFilter[] = [
  col("a").eq(1),
  col("a").ne("x"),
  col("a").lt(2n ** 60n),
  col("a").lte(1.5),
  col("a").gt(-1),
  col("a").gte(0),
  col("a").in("x", "y"),
  col("a").notIn(true),
  col("a").matches("^x"),
  col("a").notMatches("x$"),
  col("a").contains("x"),
  col("a").isMissing(),
  col("a").isPresent(),
  col("a").includesAny("x"),
  col("a").includesAll("x", "y"),
  col("a").includesNone("x"),
  col("a").isEmpty(),
  col("a").startsWith("x"),
  col("a").endsWith("x"),
  col("a").containsSequence("x", "y"),
];

describe("the builder", () => {
  test("writes the plain query", () => {
    const base = from("requests").last("3h").inZone("Europe/Berlin").where(col("status").gte(500));
    const query = base
      .where(anyOf(col("endpoint").matches("^/api"), not(allOf(col("tags").includesAny("ios")))))
      .groupBy(every("1m"), "service")
      .select(count(), sum("bytes").per("minute").as("rate"), percentile("latency_us", 95))
      .orderBy("p95_latency_us", "desc")
      .orderBy("service")
      .limit(100)
      .series(10)
      .compare({ offset: "7d" })
      .exact()
      .timeout(500)
      .toQuery();
    expect(query).toEqual({
      table: "requests",
      from: "-3h",
      to: "now",
      timeZone: "Europe/Berlin",
      filter: [
        { column: "status", op: ">=", value: 500 },
        {
          any: [
            { column: "endpoint", op: "~", value: "^/api" },
            { not: { all: [{ column: "tags", op: "includes any", value: ["ios"] }] } },
          ],
        },
      ],
      groupBy: [{ time: "1m" }, "service"],
      aggregates: [
        { fn: "count" },
        { fn: "sum", column: "bytes", per: "minute", as: "rate" },
        { fn: "percentile", column: "latency_us", p: 95 },
      ],
      orderBy: [
        { by: "p95_latency_us", desc: true },
        { by: "service", desc: false },
      ],
      limit: 100,
      series: 10,
      compare: { offset: "7d" },
      exact: true,
      timeoutMs: 500,
    });
    expect(checkQuery(query)).toBe(query);
    // The start of several: a step leaves the builder it came from as it was.
    expect(base.toQuery().filter).toHaveLength(1);
    expect(base.toQuery().groupBy).toBeUndefined();
  });

  test("has every operator, each as the checker wants it", () => {
    expect(new Set(everyFilter.map(({ op }) => op))).toEqual(new Set(filterOperators));
    const query = from("t")
      .where(...everyFilter)
      .toQuery();
    expect(checkQuery(query)).toBe(query);
  });

  test("has every aggregate and kind of group", () => {
    const query = from("t")
      .between(0, "2026-01-01")
      .groupBy(
        "a",
        bucket("b", "log"),
        bucket("c", { width: 5 }),
        bucket("d", { edges: [1, 2] }),
        element("e"),
      )
      .select(count("a"), min("a"), max("a"), avg("a"), stddev("a"), distinct("a"), histogram("a"))
      .toQuery();
    expect(checkQuery(query)).toBe(query);
    expect(query.groupBy).toEqual([
      "a",
      { bucket: "b", scale: "log" },
      { bucket: "c", width: 5 },
      { bucket: "d", edges: [1, 2] },
      { element: "e" },
    ]);
    const samples = from("t").sample("a").toQuery();
    expect([samples.sampleView, from("t").sample().toQuery().sampleView]).toEqual([
      { columns: ["a"] },
      {},
    ]);
    expect(from("t").having(col("count").gt(10)).toQuery().having).toEqual([
      { column: "count", op: ">", value: 10 },
    ]);
    expect(from("t").derive({ as: "x", js: "(row) => 1" }).toQuery().derive).toEqual([
      { as: "x", js: "(row) => 1" },
    ]);
  });

  test("the checker reports what it cannot know", () => {
    const wrong = from("").last("3 hours").limit(0).toQuery();
    expect(() => checkQuery(wrong)).toThrow(HadalError);
  });
});

test("rows are objects by the names of their columns, typed by the query", () => {
  const query = from("t")
    .groupBy(every("1m"), "service", bucket("ms", "log"), element("tags"))
    .select(count(), sum("bytes"), avg("ms").as("mean"), percentile("ms", 95), histogram("ms"));
  type Row = ReturnType<typeof query.rows>[number];
  expectTypeOf<Row["time"]>().toEqualTypeOf<number>();
  expectTypeOf<Row["service"]>().toEqualTypeOf<ResultValue>();
  expectTypeOf<Row["tags"]>().toEqualTypeOf<string | null>();
  expectTypeOf<Row["count"]>().toEqualTypeOf<number>();
  expectTypeOf<Row["count.raw"]>().toEqualTypeOf<number>();
  expectTypeOf<Row["sum_bytes"]>().toEqualTypeOf<NumberCell>();
  expectTypeOf<Row["mean"]>().toEqualTypeOf<number | null>();
  expectTypeOf<Row["p95_ms"]>().toEqualTypeOf<NumberCell>();
  expectTypeOf<Row["histogram_ms"]>().toEqualTypeOf<readonly HistogramBucket[] | null>();
  expectTypeOf<Row>().not.toHaveProperty("avg_ms");

  const columns = ["__proto__", "count"].map((name) => ({ name, type: "int", role: "group" }));
  const result = { columns, rows: [[1, 2n]] } as unknown as Result;
  const [row] = rowObjects(result);
  expect(Object.keys(row!)).toEqual(["__proto__", "count"]);
  expect(Object.values(row!)).toEqual([1, 2n]);
  expect(from("t").select(count()).rows(result)[0]!.count).toBe(2n);
});
