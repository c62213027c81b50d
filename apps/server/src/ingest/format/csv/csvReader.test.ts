import { type CsvParameters, followCsv, printCsvTypes } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { rowsPreview } from "../../read/rowsPreview.js";
import { collect } from "../../testing/collect.js";
import { TimeForms } from "../../value/timeForms.js";

const noTimes = new TimeForms().reading();

const contentType = "text/csv";

/** The stored cells of one column, as a preview shows them. */
async function stored(body: string, csv: CsvParameters = {}, pieceBytes = 1_000) {
  const rows = await collect(body, { contentType, csv, pieceBytes });
  const preview = rowsPreview(rows, noTimes);
  const column = (name: string) => {
    const at = preview.columns.findIndex((other) => other.name === name);
    return at < 0 ? null : preview.rows.map((row) => row[at]);
  };
  const typed = preview.columns.slice(1).map(({ name, type, decimals }) => [name, type, decimals]);
  return { ...preview, column, typed };
}

/** A column `x` of these cells, as they stand in the file. */
const columnOf = (cells: readonly string[], delimiter = ",") =>
  [`time${delimiter}x`, ...cells.map((cell, i) => `${i}${delimiter}${cell}`)].join("\n");
const sum = (cells: readonly unknown[] | null) =>
  (cells ?? []).reduce<number>((total, cell) => total + Number(cell ?? 0), 0);

describe("types of columns", () => {
  test("versions stay apart, quoted or not", async () => {
    const body = [
      "time,version,vq",
      '2026-11-20T10:00:00Z,1.1,"1.1"',
      '2026-11-20T10:00:01Z,1.10,"1.10"',
      '2026-11-20T10:00:02Z,1.10,"1.10"',
      '2026-11-20T10:00:03Z,1.9,"1.9"',
    ].join("\n");
    const { column, csv } = await stored(body);
    expect(column("version")).toEqual(["1.1", "1.10", "1.10", "1.9"]);
    expect(column("vq")).toEqual(["1.1", "1.10", "1.10", "1.9"]);
    expect(csv?.columns).toEqual([
      {
        name: "version",
        type: "string",
        reason:
          '"1.1" and "1.10" have different numbers of digits behind the point, as versions do.',
      },
      expect.objectContaining({ name: "vq", type: "string" }),
    ]);
  });

  test.each<[string, readonly string[], "int" | "string"]>([
    ["prices of two digits", ["1.50", "2.25", "3.00"], "int"],
    ["prices among whole numbers", ["2", "1.50", "0"], "int"],
    ["floats as Python prints them", ["0.25", "5.0", "1.5", "1e-05", "4.0e-05"], "int"],
    ["the zero before the others", ["1.10", "1.10", "1.1"], "string"],
    ["the zero behind others of two lengths", ["1.125", "1.1", "1.120"], "string"],
    ["postal codes", ["10115", "01234"], "string"],
    ["a zero and nothing behind it", ["0", "10", "-0", "0.5"], "int"],
    ["the largest integer", ["9223372036854775807", "1"], "int"],
    ["identifiers beyond 64 bits", ["9223372036854775808", "1"], "string"],
    ["booleans", ["true", "FALSE"], "string"],
    ["dates", ["2026-11-20", "2026-11-21T10:00:00Z"], "string"],
    ["one text", ["1", "2", "abc", "4"], "string"],
    ["quoted among others", ["1", '"2"'], "int"],
    ["all quoted", ['"1"', '"2"'], "string"],
    ["addresses", ["10.0.0.1", "10.0.0.2"], "string"],
    ["infinity", ["1", "inf"], "string"],
  ])("%s: %j → %s", async (_, cells, type) => {
    const { typed, column } = await stored(columnOf(cells));
    expect(typed.map(([, found]) => found)).toEqual([type]);
    const written = cells.map((cell) => cell.replaceAll('"', ""));
    if (type === "string") expect(column("x")).toEqual(written);
    else expect(column("x")?.map(Number)).toEqual(written.map((cell) => Number(cell) || 0));
  });

  test("where every value is in quotes, quotes do not mark texts; a trailing zero still does", async () => {
    const { column, typed } = await stored(
      '"time","n","price","v"\n"1","5","2.5","1.10"\n"2","7","1.25","1.20"\n',
    );
    expect(typed).toEqual([
      ["n", "int", 0],
      ["price", "int", 6],
      ["v", "string", 0],
    ]);
    expect(column("v")).toEqual(["1.10", "1.20"]);
  });

  test("why a column is text", async () => {
    const reasonOf = async (...cells: string[]) =>
      (await stored(columnOf(cells))).csv?.columns[0]?.reason;
    expect(await reasonOf('"1"', '"2"')).toBe("Every value stands in quotes.");
    expect(await reasonOf("1", "abc")).toBe('Line 3 has "abc", which is no number.');
    expect(await reasonOf("1", "007")).toBe('Line 3 has "007", which begins with a zero.');
    expect(await reasonOf("9223372036854775808")).toContain("64 bits do not hold");
    expect(await reasonOf("a", "b")).toBe(undefined);
  });

  test("every usual spelling of a number", async () => {
    const cells = [
      "+5",
      ".5",
      "5.",
      "-0",
      " 7",
      '"1,000"',
      "3",
      "1'000",
      "\u22122",
      "1e2 ",
      "1E+1",
    ];
    const { column } = await stored(columnOf(cells));
    const expected = ["5", "0.5", "5", "0", "7", "1000", "3", "1000", "-2", "100", "10"];
    expect(column("x")).toEqual(expected);
    expect(sum(column("x")?.slice(0, 7) ?? null)).toBe(1_020.5);
  });

  test("exponents are read digit by digit, in JSON too", async () => {
    const cells = ["0.5", "4.0e-05", "1e-05", "1E2", "1.2e+03"];
    const expected = ["0.5", "0.00004", "0.00001", "100", "1200"];
    const { column } = await stored(columnOf(cells));
    expect(column("x")).toEqual(expected);
    expect(sum(expected)).toBeCloseTo(1300.50005, 10);
    const lines = cells.map((cell, i) => `{"time":${i},"x":${cell}}`).join("\n");
    const rows = rowsPreview(await collect(lines), noTimes).rows.map(([, x]) => x);
    expect(rows).toEqual(expected);
  });

  test("64 bits are kept digit by digit", async () => {
    const { column } = await stored(columnOf(["9007199254740993", "-9223372036854775808", "+12"]));
    expect(column("x")).toEqual(["9007199254740993", "-9223372036854775808", "12"]);
  });

  test("a column without values takes the type of its first ones, however late", async () => {
    const empty = Array.from({ length: 150_000 }, (_, i) => `${i},`).join("\n");
    const { csv, accepted, rejected } = await stored(`time,x\n${empty}\n1,5\n2,7`, {}, 100_000);
    expect([accepted, rejected]).toEqual([150_002, 0]);
    expect(csv?.columns).toEqual([{ name: "x", type: "number" }]);
    expect((await stored("time,x\n1,\n")).csv?.columns).toEqual([{ name: "x", type: null }]);
  });
});

describe("rows behind the sample", () => {
  const start = (cell: string) =>
    `time,x\n${Array.from({ length: 200_000 }, (_, i) => `${i},${cell}`).join("\n")}\n`;

  test.each<[string, string, string]>([
    ["5", "abc", "which is no number"],
    ["5", "007", "begins with a zero"],
    ["1.5", "1.10", "different numbers of digits"],
    ["1.50", "1.5", "different numbers of digits"],
  ])("after many %s, %s is refused with its line", async (cell, odd, reason) => {
    const { accepted, problems } = await stored(`${start(cell)}7,${odd}\n8,6\n`, {}, 100_000);
    expect(accepted).toBe(200_001);
    expect(problems).toMatchObject([{ line: 200_002, code: "type-mismatch" }]);
    expect(problems[0]?.detail).toContain(`\`x\` is "${odd}"`);
    expect(problems[0]?.detail).toContain(reason);
    expect(problems[0]?.detail).toContain("types=x:string");
  });

  test("a comma that may be either is refused where no row of the sample shows which", async () => {
    const body = `${start("5")}7,1,500\n8,6\n`.replaceAll(/^(\w+),/gm, "$1;");
    const { accepted, problems, csv } = await stored(body, {}, 100_000);
    expect([accepted, csv?.decimal]).toEqual([200_001, null]);
    expect(problems).toMatchObject([{ line: 200_002, code: "type-mismatch" }]);
    expect(problems[0]?.detail).toContain("set `decimal`");
    for (const decimal of [",", "."])
      expect((await stored(body, { decimal }, 100_000)).rejected).toBe(0);
  });

  test("fractions, exponents and missing words fit, and texts take anything", async () => {
    const fine = await stored(`${start("5")}7,1.5\n8,1e-7\n9,NA\n`, {}, 100_000);
    expect([fine.rejected, fine.csv?.missing]).toEqual([
      0,
      [{ column: "x", text: "NA", count: 1 }],
    ]);
    expect((await stored(`${start("a")}7,1.10\n8,5\n`, {}, 100_000)).rejected).toBe(0);
  });

  test("the found options read the next body alike", async () => {
    const { csv } = await stored("time,v,n,zip\n1,1.1,5,01\n2,1.10,6,2\n");
    const types = printCsvTypes(
      (csv?.columns ?? []).flatMap(({ name, type }) => (type === null ? [] : [[name, type]])),
    );
    expect(types).toBe("v:string,n:number,zip:string");
    const { column, problems } = await stored("time,v,n,zip\n3,1.2,7,3\n4,1.3,x,4\n", { types });
    expect([column("v"), column("n"), column("zip")]).toEqual([["1.2"], ["7"], ["3"]]);
    expect(problems).toMatchObject([{ line: 3, code: "type-mismatch" }]);
  });
});

test("the decimal mark is found by the first body that shows it", async () => {
  const read = async (body: string, csv: CsvParameters = {}) => {
    const found = await stored(body, csv);
    return { ...found, next: followCsv(csv, found.csv!) };
  };
  const first = await read("time;x\n1;5\n2;7\n");
  const second = await read("time;x\n3;1,125\n4;3,98\n", first.next);
  expect(second.column("x")).toEqual(["1.125", "3.98"]);
  const third = await read("time;x\n5;1,125\n", second.next);
  expect(third.column("x")).toEqual(["1.125"]);
  // What read fractions with a point keeps to it.
  const pointed = await read("time;x\n1;1.500\n");
  expect((await read("time;x\n2;3,98\n3;2\n", pointed.next)).rejected).toBe(1);
});

describe("missing values", () => {
  test("NA is a country, and so is null a text among texts", async () => {
    const { column, csv } = await stored(
      "time,country,n\n0,NA,10\n1,NA,20\n2,ZA,5\n3,,1\n4,DE,7\n5,null,1\n",
    );
    expect(column("country")).toEqual(["NA", "NA", "ZA", null, "DE", "null"]);
    expect(column("n")).toEqual(["10", "20", "5", "1", "7", "1"]);
    expect(csv?.missing).toEqual([]);
  });

  test("numbers average beside words for missing, which are counted", async () => {
    const cells = ["10", "20", "NA", "30", "NaN", "null", "-", "N/A", "", "NA"];
    const { column, csv, rejected } = await stored(columnOf(cells));
    expect(rejected).toBe(0);
    const present = column("x")?.filter((cell) => cell !== null) ?? [];
    expect(sum(present) / present.length).toBe(20);
    expect(csv?.missing).toEqual([
      { column: "x", text: "NA", count: 2 },
      ...["NaN", "null", "-", "N/A"].map((text) => ({ column: "x", text, count: 1 })),
    ]);
  });

  test("?null= applies to every column, in quotes too", async () => {
    const { column } = await stored('time,s,n\n1,NA,7\n2,"x,y",-99\n3,"NA",NaN\n', {
      null: 'NA,-99,"x,y"',
    });
    expect([column("s"), column("n")]).toEqual([null, ["7", null, null]]);
  });
});

describe("delimiters and decimals", () => {
  const rows = (delimiter: string, rate: string) =>
    `time${delimiter}code${delimiter}rate\r\n2026-11-20T10:00:00Z${delimiter}USD${delimiter}${rate}\r\n`;
  test.each<[string, string, CsvParameters, string, string]>([
    ["semicolons, decimal comma", rows(";", "3,9853"), {}, ";", ","],
    ["Excel's first line", `sep=;\r\n${rows(";", "3,9853")}`, {}, ";", ","],
    ["Excel's first line with a comma", `sep=,\r\n${rows(",", "3.9853")}`, {}, ",", "."],
    ["a first line that names another", `sep=#\r\n${rows("#", "3.9853")}`, {}, "#", "."],
    ["tabs", rows("\t", "3.9853"), {}, "\t", "."],
    ["bars", rows("|", "3.9853"), {}, "|", "."],
    ["said", rows("^", "3.9853"), { delimiter: "^" }, "^", "."],
    ["said by name", rows("\t", "3,9853"), { delimiter: "tab", decimal: "," }, "\t", ","],
    ["said beside commas", rows(",", '"3,9853"'), { decimal: "," }, ",", ","],
    ["thousands", rows(";", "0.003,9853"), { types: "rate:decimal(4)" }, ";", ","],
  ])("%s", async (_, body, csv, delimiter, decimal) => {
    for (const pieceBytes of [1, 1_000]) {
      const found = await stored(`\uFEFF${body}`, csv, pieceBytes);
      expect(found.problems).toEqual([]);
      expect([found.column("code"), found.column("rate")]).toEqual([["USD"], ["3.9853"]]);
      expect(found.csv).toMatchObject({ delimiter, decimal });
    }
  });

  test("a number that could be one or a thousand stays text, until the request decides", async () => {
    const body = columnOf(["1,000", "2,500", "7"], ";");
    expect((await stored(body)).column("x")).toEqual(["1,000", "2,500", "7"]);
    expect((await stored(body)).csv?.columns[0]?.reason).toContain("set `decimal`");
    expect((await stored(body, { decimal: "," })).column("x")).toEqual(["1", "2.5", "7"]);
    expect((await stored(body, { decimal: "." })).column("x")).toEqual(["1000", "2500", "7"]);
    const evident = `time;x;y\n1;1.000;0,5\n`;
    expect((await stored(evident)).column("x")).toEqual(["1000"]);
  });

  test.each<[string, CsvParameters, string]>([
    ["time^a\n1^2\n", {}, "comma (,)"],
    ["time;a\n1;2\n", { delimiter: "," }, "comma (,)"],
    ["zeit;a\n1;2\n", {}, "semicolon (;)"],
  ])(
    "%j without a column of the time is refused, naming the separator",
    async (body, csv, name) => {
      await expect(stored(body, csv)).rejects.toMatchObject({
        code: "body-undecodable",
        message: expect.stringContaining(name),
        errors: [{ line: 1, code: "time-missing" }],
      });
    },
  );

  test.each<[CsvParameters, string]>([
    [{ delimiter: "ab" }, "`delimiter`"],
    [{ delimiter: '"' }, "`delimiter`"],
    [{ delimiter: "." }, "part of numbers"],
    [{ decimal: ";" }, "`decimal`"],
    [{ types: "x" }, "`types`"],
    [{ types: "x:float" }, '"float" is not a type'],
    [{ types: "x:decimal(19)" }, "not a type"],
    [{ types: "x:string,x:number" }, "twice"],
    [{ types: "y:string" }, 'the header has no "y"'],
    [{ types: "time:string" }, "time of a row"],
  ])("%j is refused", async (csv, text) => {
    const reading = Promise.resolve().then(() => stored("time,x\n1,2\n", csv));
    await expect(reading).rejects.toThrow(text);
  });

  test("parameters of CSV are refused with other formats", async () => {
    const reading = Promise.resolve().then(() =>
      collect('{"time":1}', { csv: { types: "x:string" } }),
    );
    await expect(reading).rejects.toMatchObject({ code: "bad-request" });
  });
});

describe("rows of another length", () => {
  test.each([
    "time,b,c\n1,4,7,\n2,5,8,\n",
    "time,b,c,\n1,4,7,\n2,5,8,\n",
    "time,b,c,,,\n1,4,7,,,,,\n2,5,8\n",
    '"time";"b";"c";\n1;4;7;\n2;5;8;\n',
  ])("%j: delimiters at the end shift nothing", async (body) => {
    const { column, problems } = await stored(body);
    expect(problems).toEqual([]);
    expect([column("b"), column("c")]).toEqual([
      ["4", "5"],
      ["7", "8"],
    ]);
  });

  test("short and long rows are refused with their lines, naming the separator", async () => {
    const { column, problems } = await stored("time,b,c\n1,4\n2,5,8\n3,6,9,x\n");
    expect([column("b"), column("c")]).toEqual([["5"], ["8"]]);
    const tail = "where the header has 3 names; values are separated by comma (,).";
    expect(problems).toEqual([
      { line: 2, code: "invalid-csv", detail: `The row has 2 values ${tail}` },
      { line: 4, code: "invalid-csv", detail: `The row has 4 values ${tail}` },
    ]);
  });
});

test("a preview of other formats shows each value as its type, and the column as the widest", async () => {
  const rows = rowsPreview(
    await collect('{"time":1,"x":1.5}\n{"time":2,"x":"a"}\n{"time":3}\n'),
    noTimes,
  );
  expect(rows.columns[1]).toEqual({ name: "x", type: "string", decimals: 0 });
  expect(rows.rows.map(([, x]) => x)).toEqual(["1.5", "a", null]);
});

describe("?types=", () => {
  test("decimals, text and whole numbers are read as requested", async () => {
    const types = 'price:decimal(2),zip:string,n:integer,"a,b":number';
    const body = 'time,price,zip,n,"a,b"\n1,1.999,0150,007,1.5\n2,7,20,5.0,2\n3,1.1,3,4.25,1\n';
    const { column, typed, problems } = await stored(body, { types });
    expect(typed).toEqual([
      ["price", "int", 2],
      ["zip", "string", 0],
      ["n", "int", 0],
      ["a,b", "int", 6],
    ]);
    expect([column("price"), column("zip"), column("n")]).toEqual([
      ["1.99", "7"],
      ["0150", "20"],
      ["7", "5"],
    ]);
    expect(problems).toMatchObject([{ line: 4, code: "type-mismatch" }]);
    expect(problems[0]?.detail).toContain("types=n:decimal(2)");
  });

  test("they have precedence over the table's settings, which have precedence over the rows", async () => {
    const body = "time,a,b\n1,1.10,5\n2,1.1,6\n";
    const columns = [
      { name: "a", type: "int", decimals: 3 },
      { name: "b", type: "string" },
    ] as const;
    const read = async (csv: CsvParameters) =>
      rowsPreview(await collect(body, { contentType, columns, csv }), noTimes);
    expect((await read({})).rows).toEqual([
      [1, "1.1", "5"],
      [2, "1.1", "6"],
    ]);
    const asked = await read({ types: "a:string,b:number" });
    expect(asked.columns.map(({ type }) => type)).toEqual(["time", "string", "int"]);
    expect(asked.rows).toEqual([
      [1, "1.10", "5"],
      [2, "1.1", "6"],
    ]);
  });
});

test("quotes in a long value are read as those in a short one", async () => {
  for (const value of ['"', 'a"b', '""é"x', 'x"'.repeat(3), '\u{1f600}"\n"']) {
    for (const count of [1, 40_000]) {
      const text = value.repeat(count).slice(0, 300_000);
      const cell = `"${text.replaceAll('"', '""')}"`;
      const { column } = await stored(`time,x,y\n1,${cell},z\n2,b,c`, {}, 65_536);
      expect(column("x")).toEqual([text, "b"]);
      expect(column("y")).toEqual(["z", "c"]);
    }
  }
});

test("a record of far more values than a header may have costs its line alone", async () => {
  const { accepted, problems } = await stored(`time,x\n1,a\n${",".repeat(50_000)}\n2,b`);
  expect(accepted).toBe(2);
  expect(problems).toMatchObject([{ line: 3, code: "invalid-csv" }]);
});
