import { HadalError } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { parseUrl } from "../../draft/url/url.js";
import { exploreUrlWith } from "./exploreWith.js";
import { columnsFor, shapeOf } from "./functionShape.js";
import { faultsOf, messageOf, placesIn } from "./sourceFaults.js";

describe("the shape of a source", () => {
  test.each([
    ["(row) => row.a", "scalar", []],
    ["row => row.a", "scalar", []],
    ["(a, b = 1) => a / b", "scalar", ["a", "b"]],
    ["url => url.length", "scalar", ["url"]],
    ["{ init() {}, update(s, x, y, weight) {} }", "aggregate", ["x", "y"]],
    ["{ update: (s, status, w) => s }", "aggregate", ["status"]],
    ["{ update(s, weighted) {} }", "aggregate", ["weighted"]],
    ["", "scalar", []],
    ["(((", "scalar", []],
  ])("%s", (source, kind, parameters) => expect(shapeOf(source)).toEqual({ kind, parameters }));

  test.each([
    [["url"], ["time", "url", "ms"], {}, ["url"]],
    [["x", "y"], ["time", "a", "b"], {}, ["a", "b"]],
    [["x"], ["time", "a", "b"], { x: "b" }, ["b"]],
    [["x"], ["time", "a"], { x: "gone" }, ["a"]],
    [["constructor"], ["time", "a"], {}, ["a"]],
    [["x"], [], {}, ["x"]],
  ])("columns for %o of %o", (parameters, names, chosen, expected) => {
    const columns = names.map((name) => ({ name, type: "string" as const }));
    const shape = { kind: "scalar" as const, parameters };
    expect(columnsFor(shape, columns, chosen as Record<string, string>)).toEqual(expected);
  });

  test("an aggregate is tried on number columns first", () => {
    const columns = [
      { name: "time", type: "int" },
      { name: "service", type: "string" },
      { name: "ms", type: "int" },
    ] as const;
    const shape = { kind: "aggregate" as const, parameters: ["x", "y"] };
    expect(columnsFor(shape, columns, {})).toEqual(["ms", "service"]);
  });
});

describe("use in a query", () => {
  const table = { name: "requests", toMs: Date.now(), columns: [] } as never;
  const stateOf = (source: string, columns: string[]) =>
    parseUrl(
      exploreUrlWith(
        { name: "mine", source },
        { shape: shapeOf(source), columns, table },
        Date.now(),
      ).split("?")[1] ?? "",
    );
  test("a scalar function becomes a derived column to group by", () => {
    const { state, faults } = stateOf("(url) => url", ["endpoint"]);
    expect(faults).toEqual([]);
    expect(state).toMatchObject({
      table: "requests",
      derive: [{ as: "mine", function: "mine", args: ["endpoint"] }],
      groupBy: ["mine"],
    });
  });
  test("a function of the whole row is copied into the query", () =>
    expect(stateOf("(row) => 1", []).state?.derive).toEqual([{ as: "mine", js: "(row) => 1" }]));
  test("an aggregate function becomes an aggregate", () =>
    expect(stateOf("{ update(s, x) {} }", ["ms"]).state?.aggregates).toEqual([
      { fn: "count" },
      { fn: "mine", columns: ["ms"] },
    ]));
});

test("faults have their position in the source, and duplicates are dropped", () => {
  const part = { path: "source", line: 2, column: 5, code: "syntax", detail: "Unexpected token" };
  const error = new HadalError("function-invalid", { detail: "Unexpected token" }, [part]);
  expect(faultsOf(error)).toEqual([{ line: 2, column: 5, detail: "Unexpected token" }]);
  expect(messageOf(error)).toBe("Line 2: Unexpected token");
  const failed = { error: { detail: "TypeError: x", line: 3 } };
  const trial = { results: [failed, { value: 1 }, failed] } as never;
  expect(faultsOf(trial)).toEqual([{ line: 3, column: 1, detail: "TypeError: x" }]);
});

test("a fault marks the word at its position, within the line and the text", () => {
  const source = "(row) => {\n  retrun row;\n}";
  const at = (line: number, column: number) => {
    const [place] = placesIn(source, [{ line, column, detail: "" }]);
    return [source.slice(place?.from, place?.to), place?.from];
  };
  expect(at(2, 3)).toEqual(["retrun", 13]);
  expect(at(2, 99)).toEqual(["\n", 24]);
  expect(at(99, 2)).toEqual(["", source.length]);
  expect(at(0, 0)).toEqual(["(", 0]);
});
