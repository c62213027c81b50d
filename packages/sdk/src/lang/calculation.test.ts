import { describe, expect, test } from "vitest";
import { HadalError } from "../model/problem/problem.js";
import type { Query } from "../model/query.js";
import { printSql } from "./printSql.js";
import { parseSql, readSql } from "./readSql.js";

const range = "WHERE time >= now() - INTERVAL '1 hour' AND time < now()";

/** What a statement asks for of groups. */
function read(select: string, rest = ""): Partial<Query> {
  const {
    table: _,
    from: __,
    to: ___,
    ...query
  } = parseSql(`SELECT ${select} FROM t ${range} ${rest}`);
  return query;
}

const column = (name: string) => ({ column: name });
const call = (fn: "+" | "-" | "*" | "/", ...args: readonly object[]) => ({ fn, args });
const count = { fn: "count" };
const sum = { fn: "sum", column: "a" };

describe("calculations with aggregates", () => {
  test.each<[string, string, object]>([
    [
      "sum(a) / count(*) AS mean",
      "",
      {
        ...{ aggregates: [sum, count], show: ["mean"] },
        calculate: [{ as: "mean", expression: call("/", column("sum_a"), column("count")) }],
      },
    ],
    [
      "count(*), s, 100.0 * sum(a) / sum(b)",
      "GROUP BY s",
      {
        groupBy: ["s"],
        aggregates: [count, sum, { fn: "sum", column: "b" }],
        calculate: [
          {
            as: "100.0 * sum_a / sum_b",
            expression: call(
              "/",
              call("*", { decimal: "100.0" }, column("sum_a")),
              column("sum_b"),
            ),
          },
        ],
        show: ["count", "s", "100.0 * sum_a / sum_b"],
      },
    ],
    // Zeros at the end say how many digits the product keeps.
    [
      "sum(a) * 0.1250 AS part, sum(a) * 0.125 AS same",
      "",
      {
        aggregates: [sum],
        calculate: [
          { as: "part", expression: call("*", column("sum_a"), { decimal: "0.1250" }) },
          { as: "same", expression: call("*", column("sum_a"), { value: 0.125 }) },
        ],
        show: ["part", "same"],
      },
    ],
    [
      "sum(a) + sum(a) AS twice, sum(a) AS once",
      "",
      {
        aggregates: [{ ...sum, as: "once" }],
        calculate: [{ as: "twice", expression: call("+", column("once"), column("once")) }],
        show: ["twice", "once"],
      },
    ],
    [
      "n % 5 AS five, (n % 5) * count(*) AS x",
      "GROUP BY five",
      {
        derive: [{ as: "n % 5", expression: { fn: "%", args: [column("n"), { value: 5 }] } }],
        groupBy: [{ column: "n % 5", as: "five" }],
        aggregates: [count],
        calculate: [{ as: "x", expression: call("*", column("five"), column("count")) }],
        show: ["five", "x"],
      },
    ],
    [
      "max(a) AS count, count(*) - 1 AS less",
      "",
      {
        aggregates: [
          { fn: "max", column: "a", as: "count" },
          { ...count, as: "count_" },
        ],
        calculate: [{ as: "less", expression: call("-", column("count_"), { value: 1 }) }],
        show: ["count", "less"],
      },
    ],
    [
      "AGGREGATE spread(a) - min(a) AS d",
      "",
      {
        aggregates: [
          { fn: "spread", columns: ["a"] },
          { fn: "min", column: "a" },
        ],
        calculate: [{ as: "d", expression: call("-", column("spread_a"), column("min_a")) }],
        show: ["d"],
      },
    ],
  ])("SELECT %s … %s", (select, rest, query) => {
    expect(read(select, rest)).toEqual(query);
  });

  test("HAVING and ORDER BY have what they need worked out, and show it not", () => {
    expect(
      read(
        "s",
        "GROUP BY s HAVING sum(a) / count(*) > 5 AND max(a) < 9 ORDER BY sum(a) / count(*)",
      ),
    ).toEqual({
      groupBy: ["s"],
      aggregates: [sum, count, { fn: "max", column: "a" }],
      calculate: [{ as: "sum_a / count", expression: call("/", column("sum_a"), column("count")) }],
      having: [
        { column: "sum_a / count", op: ">", value: 5 },
        { column: "max_a", op: "<", value: 9 },
      ],
      orderBy: [{ by: "sum_a / count" }],
      show: ["s"],
    });
  });

  test("what is written in the order of the parts needs no list of what is shown", () => {
    expect(read("s, count(*), sum(a), sum(a) - count(*) AS d", "GROUP BY s")).not.toHaveProperty(
      "show",
    );
    expect(read("count(*), s", "GROUP BY s")).toMatchObject({ show: ["count", "s"] });
    expect(read("b, a, count(*)", "GROUP BY a, b")).toMatchObject({
      ...{ groupBy: ["a", "b"], show: ["b", "a", "count"] },
    });
  });

  test("SHOW says what is shown, in its order", () => {
    expect(read("s, count(*), max(a)", "GROUP BY s SHOW max_a, s")).toMatchObject({
      ...{ aggregates: [count, { fn: "max", column: "a" }], show: ["max_a", "s"] },
    });
  });

  test.each([
    "SELECT sum(a) / count(*) AS mean\nFROM t",
    "SELECT s, 100 * sum(a) / (sum(b) + 1) AS share, count(*)\nFROM t",
    "SELECT time_bucket('1m', time) AS minute, (minute - 5) * count(*) AS x\nFROM t",
    "SELECT s, count(*), sum(a) - count(*)\nFROM t",
  ])("%s is printed as it was read", (start) => {
    const groups = start.includes("minute") ? "minute" : "s";
    const isGrouped = start.includes(" s,") || start.includes("minute");
    const sql = `${start}\nWHERE time >= now() - INTERVAL '1 hour'\n  AND time < now()${isGrouped ? `\nGROUP BY ${groups}` : ""}`;
    expect(printSql(parseSql(sql))).toBe(sql);
  });

  test("the server's problems with a calculation have its place in the text", () => {
    const { explain } = readSql(`SELECT s,\n  sum(a) / abs(s) AS x\nFROM t ${range} GROUP BY s`);
    const path = "calculate[0].expression.args[1].args[0]";
    const error = explain(
      new HadalError("type-mismatch", {}, [{ path, code: "type-mismatch", detail: "" }]),
    );
    expect((error as HadalError).errors).toMatchObject([{ line: 2, column: 16 }]);
  });
});
