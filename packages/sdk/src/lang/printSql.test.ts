import fc from "fast-check";
import { expect, test } from "vitest";
import { aggregateName } from "../model/aggregate.js";
import type { Query } from "../model/query.js";
import { defaultGroupName } from "./lower/lowerGroup.js";
import { canonicalQuery } from "./print/canonicalQuery.js";
import { printSql } from "./printSql.js";
import { readStatement } from "./readSql.js";
import { expressions, queries } from "./testing/queries.js";

const plain = { table: "requests", from: "-3h", to: "now" } as const;

test("what is printed reads back as the query, whatever is asked", () => {
  fc.assert(
    fc.property(queries, (query) => {
      fc.pre(namesDiffer(query) && !hasShadowedColumn(query) && !hasShadowedTwin(query));
      expect(readStatement(printSql(query)).query).toEqual(canonicalQuery(query));
    }),
    { numRuns: 700 },
  );
});

/** Of others SQL gives the second another name. */
function namesDiffer(query: Query): boolean {
  const { groupBy = [], aggregates } = query;
  const counted = aggregates === undefined || aggregates.length === 0;
  const names = [
    ...groupBy.map((group) =>
      typeof group === "string" ? group : (group.as ?? defaultGroupName(group)),
    ),
    ...(counted ? ["count"] : aggregates.map(aggregateName)),
  ];
  return new Set(names).size === names.length;
}

/** Whether a column that is grouped by has the name of another group, see the next test. */
function hasShadowedColumn({ groupBy = [] }: Query): boolean {
  const renamed = groupBy.flatMap((group) =>
    typeof group === "object" && "column" in group && group.as !== undefined ? [group] : [],
  );
  return renamed.some(({ as }) => renamed.some(({ column }) => column === as));
}

/** Whether one aggregate is asked for twice, once under a grouped column's name, see below. */
function hasShadowedTwin({ groupBy = [], aggregates = [] }: Query): boolean {
  const columns = groupBy.flatMap((group) =>
    typeof group === "object" && "column" in group ? [group.column] : [],
  );
  const unnamed = aggregates.map(({ as: _name, ...rest }) => JSON.stringify(rest));
  return aggregates.some(
    (one, at) => columns.includes(aggregateName(one)) && unnamed.indexOf(unnamed[at] ?? "") < at,
  );
}

test("where a group's name is a column too, HAVING has the first group of the same column", () => {
  const groupBy = ["service", { column: "service", as: "tags" }, { column: "tags", as: "t" }];
  const query: Query = { ...plain, groupBy, having: [{ column: "tags", op: "is missing" }] };
  expect(readStatement(printSql(query)).query.having).toEqual([
    { column: "service", op: "is missing" },
  ]);
});

test("where an aggregate's name is a grouped column, HAVING has the first such aggregate", () => {
  const query: Query = {
    ...plain,
    groupBy: [{ column: "service", as: "s" }],
    aggregates: [
      { fn: "max", column: "bytes", as: "most" },
      { fn: "max", column: "bytes", as: "service" },
    ],
    having: [{ column: "service", op: ">", value: 1 }],
  };
  expect(readStatement(printSql(query)).query.having).toEqual([
    { column: "most", op: ">", value: 1 },
  ]);
});

test("of groups that are the same but for their names a calculation has the first", () => {
  const calculate = [
    { as: "c", expression: { fn: "/" as const, args: [{ column: "count" }, { column: "tags" }] } },
  ];
  const query: Query = {
    ...plain,
    groupBy: [{ element: "tags", as: "tag" }, { element: "tags" }],
    calculate,
  };
  expect(readStatement(printSql(query)).query.calculate).toEqual([
    { as: "c", expression: { fn: "/", args: [{ column: "count" }, { column: "tag" }] } },
  ]);
  expect(readStatement(printSql(query)).query).toEqual(canonicalQuery(query));
});

test("digits of a cast that are a negative zero read back as such", () => {
  const rounded = { fn: "to_decimal" as const, args: [{ column: "bytes" }, { value: -0 }] };
  const query: Query = { ...plain, derive: [{ as: "whole", expression: rounded }] };
  expect(readStatement(printSql(query)).query.derive).toEqual(query.derive);
});

test("expressions read back in every place where they are allowed", () => {
  fc.assert(
    fc.property(expressions, expressions, (one, other) => {
      const query: Query = {
        ...plain,
        derive: [
          { as: "one", expression: one },
          { as: "other", expression: other },
        ],
        filter: [{ column: "one", op: "=", value: true }],
        groupBy: ["other"],
        aggregates: [{ fn: "sum", column: "one" }],
      };
      expect(readStatement(printSql(query)).query).toEqual(canonicalQuery(query));
    }),
    { numRuns: 500 },
  );
});

test.each([
  "includes any",
  "includes all",
  "includes none",
  "starts with",
  "ends with",
  "contains sequence",
] as const)("a condition on a list reads back in its place: %s", (fn) => {
  const expression = { fn, args: [{ column: "tags" }, { value: "a" }, { value: 5 }] };
  const query: Query = {
    ...plain,
    derive: [
      { as: "own", expression },
      { as: "empty", expression: { fn: "is empty", args: [{ column: "tags" }] } },
    ],
    groupBy: ["own", "empty"],
    aggregates: [{ fn: "count" }],
  };
  expect(readStatement(printSql(query)).query).toEqual(canonicalQuery(query));
  const text = `CASE WHEN tags ${fn.toUpperCase()} ('a', 5) THEN 1 END`;
  const read = readStatement(`SELECT count(${text}) FROM t WHERE time >= 0 AND time < 1`).query;
  expect(read.derive?.[0]).toMatchObject({ expression });
  expect(readStatement(printSql(read)).query).toEqual(canonicalQuery(read));
});

test("canonical queries are their own canonical form", () => {
  fc.assert(
    fc.property(queries, (query) => {
      const once = canonicalQuery(query);
      expect(canonicalQuery(once)).toEqual(once);
    }),
  );
});

test("an expression is written where it is used, or before the query where its place would be ambiguous", () => {
  const sql = `SELECT lower(service), sum(bytes * 8)
FROM requests
WHERE time >= now() - INTERVAL '3 hours'
  AND time < now()
  AND length(url) > 5
  AND (a > b)
GROUP BY lower(service)`;
  const { query } = readStatement(sql);
  expect(query.derive?.map(({ as }) => as)).toEqual([
    ...["length(url)", "a > b", "lower(service)", "bytes * 8"],
  ]);
  expect(printSql(query)).toBe(sql);
  const reversed = { ...query, derive: query.derive?.toReversed() ?? [] };
  expect(printSql(reversed)).toContain('DERIVE bytes * 8 AS "bytes * 8", lower(service) AS');
});

test("every clause in one query", () => {
  const query: Query = {
    ...plain,
    timeZone: "Europe/Berlin",
    filter: [
      { column: "tags", op: "includes any", value: ["beta", "ios"] },
      {
        not: {
          any: [
            { column: "a", op: "is missing" },
            { column: "b", op: "=", value: 5n },
          ],
        },
      },
    ],
    derive: [
      { as: "slow", js: "(row) => row.latency_us > 1e6 ? 'slow' : 'ok'" },
      { as: "domain", function: "domain", args: ["url"] },
    ],
    groupBy: [{ time: "1m", as: "minute" }, "slow", { bucket: "latency_us", scale: "log" }],
    aggregates: [
      { fn: "count" },
      { fn: "sum", column: "bytes", per: "minute" },
      { fn: "percentile", column: "latency_us", p: 99.9, as: "worst" },
    ],
    having: [{ column: "count.raw", op: ">", value: 10 }],
    orderBy: [{ by: "worst", desc: true }, { by: "minute" }],
    limit: 100,
    offset: 10,
    series: 10,
    compare: { offset: "7d", filter: [{ column: "country", op: "=", value: "US" }] },
    exact: true,
    timeoutMs: 2_000,
    freshnessMs: 500,
    cache: "refresh",
  };
  expect(
    printSql(query),
  ).toBe(`SELECT time_bucket('1m', time) AS minute, slow, log_bucket(latency_us), count(*), sum(bytes) PER MINUTE, percentile(latency_us, 99.9) AS worst
FROM requests
DERIVE JS '(row) => row.latency_us > 1e6 ? ''slow'' : ''ok''' AS slow, domain(url) AS domain
WHERE time >= now() - INTERVAL '3 hours'
  AND time < now()
  AND tags INCLUDES ANY ('beta', 'ios')
  AND NOT (a IS NULL OR b = 5::bigint)
GROUP BY minute, slow, log_bucket(latency_us)
HAVING count.raw > 10
ORDER BY worst DESC, minute
LIMIT 100
OFFSET 10
SERIES 10
COMPARE TO INTERVAL '7 days' WHERE (country = 'US')
TIME ZONE 'Europe/Berlin'
WITH (exact, timeout = '2s', freshness = '500ms', cache = 'refresh')`);
  expect(readStatement(printSql(query)).query).toEqual(query);
});
