import { type Expression, HadalError } from "@hadal/sdk";
import { describe, expect, it, test } from "vitest";
import type { SchemaColumn, TableSchema } from "../schema/tableSchema.js";
import { resolveExpression } from "./resolveExpression.js";

const columns: readonly SchemaColumn[] = [
  { name: "bytes", type: "int", decimals: 0 },
  { name: "price", type: "int", decimals: 2 },
  { name: "message", type: "string", decimals: 0 },
  { name: "labels", type: "set", decimals: 0 },
];
const table: TableSchema = {
  name: "requests",
  columns: new Map(columns.map((column) => [column.name, column])),
  mixed: new Map(),
};
const [bytes, price, message, labels] = columns.map(({ name }) => ({ column: name })) as [
  Expression,
  Expression,
  Expression,
  Expression,
];

function resolve(expression: Expression) {
  const inputOf = ({ name }: SchemaColumn) => columns.findIndex((column) => column.name === name);
  return resolveExpression(expression, "derive[0].expression", {
    table,
    timeZone: "Europe/Berlin",
    inputOf,
  });
}

function problemOf(expression: Expression) {
  try {
    resolve(expression);
  } catch (error) {
    if (error instanceof HadalError) return error.errors?.[0];
    throw error;
  }
  throw new Error("resolved without a problem");
}

const types: readonly (readonly [string, Expression, string, number])[] = [
  ["a sum has the more digits of both sides", { fn: "+", args: [bytes, price] }, "int", 2],
  ["integers are divided to an integer", { fn: "/", args: [bytes, { integer: "3" }] }, "int", 0],
  ["a decimal is divided to a decimal", { fn: "/", args: [price, bytes] }, "int", 6],
  ["a product adds the digits", { fn: "*", args: [price, price] }, "int", 4],
  [
    "a rounded number has the digits asked",
    { fn: "round", args: [price, { integer: "1" }] },
    "int",
    1,
  ],
  ["a length is an integer", { fn: "length", args: [message] }, "int", 0],
  ["a comparison is a condition", { fn: "<", args: [bytes, price] }, "truth", 0],
  ["a list has a length", { fn: "length", args: [labels] }, "int", 0],
  ["a list is searched by a condition", { fn: "is empty", args: [labels] }, "truth", 0],
];

test.each(types)("%s", (_claim, expression, type, decimals) => {
  expect(resolve(expression)).toMatchObject({ type, decimals });
});

describe("values of one type", () => {
  it("are numbers at one scale", () => {
    expect(resolve({ fn: "coalesce", args: [bytes, price] })).toMatchObject({
      kind: "call",
      decimals: 2,
      args: [{ fn: "rescale", decimals: 2 }, { kind: "input" }],
    });
  });

  it("are strings where one is a condition and another a string", () => {
    const isLarge: Expression = { fn: ">", args: [bytes, { integer: "9" }] };
    expect(resolve({ fn: "coalesce", args: [isLarge, message] })).toMatchObject({
      type: "string",
      args: [{ fn: "to_string" }, { kind: "input" }],
    });
  });

  it("may be missing constants of any type", () => {
    expect(resolve({ fn: "coalesce", args: [bytes, { value: null }] })).toMatchObject({
      type: "int",
      args: [{ kind: "input" }, { type: "int", value: null }],
    });
  });

  it("include a missing value where a case has no otherwise", () => {
    const isLarge: Expression = { fn: ">", args: [bytes, { integer: "9" }] };
    expect(resolve({ fn: "case", args: [isLarge, price] })).toMatchObject({
      type: "int",
      decimals: 2,
      args: [{ type: "truth" }, { kind: "input" }, { value: null, decimals: 2 }],
    });
  });
});

it("conditions and numbers are put into texts as they are printed", () => {
  expect(resolve({ fn: "concat", args: [message, price] })).toMatchObject({
    type: "string",
    args: [{ kind: "input" }, { fn: "to_string" }],
  });
});

it("parts of a time are those of the query's time zone", () => {
  expect(resolve({ fn: "extract", args: [{ value: "hour" }, bytes] })).toMatchObject({
    type: "int",
    zone: "Europe/Berlin",
  });
});

const problems: readonly (readonly [string, Expression, string])[] = [
  ["a text in a sum", { fn: "+", args: [bytes, message] }, "args[1]"],
  ["a number as a condition", { fn: "and", args: [bytes, bytes] }, "args[0]"],
  ["a list in a text function", { fn: "concat", args: [message, labels] }, "args[1]"],
  ["a number to fill up a text with", { fn: "lpad", args: [message, bytes, bytes] }, "args[2]"],
  ["a pattern that is not constant", { fn: "~", args: [message, message] }, "args[1]"],
  ["digits that are not constant", { fn: "round", args: [price, bytes] }, "args[1]"],
  [
    "the order of a set's elements",
    { fn: "starts with", args: [labels, { value: "a" }] },
    "args[0]",
  ],
  [
    "a group that the pattern does not have",
    { fn: "regexp_extract", args: [message, { value: "(a)" }, { integer: "2" }] },
    "args[2]",
  ],
  [
    "an unknown part of a time",
    { fn: "extract", args: [{ value: "fortnight" }, bytes] },
    "args[0]",
  ],
];

test.each(problems)("the problem names the argument at fault: %s", (_what, expression, arg) => {
  expect(problemOf(expression)).toMatchObject({
    path: `derive[0].expression.${arg}`,
    code: "type-mismatch",
  });
});

it("a column that the table does not have is named with the nearest one", () => {
  expect(problemOf({ column: "byte" })).toMatchObject({
    path: "derive[0].expression.column",
    code: "unknown-column",
    detail: expect.stringContaining("bytes"),
  });
});
