import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Filter } from "../filter.js";
import {
  filtersWithVariables,
  textWithVariables,
  type VariableValues,
} from "./dashboardVariables.js";

const values: VariableValues = new Map([
  ["service", ["cart", "auth"]],
  ["country", null],
  ["status", [500]],
  ["my var", ["x"]],
  ["__proto__", ["p"]],
]);
const filter = (op: string, value: unknown): Filter => ({ column: "c", op, value }) as Filter;
const replaced = (...filters: readonly Filter[]) => filtersWithVariables(filters, values).filters;

describe("filters", () => {
  test.each<readonly [string, unknown, readonly Filter[]]>([
    ["=", "$status", [filter("=", 500)]],
    ["=", "$service", [filter("in", ["cart", "auth"])]],
    ["!=", "$service", [filter("not in", ["cart", "auth"])]],
    ["in", ["$service", "web"], [filter("in", ["cart", "auth", "web"])]],
    ["includes any", ["$status"], [filter("includes any", [500])]],
    ["~", "$service", [{ any: [filter("~", "cart"), filter("~", "auth")] }]],
    ["!~", "$service", [{ all: [filter("!~", "cart"), filter("!~", "auth")] }]],
    ["=", "$country", []],
    ["in", ["$country", "DE"], []],
    ["=", "$$service", [filter("=", "$service")]],
    ["=", "$5", [filter("=", "$5")]],
    ["=", "$my var", [filter("=", "x")]],
    ["=", "$__proto__", [filter("=", "p")]],
  ])("c %s %j", (op, value, expected) => {
    expect(replaced(filter(op, value))).toEqual(expected);
  });

  test("a condition on all values holds for every row, however it nests", () => {
    const all = filter("=", "$country");
    const other = filter("=", 1);
    expect(replaced({ any: [all, other] }, { all: [all] }, { not: all })).toEqual([]);
    expect(replaced({ all: [all, other] })).toEqual([{ all: [other] }]);
  });

  test("names that are none of the board's are reported", () => {
    const found = filtersWithVariables([filter("=", "$servcie"), filter("=", "$status")], values);
    expect(found).toMatchObject({ unknown: ["servcie"], used: ["servcie", "status"] });
  });

  test("filters without a dollar sign stay as they are", () => {
    const text = fc.string().filter((one) => !one.startsWith("$"));
    fc.assert(
      fc.property(fc.array(fc.oneof(text, fc.integer(), fc.boolean())), (list) => {
        const filters = [filter("in", list), filter("=", list[0] ?? "")];
        expect(replaced(...filters)).toEqual(filters);
      }),
    );
  });
});

test("titles name the values", () => {
  expect(textWithVariables("Errors of $service in $country", values)).toBe(
    "Errors of cart, auth in all",
  );
  expect(textWithVariables("$$service costs $5, $unknown", values)).toBe(
    "$service costs $5, $unknown",
  );
});
