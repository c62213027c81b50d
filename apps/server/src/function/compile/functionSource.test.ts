import { HadalError } from "@hadal/sdk";
import { describe, expect, it } from "vitest";
import { columnFinder } from "../testing/columnFinder.js";
import { readRowFunction, readValueFunction } from "./functionSource.js";

const find = columnFinder([
  { name: "n", type: "int", decimals: 0 },
  { name: "price", type: "int", decimals: 6 },
  { name: "s", type: "string", decimals: 0 },
  { name: "tags", type: "set", decimals: 0 },
  { name: "time", type: "int", decimals: 0 },
  { name: "two words", type: "int", decimals: 0 },
]);
const read = (source: string) => readRowFunction(source, "derive[0].js", find);

function failure(source: string): HadalError {
  try {
    read(source);
  } catch (error) {
    if (error instanceof HadalError) return error;
    throw error;
  }
  throw new Error(`${source} was read`);
}

describe("what a function reads", () => {
  it.each([
    ["(row) => row.n + row.price * row.n", ["n", "price"]],
    ["(row) => { if (row.n > 1) return row['two words']; }", ["n", "two words"]],
    ["function (r) { return r.s ?? r.n }", ["s", "n"]],
    ["({ n, s: text = '' }) => text + n", ["n", "s"]],
    ["(row) => [1].map((x) => x + row.n)", ["n"]],
    ["(row) => [row.s].map((row) => row.length)", ["s"]],
    ["(row) => ({ row: 1, s: row.n }).row", ["n"]],
    ["() => 1", []],
  ])("%s", (source, wanted) => {
    expect(read(source).inputs.map(({ name }) => name)).toEqual(wanted);
  });

  it.each([
    [
      "(row) => row.price > 1 ?\n  row?.n : [row['s']]",
      "($0,$1,$2)=>\n         $0        > 1 ?\n  $1     : [$2      ]",
    ],
    ["row =>\n (row.n)", "($0)=>\n      \n ($0   )"],
    ["(row, ) => { return row.s }", "($0)=>\n           { return $0    }"],
    [
      "function (row) // of\n{ return row.n }",
      "function($0)\n                    \n{ return $0    }",
    ],
    ["(row) => 1", "()=>\n         1"],
  ])("%s has parameters where the properties stood, column by column", (source, wanted) => {
    expect(read(source).how).toMatchObject({ call: "parameters", source: wanted });
  });

  it.each([
    "(row) => { row.n = 1; return row.n }",
    "(row) => { delete row.n; return row.s }",
    "(row) => { [row.n] = [1]; return row.n }",
    "(row) => row.s.toString() + row.n()",
    "({ n }) => n",
    "(row) => { const $0 = 1; return row.n + $0 }",
    "((row) => row.n)",
    "function f(row) { return row.n > 1 ? f({ n: 1 }) : row.n }",
    "(row) /* => */ => row.n",
  ])("%s gets an object", (source) => {
    expect(read(source).how).toMatchObject({ call: "row", source });
  });

  it.each([
    ["(row) => JSON.stringify(row)", 1, 25],
    ["(row) => {\n  return row[1 + 1]\n}", 2, 10],
    ["(row) => {\n  const { n } = row;\n  return n }", 2, 17],
    ["({ ...rest }) => rest.n", 1, 4],
    ["function (row) { return arguments[0].n }", 1, 25],
    ["function () { return (() => arguments[0].n)() }", 1, 29],
  ])("%s: which columns is not plain", (source, line, column) => {
    expect(failure(source).errors).toMatchObject([
      { code: "row-as-a-whole", line, column, path: "derive[0].js" },
    ]);
  });

  it.each([
    ["(row) => {\n  return 1", 2, 11],
    ["", 1, 1],
    ["(row) => {\n  return 1 +;\n}", 2, 13],
  ])("%s: where it cannot be read", (source, line, column) => {
    const { code, errors } = failure(source);
    expect([code, errors]).toMatchObject(["function-invalid", [{ line, column }]]);
  });

  it("a column that is not there is named with its place", () => {
    const error = failure("(row) =>\n  row.pric");
    expect(error.code).toBe("unknown-column");
    expect(error.message).toContain("price");
    expect(error.errors).toMatchObject([{ line: 2, column: 3 }]);
  });
});

describe("what a function gives", () => {
  const whole = { type: "int", decimals: 0 };
  const fraction = { type: "int", decimals: 6 };
  const text = { type: "string", decimals: 0 };
  it.each([
    ["(row) => row.n * 2 + 1", whole],
    ["(row) => row.n / 2", fraction],
    ["(row) => row.price - row.n", fraction],
    ["(row) => Math.floor(row.price)", whole],
    ["(row) => Math.max(row.n, 3)", whole],
    ["(row) => Math.max(row.n, 3.5)", fraction],
    ["(row) => row.s.length", whole],
    ["(row) => row.s.split('/').length", whole],
    ["(row) => row.tags.length % 2", whole],
    ["(row) => parseInt(row.s)", whole],
    ["(row) => Number(row.s)", fraction],
    ["(row) => +row.s", fraction],
    ["(row) => new Date(row.time).getHours()", whole],
    ["(row) => { let n = 0; for (const c of row.s) n += c.charCodeAt(0); return n }", whole],
    ["(row) => { let n = 0; for (const c of JSON.parse(row.s)) n += c; return n }", text],
    ["(row) => { let n = 0; for (const tag of row.tags) n++; return n }", whole],
    ["(row) => { let n = 0; if (row.n) { n = 'x' } return n }", text],
    ["(row) => (row.n > 1 ? 1 : null)", whole],
    ["(row) => { if (row.n) return 1.5 }", fraction],
    ["(row) => (row.n > 1 ? 1 : 'many')", text],
    ["(row) => row.n > 1", text],
    ["(row) => row.s.split('/')[1]", text],
    ["(row) => row.s.trim().toUpperCase()", text],
    ["(row) => row.s + row.n", text],
    ["(row) => JSON.parse(row.s).n", text],
    ["(row) => JSON.parse(row.s).n * 2", fraction],
    ["(row) => 2n ** 3n", text],
    ["(row) => { row.n = 'x'; return row.n }", text],
    ["(row) => { const Number = String; return Number(row.n) }", text],
    ["(row) => null", text],
  ])("%s", (source, wanted) => {
    const { type, decimals } = read(source);
    expect({ type, decimals }).toEqual(wanted);
  });

  it("arguments have the types of their columns", () => {
    const args = [find("n"), find("price")];
    const { type, decimals, how } = readValueFunction("(a, b) => (a % 2) * a", "f", args);
    expect({ type, decimals, call: how.call }).toEqual({ ...whole, call: "values" });
    const wrong = () => readValueFunction("(a) => a", "f", args);
    expect(wrong).toThrow("takes 1 argument(s); found 2");
  });
});

describe("what cannot be read", () => {
  it.each([
    ["(row) => row..n", 1, 14],
    ["(row) => {\n  retrun 1;\n}", 2, 10],
    ["1; (row) => 1", 1, 2],
    ["async (row) => 1", 1, 1],
    ["function* (row) { yield 1 }", 1, 1],
    ["42", 1, 1],
    ["(row, more) => 1", 1, 7],
    ["([a]) => a", 1, 2],
    ["(row) => { const row2 = 1; { let row = 2 } }", 1, 34],
  ])("%s", (source, line, column) => {
    const error = failure(source);
    expect(error.code).toBe("function-invalid");
    expect(error.errors).toMatchObject([{ line, column, path: "derive[0].js" }]);
  });

  it.each([
    "",
    "   ",
    "(row) => '",
    "(row) => {",
    "\0",
    "(row) => 1) ; (1",
    `${"(".repeat(60_000)}1`,
  ])("%#: a problem, with or without a place", (source) => {
    expect(failure(source).code).toBe("function-invalid");
  });
});
