import { describe, expect, test } from "vitest";
import { HadalError } from "../model/problem/problem.js";
import { printSql } from "./printSql.js";
import { parseSql, readStatement } from "./readSql.js";

const range = "time >= now() - INTERVAL '1 hour' AND time < now()";
const read = (select: string, rest = "") =>
  readStatement(`SELECT ${select} FROM t WHERE ${range} ${rest}`).query;

const covariance = { fn: "covariance", columns: ["a", "b"] };

describe("a saved function is an aggregate", () => {
  test.each<[string, string]>([
    ["covariance(a, b), service", "GROUP BY service"],
    ['"covariance"(a, b), service', "GROUP BY service"],
    ["service, (covariance(a, b))", "GROUP BY 1"],
    ["AGGREGATE covariance(a, b), service", "GROUP BY service"],
    ['service, aggregate "covariance" ( a , b )', "GROUP BY service"],
  ])("with GROUP BY: %s", (select, rest) => {
    const query = read(select, rest);
    expect(query).toMatchObject({ groupBy: ["service"], aggregates: [covariance] });
    expect(query).not.toHaveProperty("derive");
  });

  test("beside another aggregate, and alone when it says so", () => {
    expect(read("count(*), covariance(a, b)").aggregates).toEqual([{ fn: "count" }, covariance]);
    expect(read("AGGREGATE covariance(a, b)").aggregates).toEqual([covariance]);
    expect(read("AGGREGATE covariance(a, b) AS c, entropy(a)").aggregates).toEqual([
      { ...covariance, as: "c" },
      { fn: "entropy", columns: ["a"] },
    ]);
  });

  test("its columns may be computed", () => {
    expect(read("AGGREGATE covariance(a * 2, domain(url)), count(*)")).toMatchObject({
      derive: [
        { as: "a * 2", expression: { fn: "*" } },
        { as: "domain(url)", function: "domain", args: ["url"] },
      ],
      aggregates: [{ fn: "covariance", columns: ["a * 2", "domain(url)"] }, { fn: "count" }],
    });
  });

  test("HAVING and ORDER BY find it, however it is called", () => {
    for (const call of ["AGGREGATE covariance(a, b)", "covariance(a, b)", "covariance_a_b"]) {
      const query = read(
        "service, covariance(a, b)",
        `GROUP BY service HAVING ${call} > 5 ORDER BY ${call}`,
      );
      expect(query.orderBy).toEqual([{ by: "covariance_a_b" }]);
      expect(query.having).toEqual([{ column: "covariance_a_b", op: ">", value: 5 }]);
    }
  });
});

describe("a saved function is a value of each row", () => {
  const domain = [{ as: "domain(url)", function: "domain", args: ["url"] }];
  test.each<[string, string]>([
    ["domain(url), count(*)", "GROUP BY domain(url)"],
    ["domain(url), count(*)", "GROUP BY 1"],
    ["domain(url), count(*)", "GROUP BY (domain(url))"],
  ])("in GROUP BY: %s %s", (select, rest) => {
    expect(read(select, rest)).toEqual({
      ...{ table: "t", from: "-1h", to: "now", derive: domain, groupBy: ["domain(url)"] },
      aggregates: [{ fn: "count" }],
    });
  });

  test("in raw rows", () => {
    expect(read("domain(url)")).toMatchObject({
      derive: domain,
      sampleView: { columns: ["domain(url)"] },
    });
  });

  test("while aggregates have it as their column", () => {
    expect(read("max(domain(url)), service", "GROUP BY service")).toMatchObject({
      derive: domain,
      aggregates: [{ fn: "max", column: "domain(url)" }],
    });
  });
});

test("a column may be called aggregate", () => {
  expect(read("aggregate, a aggregate2").sampleView).toEqual({
    columns: ["aggregate", "aggregate2"],
  });
  expect(read("max(aggregate)", "AND aggregate CONTAINS ('x')")).toMatchObject({
    aggregates: [{ fn: "max", column: "aggregate" }],
    filter: [{ column: "aggregate", op: "contains", value: "x" }],
  });
});

test("it is printed so that nothing around it changes what it is", () => {
  const sql = `SELECT service, AGGREGATE covariance(a * 2, b) AS c, AGGREGATE "lower"(a), count(*)
FROM t
WHERE time >= now() - INTERVAL '1 hour'
  AND time < now()
GROUP BY service`;
  expect(printSql(readStatement(sql).query)).toBe(sql);
});

test.each<[string, number, number, string, RegExp]>([
  ["SELECT AGGREGATE sum(a)\nFROM t WHERE", 1, 8, "syntax", /built in: leave out AGGREGATE/],
  [
    "SELECT count(*)\nFROM t WHERE a = AGGREGATE cov(b) AND",
    ...([2, 18, "unknown-function", /cov is an aggregate/] as const),
  ],
  ["SELECT count(*), AGGREGATE f(a, )\nFROM t WHERE", 1, 33, "syntax", /Expected/],
  ["SELECT count(*), fold(DISTINCT a)\nFROM t WHERE", 1, 18, "syntax", /DISTINCT column\) only/],
  ["SELECT count(*), fold(a) PER MINUTE\nFROM t WHERE", 1, 18, "syntax", /PER follows count/],
  ["SELECT count(*),\n  fold()\nFROM t WHERE", 2, 3, "missing", /one column or more/],
  [
    "SELECT count(*), AGGREGATE f(sum(a))\nFROM t WHERE",
    ...([1, 30, "unknown-function", /sum is an aggregate/] as const),
  ],
  ["SELECT count(*), AGGREGATE f(*)\nFROM t WHERE", 1, 30, "syntax", /./],
])("%s is refused at %i:%i", (start, line, column, code, detail) => {
  let error: unknown;
  try {
    parseSql(`${start} ${range}`);
  } catch (caught) {
    error = caught;
  }
  expect(error).toBeInstanceOf(HadalError);
  const [part] = (error as HadalError).errors;
  expect(part).toMatchObject({ line, column, code });
  expect(part?.detail).toMatch(detail);
});
