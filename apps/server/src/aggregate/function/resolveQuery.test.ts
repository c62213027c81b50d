import { type Expression, HadalError, type Query } from "@hadal/sdk";
import { expect, test } from "vitest";
import { createTableSchema } from "../../plan/schema/tableSchema.js";
import { resolveQuery } from "./resolveQuery.js";

const table = createTableSchema("t", [{ name: "page", type: "string", decimals: 0 }]);
const page: Expression = { column: "page" };
const count: Expression = { column: "count" };

/** The paths of what is wrong in a number that is calculated of others. */
function problemsOf(expression: Expression): readonly (string | undefined)[] {
  const query: Query = {
    ...{ table: "t", from: 0, to: 1, groupBy: ["page"], aggregates: [{ fn: "count" }] },
    calculate: [{ as: "x", expression }],
  };
  try {
    resolveQuery(query, table, 0);
    return [];
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return error.errors.map(({ path }) => path);
  }
}

test.each([
  [
    "a text to fill up with that is a number",
    { fn: "lpad", args: [page, count, count] },
    "args[2]",
  ],
  ["a length that is a text", { fn: "rpad", args: [page, page] }, "args[1]"],
  ["a number to fill up", { fn: "lpad", args: [count, count] }, "args[0]"],
  ["a text to add", { fn: "+", args: [count, page] }, "args[1]"],
] as const)("%s is refused at its place", (_, expression, place) => {
  expect(problemsOf(expression)).toEqual([`calculate[0].expression.${place}`]);
});

test("a calculation of numbers and texts of the result is accepted", () => {
  expect(problemsOf({ fn: "lpad", args: [page, count, { value: "." }] })).toEqual([]);
});
