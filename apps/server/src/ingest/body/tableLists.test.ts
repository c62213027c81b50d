import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitTables, tablesPerRequestMax } from "./tableLists.js";

const split = async (text: string): Promise<readonly (readonly [string, readonly string[]])[]> => {
  const lists = await splitTables(Buffer.from(text), async () => undefined);
  return lists.map(({ table, lines }) => {
    const all = Buffer.from(lines).toString();
    return [table, all === "" ? [] : all.replace(/\n$/, "").split("\n")] as const;
  });
};

describe("a body of several tables", () => {
  test("is split into the rows of each, one a line", () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const tables = fc.dictionary(fc.string(), fc.array(value, { maxLength: 5 }), { maxKeys: 4 });
    const space = fc.constantFrom(undefined, 1, "\t");
    return fc.assert(
      fc.asyncProperty(tables, space, async (lists, indent) => {
        const body = JSON.stringify({ tables: lists }, null, indent);
        const found = (await split(body)).map(([table, lines]) => [
          table,
          lines.map((line) => JSON.parse(line)),
        ]);
        expect(found).toEqual(JSON.parse(JSON.stringify(Object.entries(lists))));
      }),
    );
  });

  test("keeps every digit, and tables with names of object members", async () => {
    const body = '{"tables":{"__proto__":[{"n":9007199254740993}],"constructor":[]}}';
    expect(await split(body)).toEqual([
      ["__proto__", ['{"n":9007199254740993}']],
      ["constructor", []],
    ]);
  });

  test.each([
    ["", "an object with `tables`", 1],
    ["[]", "an object with `tables`", 1],
    ['{"rows":{}}', "`rows`", 8],
    ['{"tables":[]}', "a list of rows for each table", 11],
    ['{"tables":{"a":{}}}', "the list of rows of a", 16],
    ['{"tables":{"a":[1,]}}', "nothing behind it", 19],
    ['{"tables":{"a":[1 "b":[2]}}', "comma", 26],
    ['{"tables":{"a":[,1]}}', "a row", 17],
    ['{"tables":{"a":[1],"a":[2]}}', "twice", 23],
    ['{"tables":{"a":[{"x":"', "text does not end", 22],
    ['{"tables":{"a":[1]}', "end of the object", 20],
    ['{"tables":{"a":[1]}} x', "follows", 22],
    [`{"tables":{"a":[${"[".repeat(300)}`, "deeper than 200", 217],
  ])("%s is refused with its place", async (body, what, column) => {
    const problem = await split(body).catch((error: unknown) => error);
    expect(problem).toMatchObject({
      code: "bad-request",
      message: expect.stringContaining(what),
      errors: [{ line: 1, column, code: "invalid-json" }],
    });
  });

  test("has a bound on its tables, which is named", async () => {
    const lists = (count: number) =>
      JSON.stringify({
        tables: Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${i}`, []])),
      });
    expect(await split(lists(tablesPerRequestMax))).toHaveLength(tablesPerRequestMax);
    await expect(split(lists(tablesPerRequestMax + 1))).rejects.toMatchObject({
      message: expect.stringContaining("100 tables (tablesPerRequestMax)"),
    });
  });
});
