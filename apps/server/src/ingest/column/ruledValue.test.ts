import type { ColumnSetting } from "@hadal/sdk";
import { Float64, RecordBatchStreamWriter, Table, Utf8, vectorFromArray } from "apache-arrow";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BatchColumn } from "../../base/row/rowBatch.js";
import { collect } from "../testing/collect.js";

/** Each row's value of column `x` as it is stored: an integer, or a text; null where missing. */
function cellsOf(column: BatchColumn | undefined): (bigint | string | null)[] {
  if (column === undefined || column.type === "sparse") return [];
  if (column.type === "int") {
    return [...column.values].map((value, i) => (column.present?.[i] === 0 ? null : value));
  }
  return [...column.codes].map((code) => (code === 0 ? null : column.dictionary[code - 1]!));
}

async function read(setting: Omit<ColumnSetting, "name">, ...values: readonly string[]) {
  const body = values.map((value) => `{"time":1,"x":${value}}`).join("\n");
  const { batches, problems } = await collect(body, { columns: [{ name: "x", ...setting }] });
  const column = batches[0]?.columns[0];
  const { type, decimals, set } = (column ?? {}) as Extract<BatchColumn, { type: "int" }>;
  return { type, decimals, set, cells: cellsOf(column), codes: problems.map(({ code }) => code) };
}

describe("decimals", () => {
  test.each([
    [0, ["2.9", "-2.9", "7"], [2n, -2n, 7n]],
    [2, ["2.345", "-2.349", "7", "null"], [234n, -234n, 700n, null]],
    [9, ["0.123456789987", "1e-9", "3"], [123456789n, 1n, 3_000_000_000n]],
    // Seventeen digits are more than a double holds.
    [18, ["1.234567890123456789", "-9.223372036854775808"], [1234567890123456789n, -(2n ** 63n)]],
  ])("%d: %j", async (decimals, values, cells) => {
    expect(await read({ decimals }, ...values)).toEqual({
      ...{ type: "int", decimals, set: "decimals", cells, codes: [] },
    });
  });
  test("whole numbers have them too, and a number that does not fit 64 bits with them is refused alone", async () => {
    const { decimals, cells, codes } = await read({ decimals: 9 }, "5", "9223372037", "6");
    expect({ decimals, cells }).toEqual({ decimals: 9, cells: [5_000_000_000n, 6_000_000_000n] });
    expect(codes).toEqual(["number-out-of-range"]);
  });
  test("are trunc(x · 10^d) of the digits as they were written", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 12 }),
        fc.tuple(
          fc.boolean(),
          fc.integer({ min: 0, max: 999_999 }),
          fc.stringMatching(/^\d{1,14}$/),
        ),
        async (decimals, [negative, whole, fraction]) => {
          const sign = negative ? "-" : "";
          const digits = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
          const { cells } = await read({ decimals }, `${sign}${whole}.${fraction}`);
          expect(cells).toEqual([negative ? -digits : digits]);
        },
      ),
      { numRuns: 200 },
    ));
});

describe("types", () => {
  test.each([
    ["string", ["5", "2.50", "true", '"x"', "null"], ["5", "2.5", "true", "x", null], []],
    ["string", ['["a"]', '"b"'], ["b"], ["type-mismatch"]],
    ["int", ['"12"', '"-1.5"', "3"], [12_000_000n, -1_500_000n, 3_000_000n], []],
    ["int", ['"007"', '"1e3"'], [7n, 1000n], []],
    ["int", ['"x"', "true", "[1]", '""', "4"], [4n], new Array(4).fill("type-mismatch")],
    ["set", ['["b","a","b"]', '"c"', "5", "[]"], ['["a","b"]', '["c"]', '["5"]', "[]"], []],
    ["vector", ['{"$set":["b","a","b"]}', '["y","x"]'], ['["a","b"]', '["y","x"]'], []],
  ] as const)("%s of %j", async (type, values, cells, codes) => {
    const found = await read({ type }, ...values);
    expect(found).toMatchObject({ type, set: "type", cells, codes });
  });

  test("names within an object are separate columns", async () => {
    const columns = [
      { name: "a", type: "string" },
      { name: "a.b", decimals: 1 },
    ] as const;
    const { batches } = await collect('{"time":1,"a":{"b":1.25}}\n{"time":1,"a":5}', { columns });
    expect(batches[0]?.columns.map((column) => [column.name, cellsOf(column)])).toEqual([
      ["a.b", [12n, null]],
      ["a", [null, "5"]],
    ]);
  });
});

describe("in every format", () => {
  const columns = [
    { name: "zip", type: "string" },
    { name: "price", decimals: 2 },
  ] as const;
  const expected = [
    ["zip", ["0150", "20"]],
    ["price", [199n, -50n]],
  ];
  const shown = async (body: string | Uint8Array, contentType: string) => {
    const { batches, rejected } = await collect(body, { contentType, columns });
    expect(rejected).toBe(0);
    return batches[0]?.columns.map((column) => [column.name, cellsOf(column)]);
  };
  test("CSV: a text stays as it was written", async () =>
    expect(
      await shown("time,zip,price\n1,0150,1.999\n2,20,-.5\n".replace("-.5", "-0.5"), "text/csv"),
    ).toEqual(expected));
  test("JSON", async () =>
    expect(
      await shown(
        '[{"time":1,"zip":"0150","price":1.999},{"time":2,"zip":20,"price":-0.5}]',
        "application/json",
      ),
    ).toEqual(expected));
  test("Arrow", async () => {
    const table = new Table({
      time: vectorFromArray([1, 2], new Float64()),
      zip: vectorFromArray(["0150", "20"], new Utf8()),
      price: vectorFromArray([1.999, -0.5], new Float64()),
    });
    const bytes = RecordBatchStreamWriter.writeAll(table).toUint8Array(true);
    expect(await shown(bytes, "application/vnd.apache.arrow.stream")).toEqual(expected);
  });
});
