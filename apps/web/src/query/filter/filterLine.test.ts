import type { ColumnInfo, ColumnType, Filter, FilterOperator } from "@hadal/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseFilterLine, printFilterLine } from "./filterLine.js";
import { restOf } from "./filterTree.js";
import { printFilter } from "./filterUrl.js";
import { operatorsFor } from "./operators.js";
import { GrammarError } from "./token.js";

const info = (name: string, type: ColumnType, more: Partial<ColumnInfo> = {}): ColumnInfo => ({
  ...{ name, type, decimals: 0, rows: 1, bytes: 1, compressionRatio: null },
  ...more,
});
const columns: readonly ColumnInfo[] = [
  info("status", "int"),
  info("latency_us", "int", { unit: "us" }),
  info("ratio", "int", { decimals: 2 }),
  info("service", "string"),
  info("country", "string"),
  info("message", "string"),
  info("tags", "set"),
  info("stack", "vector"),
  info("odd name:(x)", "string"),
  info("-minus", "string"),
];
const read = (line: string): Filter[] => parseFilterLine(line, columns);

describe("a line of filters", () => {
  test.each<[string, Filter[]]>([
    ["", []],
    ["  status>=500  ", [{ column: "status", op: ">=", value: 500 }]],
    ["status:>=500", [{ column: "status", op: ">=", value: 500 }]],
    ["service:web", [{ column: "service", op: "=", value: "web" }]],
    ["service=web,cart", [{ column: "service", op: "in", value: ["web", "cart"] }]],
    ["service!=web,cart", [{ column: "service", op: "not in", value: ["web", "cart"] }]],
    ["-country:DE", [restOf({ column: "country", op: "=", value: "DE" })]],
    ['"time out"', [{ column: "message", op: "contains", value: "time out" }]],
    ["timeout", [{ column: "message", op: "contains", value: "timeout" }]],
    ["message~a.*b,c", [{ column: "message", op: "~", value: "a.*b,c" }]],
    ["tags:a,b", [{ column: "tags", op: "includes any", value: ["a", "b"] }]],
    ["tags&=a,b", [{ column: "tags", op: "includes all", value: ["a", "b"] }]],
    ["stack^=main", [{ column: "stack", op: "starts with", value: ["main"] }]],
    ["stack:[]", [{ column: "stack", op: "is empty" }]],
    ["-country:*", [{ column: "country", op: "is missing" }]],
    ["latency_us>250ms", [{ column: "latency_us", op: ">", value: 250_000 }]],
    ["ratio<0.25", [{ column: "ratio", op: "<", value: 0.25 }]],
    ['"odd name:(x)":"a b"', [{ column: "odd name:(x)", op: "=", value: "a b" }]],
    [
      "(any(status:eq:500|service:missing)) status<9",
      [
        {
          any: [
            { column: "status", op: "=", value: 500 },
            { column: "service", op: "is missing" },
          ],
        },
        { column: "status", op: "<", value: 9 },
      ],
    ],
  ])("%s", (line, filters) => expect(read(line)).toEqual(filters));

  test.each([
    ["statuz>500", /Character 1: there is no column "statuz"/],
    ["service:web status>x", /Character 21: “x” is not a whole number/],
    ["service>web", /">" is not for service, a text/],
    ["latency_us>5MB", /not a whole number of us/],
    ["status:", /expected a value/],
    ["(status:eq:5", /expected "\)"/],
    ['service:"web', /quote is not closed/],
    ['"a"b', /expected a space/],
  ])("%s is refused with its place", (line, reason) => {
    expect(() => read(line)).toThrow(reason);
    expect(() => read(line)).toThrow(GrammarError);
  });

  test("is what the page says of common filters", () => {
    const line = 'status>=500 service:web,cart -country:DE "time out" tags:a -"half done"';
    expect(printFilterLine(read(line), columns)).toBe(line);
  });

  test("any filters are parsed back from their line, also those of unknown columns", () => {
    const text = fc.oneof(
      fc.constantFrom("web", "a,b", "-x", "", " ", "[]", "*", "(a)", '"', "1.5", "true"),
      fc.string({ unit: "grapheme", maxLength: 8 }),
    );
    const number = fc.oneof(fc.integer(), fc.constantFrom("9007199254740993", -0.5));
    const condition = fc
      .constantFrom(...columns, info("unknown", "string"))
      .chain((column) =>
        fc.tuple(fc.constant(column), fc.constantFrom(...operatorsFor(column.type))),
      )
      .chain(([column, op]) => {
        const value = column.type === "int" ? number : text;
        const values = fc.array(value, { minLength: 1, maxLength: 3 });
        const bare: readonly FilterOperator[] = ["is present", "is missing", "is empty"];
        const many = /in$|includes|with|sequence/.test(op);
        return fc.record({
          column: fc.constant(column.name),
          op: fc.constant(op),
          ...(!bare.includes(op) && { value: many ? values : value }),
        }) as fc.Arbitrary<Filter>;
      });
    const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
      filter: fc.oneof(
        { maxDepth: 2 },
        condition,
        condition.map(restOf),
        fc.record({ not: tie("filter") }),
        fc.record({ any: fc.array(tie("filter"), { minLength: 1, maxLength: 3 }) }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(filter, { maxLength: 4 }), (filters) => {
        const line = printFilterLine(filters, columns);
        expect(read(line).map(printFilter), line).toEqual(filters.map(printFilter));
      }),
      { numRuns: 1_000 },
    );
  });

  test("whatever is typed is read or refused, never more", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab:"=<>~!*^$&,()[] -\\status'), maxLength: 30 }),
        (line) => {
          try {
            read(line);
          } catch (error) {
            expect(error).toBeInstanceOf(GrammarError);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
