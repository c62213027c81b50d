import { HadalError, type Query } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { placeInJson, printQueryText, type QueryLanguage, readQueryText } from "./queryText.js";

const query: Query = {
  table: "requests",
  from: "-3h",
  to: "now",
  filter: [{ column: "status", op: ">=", value: 500 }],
  groupBy: [{ time: "1m" }, "service"],
  aggregates: [{ fn: "count" }],
};

/** The marked part of the text and what is said of it. */
function faultOf(text: string, language: QueryLanguage): readonly string[] {
  const read = readQueryText(text, language);
  return read.ok
    ? []
    : read.faults.map(({ from, to, detail }) => `${text.slice(from, to)}: ${detail}`);
}

describe.each<QueryLanguage>(["sql", "json"])("a query as %s", (language) => {
  test("is read back from what is printed", () => {
    const read = readQueryText(printQueryText(query, language), language);
    expect(read).toMatchObject({ ok: true, query });
  });
  test("what the server says of it is marked where it stands", () => {
    const text = printQueryText(query, language);
    const read = readQueryText(text, language);
    if (!read.ok) throw new Error("not read");
    const part = { path: "filter[0].column", code: "unknown-column", detail: "No such column." };
    const [fault] = read.faultsOf(new HadalError("unknown-column", {}, [part]));
    expect(text.slice(fault?.from, fault?.to).replaceAll('"', "")).toBe("status");
  });
  test("a problem without a position is reported too", () => {
    const read = readQueryText(printQueryText(query, language), language);
    if (!read.ok) throw new Error("not read");
    expect(read.faultsOf(new HadalError("no-leaves"))).toHaveLength(1);
  });
});

describe("errors in place", () => {
  test.each<[string, QueryLanguage, RegExp]>([
    ["SELECT cuont(*) FROM t WHERE time >= now() AND time < now()", "sql", /^cuont: .*count/],
    ["SELECT *\nFORM t", "sql", /^FORM: /],
    ["SELECT count(*) FROM t", "sql", /time range/],
    ["", "sql", /: /],
    ["SELECT 'naïve 🌊', x y z FROM t", "sql", /: /],
    ['{"table": "t", "from": }', "json", /^}: This is no JSON/],
    ["", "json", /This is no JSON/],
    [
      '{"table": "t", "from": "-3h", "to": "now", "filter": [{"column": "a", "op": "is"}]}',
      "json",
      /^"is": /,
    ],
    ['{"table": "t", "from": "-3h", "to": "now", "limits": 5}', "json", /: .*limit/],
  ])("%s in %s", (text, language, expected) => {
    expect(faultOf(text, language).join("\n")).toMatch(expected);
  });
  test.each([
    ["groupBy[0].time", '"1m"'],
    ["groupBy[1]", '"service"'],
    ["groupBy[7]", '[{"time": "1m"}, "service"]'],
    ["__proto__", '{"groupBy": [{"time": "1m"}, "service"]}'],
  ])("%s is %s", (path, part) => {
    const text = '{"groupBy": [{"time": "1m"}, "service"]}';
    const { from, to } = placeInJson(text, path);
    expect(text.slice(from, to)).toBe(part);
  });
});
