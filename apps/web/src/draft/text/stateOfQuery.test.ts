import type { Query } from "@hadal/sdk";
import { checkQuery } from "@hadal/sdk/checks";
import { parseSql, printSql } from "@hadal/sdk/sql";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Aggregate, aggregateOf, type Ratio } from "../../query/number/aggregate.js";
import { numberName } from "../../query/number/labels.js";
import { type ExploreState, initialState } from "../../query/state/exploreState.js";
import { buildQuery } from "../ask/buildQuery.js";
import { stateOfQuery } from "./stateOfQuery.js";

const nowMs = Date.UTC(2026, 10, 21, 12);
const at = { timeZone: "Europe/Berlin", nowMs };
const start: ExploreState = { ...initialState("requests"), groupBy: ["service"] };
const tail = "FROM requests WHERE time >= now() - INTERVAL '3 hours' AND time < now()";
const read = (sql: string, before: ExploreState = start) =>
  stateOfQuery(parseSql(`${sql} TIME ZONE 'Europe/Berlin'`), before, at);

const column = fc.constantFrom("service", "latency_us", "status", "actor.login", "select");
const filter = fc.oneof(
  fc.record({ column, op: fc.constantFrom("=" as const, ">=" as const), value: fc.integer() }),
  fc.record({ not: fc.record({ column, op: fc.constant("is missing" as const) }) }),
);
const share: Ratio = {
  ...{ fn: "ratio", of: { fn: "sum", column: "latency_us" }, by: { fn: "count" } },
  percent: true,
};
const state: fc.Arbitrary<ExploreState> = fc
  .record({
    view: fc.constantFrom(
      "timeseries" as const,
      "area" as const,
      "table" as const,
      "bar" as const,
      "rows" as const,
    ),
    from: fc.constantFrom("-3h", "-7d", "2026-11-20T09:00:00.000Z"),
    to: fc.constantFrom("now", "2026-11-21T10:00:00.000Z"),
    live: fc.constant(false),
    timeZone: fc.constantFrom(null, "UTC"),
    filters: fc.array(
      fc.record(
        { filter, off: fc.boolean(), pinned: fc.constant(true) },
        { requiredKeys: ["filter", "off"] },
      ),
      { maxLength: 4 },
    ),
    groupBy: fc.uniqueArray(column, { maxLength: 2 }),
    aggregates: fc.constantFrom<readonly Aggregate[]>(
      [aggregateOf({ fn: "count" })],
      [
        aggregateOf({ fn: "percentile", column: "latency_us", p: 95 }),
        aggregateOf({ fn: "count", per: "minute", as: "rate" }),
      ],
      [aggregateOf({ fn: "count" }), aggregateOf({ fn: "f", columns: ["a", "b"] })],
      [share, aggregateOf({ fn: "count" })],
      [{ fn: "ratio", of: { fn: "avg", column: "status" }, by: { fn: "count" }, as: "each" }],
    ),
    having: fc.constantFrom([], [{ column: "count", op: ">" as const, value: 10 }]),
    compare: fc.constantFrom(
      null,
      { offset: "previous", filter: null },
      { offset: "7d", filter: [] },
    ),
    bucket: fc.constantFrom(null, "5m"),
    limit: fc.integer({ min: 1, max: 1_000 }),
    series: fc.integer({ min: 1, max: 100 }),
    columns: fc.constantFrom(null, ["service", "status"]),
    exact: fc.boolean(),
  })
  .map((parts) => {
    const [first] = parts.aggregates.map(numberName);
    const having = parts.having.map((one) => ({ ...one, column: first ?? one.column }));
    return { ...start, ...parts, having };
  });

describe("queries as states", () => {
  test("the query of a state gives back the state", () => {
    fc.assert(
      fc.property(state, (before) => {
        const zone = before.timeZone ?? at.timeZone;
        const { query } = buildQuery(before, { timeZone: zone, nowMs });
        const back = stateOfQuery(query, before, { ...at, timeZone: zone });
        expect(back).toEqual({ state: before, added: [] });
        // The same by way of SQL.
        const { state: bySql } = stateOfQuery(parseSql(printSql(query)), before, {
          ...at,
          timeZone: zone,
        });
        expect(buildQuery(bySql, { timeZone: zone, nowMs }).query).toEqual(query);
      }),
      { numRuns: 300 },
    );
  });

  test("whatever is asked is asked: what a state shows of another's query is the query", () => {
    fc.assert(
      fc.property(state, state, (one, other) => {
        const { query } = buildQuery(one, { timeZone: at.timeZone, nowMs });
        const shown = { ...at, timeZone: other.timeZone ?? at.timeZone };
        const { state: back, added } = stateOfQuery(query, other, shown);
        expect(added).toEqual([]);
        const zone = back.timeZone ?? at.timeZone;
        expect(printSql(buildQuery(back, { timeZone: zone, nowMs }).query)).toBe(printSql(query));
      }),
      { numRuns: 300 },
    );
  });

  test.each<[string, string, Partial<ExploreState>]>([
    [
      "a time bucket is a time series",
      `SELECT time_bucket('1m', time), service, count(*) ${tail} GROUP BY 1, 2 ORDER BY count DESC SERIES 5`,
      { view: "timeseries", bucket: "1m", series: 5, groupBy: ["service"] },
    ],
    [
      "groups are a table",
      `SELECT country, sum(bytes) AS b ${tail} GROUP BY country HAVING b > 9 ORDER BY b DESC LIMIT 7`,
      {
        view: "table",
        groupBy: ["country"],
        limit: 7,
        having: [{ column: "b", op: ">", value: 9 }],
      },
    ],
    ["a star is rows", `SELECT * ${tail} ORDER BY time DESC LIMIT 9`, { view: "rows", limit: 9 }],
    [
      "an expression is a derived column",
      `SELECT length(service), count(*) ${tail} GROUP BY 1 ORDER BY count DESC LIMIT 100`,
      { view: "table", groupBy: ["length(service)"] },
    ],
  ])("%s", (_, sql, expected) => {
    const { state: found, added } = read(sql);
    expect(found).toMatchObject(expected);
    expect(added).toEqual([]);
  });

  test.each<[string, string, Partial<Query>]>([
    [
      "two buckets of time",
      `SELECT time_bucket('1mo', time) AS month, time_bucket('1d', time) AS day, count(*) ${tail} GROUP BY month, day`,
      {
        groupBy: [
          { time: "1mo", as: "month" },
          { time: "1d", as: "day" },
        ],
      },
    ],
    [
      "one calendar bucket",
      `SELECT date_trunc('month', time) AS month, count(*) ${tail} GROUP BY month`,
      { groupBy: [{ time: "1mo", as: "month" }] },
    ],
    [
      "a calculation, and columns in an order of their own",
      `SELECT count(*), service, sum(bytes) / count(*) AS per_row ${tail} GROUP BY service ORDER BY per_row LIMIT 5`,
      { orderBy: [{ by: "per_row" }] },
    ],
    [
      "an offset",
      `SELECT service, count(*) ${tail} GROUP BY service ORDER BY count DESC LIMIT 5 OFFSET 10`,
      { offset: 10 },
    ],
    [
      "two orders",
      `SELECT service, count(*) ${tail} GROUP BY service ORDER BY count DESC, service LIMIT 5`,
      { orderBy: [{ by: "count", desc: true }, { by: "service" }] },
    ],
    [
      "groups without a number",
      `SELECT service ${tail} GROUP BY service LIMIT 5`,
      { groupBy: ["service"] },
    ],
  ])("%s: asked as written", (_, sql, expected) => {
    const { state: found } = read(sql);
    expect(found.view).toBe("query");
    const { query } = buildQuery(found, { timeZone: at.timeZone, nowMs });
    expect(query).toMatchObject(expected);
    expect(printSql(query)).toBe(printSql({ ...parseSql(sql), timeZone: "Europe/Berlin" }));
    expect(checkQuery(query)).toBeTruthy();
  });

  test("what a view adds is reported", () => {
    expect(read(`SELECT service, count(*) ${tail} GROUP BY service`).added).toEqual([
      "ORDER BY count DESC",
      "LIMIT 100",
    ]);
    expect(read(`SELECT time_bucket('1m', time), count(*) ${tail} GROUP BY 1`).added).toEqual([
      "ORDER BY count DESC",
      "SERIES 10",
    ]);
  });

  test("parts that no query has are kept: disabled filters, pins, the zone", () => {
    const filterOf = (value: number) => ({ column: "a", op: "=", value }) as const;
    const before: ExploreState = {
      ...start,
      filters: [
        { filter: filterOf(1), off: true },
        { filter: filterOf(2), off: false, pinned: true },
      ],
    };
    const { state: found } = read(`SELECT count(*) ${tail} AND a = 2 AND a = 3 LIMIT 9`, before);
    expect(found.filters).toEqual([...before.filters, { filter: filterOf(3), off: false }]);
    expect(found.timeZone).toBeNull();
    const utc = stateOfQuery(parseSql(`SELECT count(*) ${tail}`), start, at);
    expect(utc.state.timeZone).toBe("UTC");
  });
});
