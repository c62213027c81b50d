import { describe, expect, test } from "vitest";
import { HadalError } from "../model/problem/problem.js";
import type { Query } from "../model/query.js";
import { parseSql, readSql, readStatement } from "./readSql.js";
import { range, refusals } from "./testing/refusals.js";

function refusal(sql: string): HadalError {
  try {
    parseSql(sql);
  } catch (error) {
    if (error instanceof HadalError) return error;
    throw error;
  }
  throw new Error(`accepted: ${sql}`);
}

/** The query of one condition beside the time range. */
function filterOf(condition: string): Query["filter"] {
  return readStatement(`SELECT * FROM t WHERE ${range} AND ${condition}`).query.filter;
}

test("the example of the contract", () => {
  const sql = `SELECT time_bucket('1m', time) AS minute, service, count(*), sum(bytes) PER MINUTE, percentile(latency_us, 95) AS p95, count(DISTINCT user_id)
    FROM requests
    WHERE time >= now() - INTERVAL '3 hours' AND time < now()
      AND status >= 500 AND endpoint ~ '^/api/v[12]/' AND tags INCLUDES ANY ('beta','ios')
      AND stack CONTAINS SEQUENCE ('render','paint') AND message CONTAINS 'time out'
    GROUP BY minute, service HAVING count(*) > 10
    ORDER BY p95 DESC LIMIT 100
    COMPARE TO INTERVAL '7 days'          -- or: COMPARE WHERE (country = 'US')`;
  expect(readStatement(sql).query).toEqual({
    ...{ table: "requests", from: "-3h", to: "now" },
    filter: [
      { column: "status", op: ">=", value: 500 },
      { column: "endpoint", op: "~", value: "^/api/v[12]/" },
      { column: "tags", op: "includes any", value: ["beta", "ios"] },
      { column: "stack", op: "contains sequence", value: ["render", "paint"] },
      { column: "message", op: "contains", value: "time out" },
    ],
    groupBy: [{ time: "1m", as: "minute" }, "service"],
    aggregates: [
      { fn: "count" },
      { fn: "sum", column: "bytes", per: "minute" },
      { fn: "percentile", column: "latency_us", p: 95, as: "p95" },
      { fn: "distinct", column: "user_id" },
    ],
    having: [{ column: "count", op: ">", value: 10 }],
    orderBy: [{ by: "p95", desc: true }],
    limit: 100,
    compare: { offset: "7d" },
  });
});

describe("time ranges", () => {
  test.each([
    ["time >= 5 AND time < 10", 5, 10],
    ["time > 5 AND time <= 10", 6, 11],
    ["5 <= time AND 10 > time", 5, 10],
    ["time BETWEEN 5 AND 10", 5, 11],
    ["time = 5", 5, 6],
    ["(time >= 5 AND (time < 10))", 5, 10],
    [
      "time >= '2025-06-21' AND time < '2025-06-21T10:00:00Z'",
      "2025-06-21",
      "2025-06-21T10:00:00Z",
    ],
    ["time > '1970-01-01' AND time <= '1970-01-02'", 1, 86_400_001],
    ["time >= now() - INTERVAL '1 day 12 hours' AND time < now()", "-36h", "now"],
    ["time > now() - INTERVAL '1 hour' AND time <= now()", "-3599999ms", "now+1ms"],
    ["time >= now() - INTERVAL '90m' AND time < now() + INTERVAL '1 h'", "-90m", "now+1h"],
    [
      "time >= TIMESTAMP '2025-06-21' - INTERVAL '1 day' AND time < current_timestamp",
      1_750_377_600_000,
      "now",
    ],
    ["time >= now() - INTERVAL '1 month' AND time < now()", "-1mo", "now"],
    [
      "time >= now() - INTERVAL '1 month' - INTERVAL '2 days' AND time <= now()",
      "-1mo-2d",
      "now+1ms",
    ],
    ["time >= now() - INTERVAL '1 month 3 days' AND time < now()", "-1mo-3d", "now"],
    [
      "time > now() - INTERVAL '2 quarters' AND time < now() + INTERVAL '1 year'",
      "-2q+1ms",
      "now+1y",
    ],
    [
      "time >= '2025-03-31' AND time < '2025-03-31' + INTERVAL '1 month'",
      "2025-03-31",
      "2025-03-31+1mo",
    ],
    ["time >= '-3h-2h' AND time <= '-1h-1h'", "-3h-2h", "-1h-1h+1ms"],
    ["time >= '2025-03-31 -1mo' AND time <= '2025-03-31 -1d'", "2025-03-31 -1mo", 1743292800001],
    ["time >= '-3h' AND time < 'now'", "-3h", "now"],
  ])("%s", (where, from, to) => {
    expect(readStatement(`SELECT * FROM t WHERE ${where}`).query).toMatchObject({ from, to });
  });

  test("further bounds stay conditions", () => {
    expect(filterOf("time >= 7")).toEqual([{ column: "time", op: ">=", value: 7 }]);
    expect(filterOf("time > now() - INTERVAL '5 min'")).toEqual([
      { column: "time", op: ">", value: "-5m" },
    ]);
    expect(readStatement("SELECT * FROM t WHERE (time >= 1 AND a = 2) AND time < 9").query).toEqual(
      {
        ...{ table: "t", from: 1, to: 9, sampleView: {} },
        filter: [{ column: "a", op: "=", value: 2 }],
      },
    );
  });
});

describe("conditions", () => {
  test.each<[string, unknown]>([
    ["a = 'it''s'", { column: "a", op: "=", value: "it's" }],
    ["5 < a", { column: "a", op: ">", value: 5 }],
    ["a <> -1.5", { column: "a", op: "!=", value: -1.5 }],
    ["a = 9007199254740993", { column: "a", op: "=", value: 9_007_199_254_740_993n }],
    ["a < 1e18", { column: "a", op: "<", value: 10n ** 18n }],
    ["a < -1.25e3", { column: "a", op: "<", value: -1250 }],
    ["a = 0.1234567890123456789", { column: "a", op: "=", value: "0.1234567890123456789" }],
    ["a LIKE '%x%'", { column: "a", op: "contains", value: "x" }],
    ["a LIKE 'x'", { column: "a", op: "=", value: "x" }],
    ["a LIKE 'a.b%'", { column: "a", op: "~", value: "(?s)\\Aa\\.b" }],
    ["a LIKE '%b'", { column: "a", op: "~", value: "(?s)b\\z" }],
    ["a LIKE 'a_c'", { column: "a", op: "~", value: "(?s)\\Aa.c\\z" }],
    ["a LIKE '%'", { column: "a", op: "contains", value: "" }],
    ["a LIKE '100!%' ESCAPE '!'", { column: "a", op: "=", value: "100%" }],
    ["a NOT LIKE '%x%'", { not: { column: "a", op: "contains", value: "x" } }],
    ["a ILIKE '%X%'", { column: "a", op: "~", value: "(?is)X" }],
    ["a ~* 'x'", { column: "a", op: "~", value: "(?i)x" }],
    ["a !~ 'x'", { column: "a", op: "!~", value: "x" }],
    ["a NOT IN ('b', 5)", { column: "a", op: "not in", value: ["b", 5] }],
    ["a IS NOT NULL", { column: "a", op: "is present" }],
    ["a IS MISSING", { column: "a", op: "is missing" }],
    ["tags IS NOT EMPTY", { not: { column: "tags", op: "is empty" } }],
    ["tags INCLUDES NONE ('a')", { column: "tags", op: "includes none", value: ["a"] }],
    ["stack STARTS WITH ('a', 'b')", { column: "stack", op: "starts with", value: ["a", "b"] }],
    ["stack ENDS WITH ('a')", { column: "stack", op: "ends with", value: ["a"] }],
    [
      "a NOT BETWEEN 1 AND 2",
      {
        not: {
          all: [
            { column: "a", op: ">=", value: 1 },
            { column: "a", op: "<=", value: 2 },
          ],
        },
      },
    ],
    [
      "(a = 1 OR b = 2)",
      {
        any: [
          { column: "a", op: "=", value: 1 },
          { column: "b", op: "=", value: 2 },
        ],
      },
    ],
    ["NOT NOT a = 1", { column: "a", op: "=", value: 1 }],
    ["flag", { column: "flag", op: "=", value: true }],
    ['"select" = 1', { column: "select", op: "=", value: 1 }],
    ["actor.login = 'x'", { column: "actor.login", op: "=", value: "x" }],
    ["a > b", { column: "a > b", op: "=", value: true }],
    ["length(a) > 5", { column: "length(a)", op: ">", value: 5 }],
  ])("%s", (condition, expected) => {
    expect(filterOf(condition)).toEqual([expected]);
  });
});

/** What is refused: the text, line and column, code, what the detail says. */
test.each(refusals)("%s", (sql, line, column, code, detail) => {
  const error = refusal(sql);
  expect(error.errors[0]).toMatchObject({ line, column, code });
  expect(error.errors[0]?.detail).toMatch(detail);
  expect(error.errors[0]).not.toHaveProperty("path");
  expect(error.status).toBe(400);
});

describe("what would exhaust a parser is refused at once", () => {
  test.each([
    ["1 MB", `SELECT a FROM t WHERE a = '${"x".repeat(1_048_576)}'`, "too-long"],
    ["10,000 parentheses", `SELECT ${"(".repeat(10_000)}a${")".repeat(10_000)} FROM t`, "too-deep"],
    ["10,000 brackets that only open", "(".repeat(10_000), "too-deep"],
    ["10,000 CASE", `SELECT ${"CASE WHEN ".repeat(10_000)}`, "too-deep"],
    ["60,000 NOT", `SELECT a FROM t WHERE ${"NOT ".repeat(60_000)}a`, "too-long"],
    ["100,000 minus", `SELECT ${"- ".repeat(100_000)}a FROM t`, "too-long"],
    ["12,000 additions", `SELECT a${" + a".repeat(12_000)} FROM t WHERE ${range}`, "too-long"],
    ["2,900 additions", `SELECT a${" + a".repeat(2_900)} FROM t WHERE ${range}`, "too-deep"],
    ["1,900 casts", `SELECT a${"::int".repeat(1_900)} FROM t WHERE ${range}`, "too-deep"],
    ["9,000 casts", `SELECT a${"::int".repeat(9_000)} FROM t WHERE ${range}`, "too-long"],
    ["9,000 ANDs of nothing", `SELECT a FROM t WHERE${" a AND".repeat(9_000)}`, "too-long"],
    ["2,900 ANDs of nothing", `SELECT a FROM t WHERE${" a AND".repeat(2_900)}`, "syntax"],
    [
      "11,000 values",
      `SELECT a FROM t WHERE ${range} AND a IN (${"1,".repeat(11_000)}1)`,
      "too-many",
    ],
  ])("%s", (_, sql, code) => {
    const startedAt = performance.now();
    expect(refusal(sql).errors[0]?.code).toBe(code);
    // Generous: the machine may be busy. It takes a few milliseconds.
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  test("100 of everything that nests are read, and 5,000 values", () => {
    const nested = [
      `${"(".repeat(90)}a${")".repeat(90)} = 1`,
      `${"abs(".repeat(90)}a${")".repeat(90)} = 1`,
      `${"NOT (".repeat(60)}a = 1${")".repeat(60)}`,
      `a IN (${Array.from({ length: 5_000 }, (_, i) => `'value ${i}'`).join(", ")})`,
    ];
    for (const condition of nested) {
      const startedAt = performance.now();
      parseSql(`SELECT * FROM t WHERE ${range} AND ${condition}`);
      expect(performance.now() - startedAt).toBeLessThan(1_000);
    }
  });
});

test("the server's problems with a part of the query have its place in the text", () => {
  const { explain } = readSql(
    `SELECT service, sum(bites)\nFROM t\nWHERE ${range}\n  AND (a = 1 OR b ~ '(')\nGROUP BY service`,
  );
  const placeOf = (path: string): unknown => {
    const error = explain(new HadalError("unknown-column", {}, [{ path, code: "x", detail: "" }]));
    const [part] = (error as HadalError).errors;
    return [part?.line, part?.column];
  };
  expect(placeOf("aggregates[0].column")).toEqual([1, 21]);
  expect(placeOf("groupBy[0]")).toEqual([1, 8]);
  expect(placeOf("filter[0].any[1].value")).toEqual([4, 21]);
  expect(placeOf("filter[0].any[0].column")).toEqual([4, 8]);
  expect(placeOf("table")).toEqual([2, 6]);
  const whole = explain(new HadalError("unknown-table", { table: "t", nearest: "" })) as HadalError;
  expect(whole.errors).toMatchObject([{ line: 2, column: 6, code: "unknown-table" }]);
  const later = new HadalError("no-leaves", { missing: "all" });
  expect(explain(later)).toBe(later);
});

describe("names that two columns have", () => {
  test.each([
    `SELECT upper(a) AS x, lower(b) AS x FROM t WHERE ${range}`,
    `SELECT lower(b) AS x FROM t WHERE ${range} DERIVE length(a) AS x`,
    `SELECT lower(b) AS x FROM t DERIVE length(a) AS x WHERE ${range}`,
  ])("%s is refused", (sql) => {
    expect(refusal(sql).errors).toMatchObject([{ line: 1 }]);
  });
  test("the same column may be said twice", () => {
    const sql = `SELECT lower(b) AS x, lower(b) AS x FROM t WHERE ${range}`;
    expect(readStatement(sql).query.derive).toHaveLength(1);
  });
});

/** Each took minutes where a pattern tries again from every letter, digit or blank. */
test.each([
  [
    "letters before an error",
    `SELECT count(*) FROM t WHERE a = '${"x".repeat(500_000)}' ) ${range}`,
  ],
  ["zeros in a number", `SELECT * FROM t WHERE ${range} AND a > 0.1${"0".repeat(500_000)}1`],
  [
    "blanks in a time",
    `SELECT * FROM t WHERE time >= 'now-1h' AND time <= 'now${" ".repeat(500_000)}x'`,
  ],
])("%s are read in no time", (_what, sql) => {
  let problem: unknown = null;
  try {
    parseSql(sql);
  } catch (error) {
    problem = error;
  }
  expect(problem === null || problem instanceof HadalError).toBe(true);
});
