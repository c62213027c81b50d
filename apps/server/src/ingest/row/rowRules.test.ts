import { sampleRateMax } from "@hadal/sdk";
import { describe, expect, it } from "vitest";
import { batchRows, type StoredCell } from "../../base/testing/batchRows.js";
import { collect, collectRow } from "../testing/collect.js";

const int = (value: bigint | number, decimals = 0): StoredCell => ({
  int: BigInt(value),
  decimals,
});

/** Stores the values of one column, one row each; the cells that come out, or the refusals. */
async function storeColumn(...values: string[]) {
  const body = values.map((value) => `{"time":1,"x":${value}}`).join("\n");
  const rows = await collect(body);
  return {
    type: rows.batches[0]?.columns.find(({ name }) => name === "x")?.type,
    cells: rows.batches.flatMap((batch) => batchRows(batch).map((row) => row.x ?? null)),
    problems: rows.problems,
  };
}

describe("values", () => {
  it.each<[string, StoredCell]>([
    ["0", int(0)],
    ["-0", int(0)],
    ["1", int(1)],
    ["-1", int(-1)],
    ["2147483648", int(2147483648)],
    ["-4294967297", int(-4294967297)],
    ["9007199254740991", int(2n ** 53n - 1n)],
    ["-9007199254740991", int(1n - 2n ** 53n)],
    ["9007199254740993", int(2n ** 53n + 1n)],
    ["-9007199254740993", int(-(2n ** 53n) - 1n)],
    ["9223372036854775807", int(2n ** 63n - 1n)],
    ["-9223372036854775808", int(-(2n ** 63n))],
    ["1e3", int(1000)],
    ["1.0", int(1)],
    ["1.00000000000000000000", int(1)],
    ["123456789012345e3", int(123456789012345000n)],
    ["1e18", int(10n ** 18n)],
    ["0.1", int(100000, 6)],
    ["-0.1", int(-100000, 6)],
    ["2.345678", int(2345678, 6)],
    ["2.3456789", int(2345678, 6)],
    ["-2.3456789", int(-2345678, 6)],
    ["0.0000001", int(0, 6)],
    ["1.1e-3", int(1100, 6)],
    ["1.005", int(1005000, 6)],
    ["0.29", int(290000, 6)],
    ["9223372036854.775807", int(2n ** 63n - 1n, 6)],
    ["-9223372036854.7758089", int(-(2n ** 63n), 6)],
    ["1234567.1234569999", int(1234567123456n, 6)],
    ['"text"', "text"],
    ['""', ""],
    ['"123"', "123"],
    ["true", "true"],
    ["false", "false"],
    ["null", null],
    ['["b","a","b"]', ["b", "a", "b"]],
    ["[]", []],
    ["[1,true,0.5]", ["1", "true", "0.5"]],
    ["[12345678901234567890]", ["12345678901234567890"]],
    ["[null]", ["null"]],
    [
      '[[1,"a"],{"b":{"c":12345678901234567890}},{"__proto__":0.1}]',
      ['[1,"a"]', '{"b":{"c":12345678901234567890}}', '{"__proto__":0.1}'],
    ],
    ['{"$set":["b","a","b"]}', ["a", "b"]],
    ['{"$set":["\\uFFFD","\\uD83D\\uDE00"]}', ["\uFFFD", "😀"]],
    ['{"$set":[]}', []],
  ])("%s", async (text, cell) => {
    const { cells, problems } = await storeColumn(text);
    expect(problems).toEqual([]);
    expect(cells).toEqual([cell]);
  });

  it("distinguishes vectors and sets", async () => {
    expect((await storeColumn('["a"]')).type).toBe("vector");
    expect((await storeColumn('{"$set":["a"]}')).type).toBe("set");
  });

  it.each([
    ["9223372036854775808", "number-out-of-range"],
    ["-9223372036854775809", "number-out-of-range"],
    ["1e19", "number-out-of-range"],
    ["1e400", "number-out-of-range"],
    ["123456789012345678901234567890", "number-out-of-range"],
    ["9223372036854.775808", "number-out-of-range"],
    ["1e13".replace("e13", "0000000000000.5"), "number-out-of-range"],
    ['[{"a":"\\ud800"}]', "invalid-unicode"],
    ['["\\ud800"]', "invalid-unicode"],
    ['"\\udc00x"', "invalid-unicode"],
    ['{"$set":"a"}', "list-invalid"],
    ['{"$set":["a"],"b":1}', "list-invalid"],
    ['{"\\u0000":1}', "name-invalid"],
    ['{"\\ud800":1}', "name-invalid"],
    [`{"${"n".repeat(300)}":1}`, "name-invalid"],
    [`${'{"a":'.repeat(70)}1${"}".repeat(70)}`, "too-deep"],
    [`${"[".repeat(100_000)}${"]".repeat(100_000)}`, "too-deep"],
    ["01", "invalid-json"],
    ["+1", "invalid-json"],
    ["NaN", "invalid-json"],
    ["1.", "invalid-json"],
    ["'a'", "invalid-json"],
    ['"\t"', "invalid-json"],
    ['"\\x"', "invalid-json"],
    ["1,", "invalid-json"],
    ["9007199254740993 9007199254740993", "invalid-json"],
  ])("refuses %.40s as %s and stores the rows around it", async (text, code) => {
    const { cells, problems } = await storeColumn("1", text, "2");
    expect(problems.map((problem) => [problem.line, problem.code])).toEqual([[2, code]]);
    expect(cells).toEqual([int(1), int(2)]);
  });

  it("prints a number that no double represents exactly", async () => {
    const { problems } = await storeColumn("1e400");
    expect(problems[0]?.detail).toBe("`x` is a number beyond 1.8e308, which 64 bits do not hold.");
  });
});

/** Where a number, a text, a set and a list of one batch end up. */
describe("types that differ within a batch", () => {
  const types = async (...values: string[]) => {
    const body = values.map((value) => `{"time":1,"x":${value}}`).join("\n");
    const { batches, problems } = await collect(body);
    expect(problems).toEqual([]);
    const [batch] = batches;
    return {
      types: batch!.columns.map(({ name, type }) => `${name} ${type}`),
      cells: batchRows(batch!).map((row) => row.x ?? null),
    };
  };

  it.each<[string[], string[], StoredCell[]]>([
    [
      ["1", '"a"'],
      ["int", "string"],
      [int(1), "a"],
    ],
    [
      ['"a"', "1"],
      ["string", "int"],
      ["a", int(1)],
    ],
    [
      ["9223372036854775807", "true"],
      ["int", "string"],
      [int(2n ** 63n - 1n), "true"],
    ],
    [
      ["0.25", '"a"'],
      ["int", "string"],
      [int(250_000, 6), "a"],
    ],
    [
      ["0.123456789", '"a"'],
      ["int", "string"],
      [int(123_456, 6), "a"],
    ],
    [
      ['"a"', "0.5", "2"],
      ["string", "int"],
      ["a", int(500_000, 6), int(2_000_000, 6)],
    ],
    [
      ["1", '["a"]'],
      ["int", "vector"],
      [int(1), ["a"]],
    ],
    [
      ["1", '{"$set":["a"]}'],
      ["int", "set"],
      [int(1), ["a"]],
    ],
    [
      ['"s"', '["a"]', "2", '"s"', '["a"]'],
      ["string", "vector", "int"],
      ["s", ["a"], int(2), "s", ["a"]],
    ],
    [
      ['{"$set":["b","a"]}', '["b","a"]'],
      ["set", "vector"],
      [
        ["a", "b"],
        ["b", "a"],
      ],
    ],
    [
      ["1", "0.5", "null", "-2"],
      ["int"],
      [int(1_000_000, 6), int(500_000, 6), null, int(-2_000_000, 6)],
    ],
    [
      ["0.5", "9007199254740993"],
      ["int", "int"],
      [int(500_000, 6), int(9007199254740993n)],
    ],
    [
      ["9007199254740993", "0.5"],
      ["int", "int"],
      [int(9007199254740993n), int(500_000, 6)],
    ],
    [
      ['"s"', "9007199254740993", "0.5"],
      ["string", "int", "int"],
      ["s", int(9007199254740993n), int(500_000, 6)],
    ],
  ])("%s stay what they are", async (values, wanted, cells) => {
    const stored = await types(...values);
    expect(stored.types).toEqual(wanted.map((type) => `x ${type}`));
    expect(stored.cells).toEqual(cells);
  });

  it("refuses an earlier row whose integer does not fit the decimals that are set", async () => {
    const rows = await collect(
      [
        '{"time":1,"x":5,"s":"kept"}',
        '{"time":2,"x":9223372036854775807,"s":"dropped","only":"here"}',
        '{"time":3,"x":0.5,"s":"kept"}',
      ].join("\n"),
      { columns: [{ name: "x", decimals: 6 }] },
    );
    expect(rows.problems).toMatchObject([{ line: 2, code: "number-out-of-range" }]);
    expect([rows.accepted, rows.rejected]).toEqual([2, 1]);
    const [batch] = rows.batches;
    expect([...batch!.times]).toEqual([1, 3]);
    expect(batchRows(batch!)).toEqual([
      { x: int(5000000, 6), s: "kept" },
      { x: int(500000, 6), s: "kept" },
    ]);
    expect(batch!.columns.find(({ name }) => name === "s")).toMatchObject({ dictionary: ["kept"] });
  });

  it("are not those of a refused row, which leaves nothing behind", async () => {
    const rows = await collect(
      ['{"time":1,"x":1}', '{"x":"a","y":1,"z":["q"]}', '{"time":2,"x":2}'].join("\n"),
    );
    expect(rows.batches[0]!.columns).toHaveLength(1);
    expect(rows.batches[0]!.columns[0]).toMatchObject({ name: "x", type: "int", present: null });
  });
});

describe("a refused row", () => {
  it("that gave a column its first value does not take the later ones with it", async () => {
    const rows = await collect('{"time":1,"x":null}\n{"x":5}\n{"time":3,"x":7}\n{"time":4,"x":8}');
    expect(batchRows(rows.batches[0]!)).toEqual([{}, { x: int(7) }, { x: int(8) }]);
  });
});

describe("names", () => {
  it("flattens objects with dots; the last of equal names wins", async () => {
    const rows = await collectRow(
      '{"time":1,"actor":{"login":"a","org":{"id":7}},"actor.login":"b","n":{"x":1},"n.x":null,"e":{}}',
    );
    expect(batchRows(rows.batches[0]!)).toEqual([{ "actor.login": "b", "actor.org.id": int(7) }]);
  });

  it("takes __proto__ and constructor as ordinary names", async () => {
    const rows = await collectRow(
      '{"time":1,"__proto__":{"polluted":1},"constructor":"c","toString":9007199254740993}',
    );
    expect(batchRows(rows.batches[0]!)).toEqual([
      { "__proto__.polluted": int(1), constructor: "c", toString: int(9007199254740993n) },
    ]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("bounds the columns of a row and of a batch", async () => {
    const names = Array.from({ length: 10_001 }, (_, i) => `"c${i}":1`).join(",");
    const rows = await collect(`{"time":1,${names}}\n{"time":2,"a":1}\n`);
    expect(rows.problems).toMatchObject([{ line: 1, code: "too-many-columns" }]);
    expect(rows.batches[0]!.columns.map(({ name }) => name)).toEqual(["a"]);
  });

  it("cuts batches of many columns early, so that memory stays bounded", async () => {
    const lines = Array.from({ length: 2_000 }, (_, row) => {
      const cells = Array.from({ length: 5 }, (_, i) => `"r${row}_${i}":1`).join(",");
      return `{"time":1,${cells}}`;
    });
    const rows = await collect(lines.join("\n"));
    expect(rows.accepted).toBe(2_000);
    for (const batch of rows.batches) {
      expect(batch.columns.length * batch.rowCount).toBeLessThanOrEqual(4_194_304);
    }
    expect(rows.batches.length).toBeGreaterThan(1);
  });
});

describe("sample_rate", () => {
  it.each(["1", "1000", String(sampleRateMax), "null"])("takes %s", async (text) => {
    expect((await collectRow(`{"time":1,"sample_rate":${text}}`)).accepted).toBe(1);
  });
  it.each([
    "0",
    "-1",
    "1.5",
    '"2"',
    "true",
    "[1]",
    "{}",
    String(sampleRateMax + 1),
    "18446744073709551616",
  ])("refuses %s", async (text) => {
    const { problems } = await collectRow(`{"time":1,"sample_rate":${text}}`);
    expect(problems).toMatchObject([{ line: 1, code: "sample-rate-invalid" }]);
  });
});
