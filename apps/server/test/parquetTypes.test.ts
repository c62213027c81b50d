import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { BinaryForm } from "@hadal/sdk";
import { parquetSchema, type SchemaElement } from "hyparquet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parsers, printParquetRow } from "../src/base/format/parquetCells.js";
import { readParquetTypes } from "../src/base/format/parquetTypes.js";
import { cutParquetFile } from "../src/cli/ingest/parquetFile.js";

let folder: string;
let connection: DuckDBConnection;
let files = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-parquet-"));
  connection = await (await DuckDBInstance.create()).connect();
});

afterAll(async () => {
  connection.closeSync();
  await rm(folder, { recursive: true, force: true });
});

interface Reading {
  readonly binary?: BinaryForm;
  readonly timeName?: string;
  readonly namesZone?: boolean;
}

const asCli = { namesZone: false, hexWords: "--binary hex" };

/** The lines that are sent of the rows that a query gives. */
async function linesOf(
  sql: string,
  { binary = "text", timeName = "time", namesZone = false }: Reading = {},
): Promise<string[]> {
  const path = join(folder, `${files++}.parquet`);
  await connection.run(`COPY (${sql}) TO '${path}' (FORMAT parquet)`);
  const lines: string[] = [];
  for await (const { bytes } of cutParquetFile(path, { binary, timeName, namesZone }))
    lines.push(...bytes.toString().trimEnd().split("\n"));
  return lines;
}

/** What a column `c` of this type is sent as. */
const cellsOf = async (values: string, reading?: Reading): Promise<string[]> => {
  const lines = await linesOf(`SELECT * FROM (VALUES ${values}) rows(c)`, reading);
  return lines.map((line) => line.replace(/^\{"c":(.*)\}$/, "$1"));
};

describe("each type of Parquet is read exactly", () => {
  test.each<[type: string, values: string, cells: readonly string[]]>([
    [
      "BIGINT",
      "(9223372036854775807), (-9223372036854775808), (NULL)",
      ["9223372036854775807", "-9223372036854775808", "null"],
    ],
    [
      "UBIGINT",
      "(18446744073709551615::UBIGINT), (1), (NULL)",
      ["18446744073709551615", "1", "null"],
    ],
    ["UINTEGER", "(4294967295::UINTEGER), (NULL)", ["4294967295", "null"]],
    ["UTINYINT", "(255::UTINYINT), (0)", ["255", "0"]],
    ["TINYINT", "(CAST(-128 AS TINYINT)), (127)", ["-128", "127"]],
    ["DECIMAL(4,2)", "(1.10::DECIMAL(4,2)), (-0.05), (NULL)", ["1.1", "-0.05", "null"]],
    ["DECIMAL(18,6)", "(123456789012.345678::DECIMAL(18,6))", ["123456789012.345678"]],
    [
      "DECIMAL(38,10)",
      "(-1234567890123456789012345678.0123456789::DECIMAL(38,10))",
      ["-1234567890123456789012345678.0123456789"],
    ],
    ["FLOAT", "(0.5::FLOAT), (-3), (NULL)", ["0.5", "-3", "null"]],
    [
      "DOUBLE",
      "(0.1::DOUBLE), (1e300), ('nan'), ('infinity'), ('-infinity')",
      ["0.1", "1e+300", "null", "1e999", "-1e999"],
    ],
    ["BOOLEAN", "(true), (false), (NULL)", ["true", "false", "null"]],
    ["VARCHAR", "('ü \"'), (''), (NULL)", ['"ü \\""', '""', "null"]],
    ["ENUM", "('a'::ENUM('a', 'b')), ('b')", ['"a"', '"b"']],
    [
      "UUID",
      "('550e8400-e29b-41d4-a716-446655440000'::UUID)",
      ['"550e8400-e29b-41d4-a716-446655440000"'],
    ],
    [
      "DATE",
      "(DATE '2026-01-02'), (DATE '1969-12-31'), (NULL)",
      [String(Date.UTC(2026, 0, 2)), "-86400000", "null"],
    ],
    ["TIMESTAMP_MS", "(TIMESTAMP_MS '2026-01-01 00:00:00.123')", ["1767225600123"]],
    ["TIMESTAMP", "(TIMESTAMP '2026-01-01 00:00:00.123456')", ["1767225600123.456"]],
    ["TIMESTAMP_NS", "(TIMESTAMP_NS '2026-01-01 00:00:00.123456789')", ["1767225600123.456789"]],
    ["TIMESTAMP before 1970", "(TIMESTAMP_NS '1969-12-31 23:59:59.999999999')", ["-0.000001"]],
    [
      "JSON",
      `('{"big":12345678901234567890,\n"x":1.10}'::JSON), (NULL)`,
      ['{"big":12345678901234567890, "x":1.10}', "null"],
    ],
    [
      "a list",
      "([1, NULL, 9223372036854775807]::BIGINT[]), ([]), (NULL)",
      ["[1,null,9223372036854775807]", "[]", "null"],
    ],
    ["lists of lists", "([['a'], [], ['b', 'c']])", ['[["a"],[],["b","c"]]']],
    ["a list of timestamps", "([TIMESTAMP '2026-01-01 00:00:00.000001'])", ["[1767225600000.001]"]],
    ["a list of unsigned", "([18446744073709551615::UBIGINT, 1])", ["[18446744073709551615,1]"]],
    [
      "a struct",
      "({'a': 9007199254740993, 'b': {'c': 'x'}})",
      ['{"a":9007199254740993,"b":{"c":"x"}}'],
    ],
    ["a map", "(MAP {'a': 1, 'b': 2})", ['{"a":1,"b":2}']],
    ["a map of integers", "(MAP {7: 'x'})", ['{"7":"x"}']],
  ])("%s", async (_, values, cells) => {
    expect(await cellsOf(values)).toEqual(cells);
  });

  test.each<[type: string, value: string, shown: string]>([
    ["TIME", "(TIME '10:00:00.5')", '"c" has the Parquet type TIME(MICROS)'],
    ["INTERVAL", "(INTERVAL '1 month')", '"c" has the Parquet type INTERVAL'],
    ["a list of TIME", "([TIME '10:00:00'])", "TIME(MICROS)"],
    ["a decimal in a list", "([1.25::DECIMAL(9,2)])", "DECIMAL within a list or struct"],
    ["a decimal in a struct", "({'d': 1.25::DECIMAL(9,2)})", '"c.d" has the Parquet type DECIMAL'],
    [
      "a map by times",
      "(MAP {TIMESTAMP '2026-01-01 00:00:00': 1})",
      '"c" has the Parquet type MAP with keys of TIMESTAMP(MICROS)',
    ],
    ["a map by bytes", "(MAP {'\\xFF'::BLOB: 1})", "MAP with keys of BYTE_ARRAY"],
  ])("%s is refused by its name", async (_, value, shown) => {
    await expect(cellsOf(value)).rejects.toMatchObject({
      code: "body-undecodable",
      message: expect.stringContaining(shown),
    });
  });

  test("the event time of a type of its own has its unit, before 1990 too", async () => {
    const times: readonly (readonly [string, string])[] = [
      ["TIMESTAMP_NS '1969-12-31 23:59:59.999999999'", '"1969-12-31T23:59:59.999Z"'],
      ["TIMESTAMPTZ '1985-01-01 00:00:00.0009Z'", '"1985-01-01T00:00:00.000Z"'],
      ["DATE '1985-01-01'", '"1985-01-01T00:00:00.000Z"'],
      ["1763632800::BIGINT", "1763632800"],
      ["NULL::TIMESTAMP", "null"],
    ];
    for (const [sql, cell] of times)
      expect(await cellsOf(`(${sql})`, { timeName: "c" })).toEqual([cell]);
  });
});

test("times that are in no zone are left to the zone of the request, where it names one", async () => {
  const naive = { timeName: "c", namesZone: true };
  expect(await cellsOf("(TIMESTAMP '2026-07-01 12:00:00')", naive)).toEqual([
    '"2026-07-01T12:00:00.000"',
  ]);
  expect(await cellsOf("(DATE '2026-07-01')", naive)).toEqual(['"2026-07-01T00:00:00.000"']);
  expect(await cellsOf("(TIMESTAMPTZ '2026-07-01 12:00:00+00')", naive)).toEqual([
    '"2026-07-01T12:00:00.000Z"',
  ]);
});

describe("columns of bytes", () => {
  const values = "('\\xFF\\x01'::BLOB), ('\\xFE\\x01'::BLOB), ('ab'::BLOB), (NULL)";

  test("are text where all of them are UTF-8", async () => {
    expect(await cellsOf("('ab'::BLOB), ('\\xC3\\xBC'::BLOB), (''::BLOB), (NULL)")).toEqual([
      '"ab"',
      '"ü"',
      '""',
      "null",
    ]);
  });

  test("are refused by name and row before anything is sent, however far down the bytes are", async () => {
    await expect(cellsOf(values)).rejects.toMatchObject({
      code: "body-undecodable",
      message: expect.stringMatching(
        /Column "c" holds bytes.*row 1 \(hex ff01\).*--binary hex.*Nothing of the file was stored/,
      ),
    });
    const path = join(folder, "deep.parquet");
    await connection.run(
      `COPY (SELECT range AS time, CASE WHEN range = 12000 THEN '\\xFF'::BLOB ELSE 'a'::BLOB END AS b FROM range(13000)) TO '${path}' (FORMAT parquet)`,
    );
    const bodies: unknown[] = [];
    const read = async () => {
      const options = { binary: "text", timeName: "time", namesZone: false } as const;
      for await (const body of cutParquetFile(path, options)) bodies.push(body);
    };
    await expect(read()).rejects.toMatchObject({ message: expect.stringContaining("row 12001") });
    expect(bodies).toEqual([]);
  });

  test("are hexadecimal by setting, each value its own, also within lists", async () => {
    const hex = { binary: "hex" } as const;
    expect(await cellsOf(values, hex)).toEqual(['"ff01"', '"fe01"', '"6162"', "null"]);
    expect(await cellsOf("(['\\xFF'::BLOB, 'a'::BLOB])", hex)).toEqual(['["ff","61"]']);
    // What is said to be text stays text.
    expect(await cellsOf("('ab')", hex)).toEqual(['"ab"']);
    await expect(cellsOf("(['\\xFF'::BLOB])")).rejects.toMatchObject({
      message: expect.stringContaining('Column "c" holds bytes'),
    });
  });

  test("that are said to be text and are none are refused by name and row", () => {
    const columns = typesOf([{ name: "s", type: "BYTE_ARRAY", converted_type: "UTF8" }]);
    const brokenText = parsers.stringFromBytes(new Uint8Array([0x61, 0xff]));
    expect(() =>
      printParquetRow({ s: brokenText }, 7, { columns, timeName: "time", binary: "hex", ...asCli }),
    ).toThrow(/Column "s" is a column of text, but in row 7 it is not UTF-8 \(hex 61ff\)/);
  });
});

describe("annotations of one kind alone", () => {
  test.each<[string, Partial<SchemaElement>, readonly [string, unknown]]>([
    [
      "decimals",
      { type: "INT32", logical_type: { type: "DECIMAL", precision: 9, scale: 2 } },
      ["scales", [["c", 2]]],
    ],
    [
      "older decimals",
      { type: "INT32", converted_type: "DECIMAL", scale: 3 },
      ["scales", [["c", 3]]],
    ],
    [
      "unsigned",
      { type: "INT64", logical_type: { type: "INTEGER", bitWidth: 64, isSigned: false } },
      ["unsigned", ["c"]],
    ],
    ["older unsigned", { type: "INT64", converted_type: "UINT_64" }, ["unsigned", ["c"]]],
    ["bytes", { type: "FIXED_LEN_BYTE_ARRAY", type_length: 4 }, ["binary", ["c"]]],
  ])("%s", (_, element, [kind, names]) => {
    const columns = typesOf([{ name: "c", ...element }]);
    expect([...columns[kind as keyof typeof columns]]).toEqual(names);
  });

  test("days are days, though only the newer annotation says so", () => {
    const element: SchemaElement = { name: "c", type: "INT32", logical_type: { type: "DATE" } };
    typesOf([element]);
    expect(element.converted_type).toBe("DATE");
  });

  test.each<[SchemaElement["logical_type"] & object, string]>([
    [{ type: "TIME", isAdjustedToUTC: true, unit: "NANOS" }, "TIME(NANOS)"],
    [{ type: "BSON" }, "BSON"],
    [{ type: "GEOMETRY" }, "GEOMETRY"],
  ])("%o is refused", (logical_type, shown) => {
    const element: SchemaElement = { name: "c", type: "BYTE_ARRAY", logical_type };
    expect(() => typesOf([element])).toThrow(`Column "c" has the Parquet type ${shown},`);
  });
});

function typesOf(elements: readonly SchemaElement[]) {
  const schema = [{ name: "root", num_children: elements.length }, ...elements];
  return readParquetTypes(parquetSchema({ schema }));
}
