import {
  isCsvComment,
  parseCsvTypes,
  type Result,
  type ResultColumn,
  type ResultRow,
  readCsvRecord,
} from "@hadal/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printCsv } from "./csv.js";

const column = (name: string, type: ResultColumn["type"], decimals?: number): ResultColumn => ({
  ...{ name, type, role: "sample" },
  ...(decimals === undefined ? {} : { decimals }),
});

function resultOf(
  columns: readonly ResultColumn[],
  rows: readonly ResultRow[],
  more: Partial<Result> = {},
): Result {
  return {
    ...{ columns, rows, intervals: {}, final: true, truncated: null },
    completeness: {
      ...{ fraction: 0.75, rowsAnswered: 3, rowsExpected: 4 },
      leaves: { answered: 1, total: 2, missing: ["leaf 2"] },
    },
    asOf: Date.UTC(2026, 10, 21),
    ...more,
  } as Result;
}

/** The records of a CSV text, and which of their values are quoted. */
function recordsOf(text: string) {
  const records: { values: readonly string[]; quoted: readonly number[] }[] = [];
  for (let at = 0; at < text.length; ) {
    const record = readCsvRecord(text, at, { delimiter: ",", last: true });
    if (record === null) throw new Error("a whole text has whole records");
    if (!isCsvComment(record)) {
      expect(record.fault).toBeNull();
      records.push({ values: record.values, quoted: record.quoted ?? [] });
    }
    at = record.end;
  }
  return records;
}

const typesIn = (text: string): Record<string, string> =>
  Object.fromEntries(parseCsvTypes(/^# types: (.*)\r$/m.exec(text)?.[1] ?? ""));

test("times are ISO, numbers have all their digits, error bars are columns, comments say the rest", () => {
  const columns = [
    column("time", "time"),
    column("ser,vice", "string"),
    column("count", "int"),
    column("avg", "float"),
    column("tags", "set"),
  ];
  const rows: ResultRow[] = [
    [Date.UTC(2026, 10, 21, 9), 'a "b"\n', 9007199254740993n, 1 / 3, ["x", "y"]],
    [Date.UTC(2026, 10, 21, 9, 0, 0, 5), "", 7, null, null],
  ];
  const intervals = {
    count: [[1, 20.5], null] as const,
    avg: [null, null],
  };
  const coverage = [[1795255200000, 0.5, "open"]] as const;
  expect(printCsv(resultOf(columns, rows, { intervals, coverage, truncated: { rows: 2 } }))).toBe(
    [
      'time,"ser,vice",count,count.low,count.high,avg,tags',
      '2026-11-21T09:00:00.000Z,"a ""b""\n",9007199254740993,1,20.5,0.3333333333333333,"[""x"",""y""]"',
      '2026-11-21T09:00:00.005Z,"",7,,,,',
      "# completeness: 0.75; rows 3/4; leaves 1/2; missing leaf%202",
      "# as of 2026-11-21T00:00:00.000Z",
      '# truncated: {"rows":2}',
      '# coverage: [[1795255200000,0.5,"open"]]',
      '# types: "ser,vice":string,count:integer,count.low:decimal(0),count.high:decimal(1),avg:decimal(16),tags:set',
      "",
    ].join("\r\n"),
  );
});

test("ends of error bars have names of their own, whatever the columns are called", () => {
  const columns = ["a.low", "a", "__proto__"].map((name) => column(name, "int"));
  const text = printCsv(resultOf(columns, [[1, 2, 3]], { intervals: { a: [[1, 3]] } }));
  expect(text.split("\r\n").slice(0, 2)).toEqual(["a.low,a,a.low.2,a.high,__proto__", "1,2,1,3,3"]);
});

describe("what an import needs to know", () => {
  test.each<[string, ResultColumn["type"], readonly (number | bigint | string)[], string]>([
    ["whole numbers", "int", [5, -(2n ** 63n)], "integer"],
    ["whole numbers beyond 64 bits", "int", [5, 2n ** 63n], "string"],
    ["decimals", "decimal", [1.5, "123456789012.123456"], "decimal(6)"],
    ["small floats", "float", [1.5e-9, 2], "decimal(10)"],
    ["floats of more digits than 64 bits hold", "float", [1e9 / 3, 1e-12], "decimal(10)"],
    ["floats beyond 64 bits", "float", [1e300], "decimal(0)"],
    ["texts", "string", ["5"], "string"],
    ["buckets", "histogram", ["[]"], "string"],
    ["lists", "vector", ["[]"], "vector"],
  ])("%s", (_, type, values, wanted) => {
    const columns = [column("time", "time"), column("x", type, type === "decimal" ? 6 : undefined)];
    const rows = values.map((value): ResultRow => [0, value]);
    expect(typesIn(printCsv(resultOf(columns, rows)))).toEqual({ x: wanted });
  });

  test("neither times nor sample rates have a type", () => {
    const columns = [column("time", "time"), column("sample_rate", "int")];
    expect(typesIn(printCsv(resultOf(columns, [[0, 10]])))).toEqual({});
  });
});

const numberLike = fc.constantFrom("5", "-1", "1.10", "+3", ".5", "1e5", "−2", "NA", "# types: a");
const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }), numberLike);

test("every text is read again as it was, and never as a number", () => {
  const row = fc.tuple(
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
    fc.option(text),
    fc.option(fc.array(text, { maxLength: 3 })),
    fc.option(fc.double({ noDefaultInfinity: true, noNaN: true })),
  );
  const columns = [
    column("time", "time"),
    column('#a "b"', "string"),
    column("list", "vector"),
    column("x", "float"),
  ];
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
      const [head, ...records] = recordsOf(printCsv(resultOf(columns, rows)));
      expect(head?.values).toEqual(columns.map(({ name }) => name));
      expect(
        records.map(({ values, quoted }) => [
          Date.parse(values[0] ?? ""),
          values[1] === "" && !quoted.includes(1) ? null : values[1],
          values[2] === "" ? null : JSON.parse(values[2] ?? ""),
          values[3] === "" ? null : Number(values[3]),
        ]),
      ).toEqual(rows.map(([time, name, list, x]) => [time, name, list, x === 0 ? 0 : x]));
      for (const { values, quoted } of records)
        if (/^\s*[+\-−]?[\d.]/.test(values[1] ?? "")) expect(quoted).toContain(1);
    }),
  );
});
