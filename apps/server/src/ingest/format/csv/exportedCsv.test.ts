import type { CsvParameters } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { rowsPreview } from "../../read/rowsPreview.js";
import { type CollectOptions, collect } from "../../testing/collect.js";
import { TimeForms } from "../../value/timeForms.js";

const contentType = "text/csv";

async function read(lines: readonly string[], csv: CsvParameters = {}, more: CollectOptions = {}) {
  const preview = rowsPreview(
    await collect(lines.join("\r\n"), { contentType, csv, pieceBytes: 7, ...more }),
    new TimeForms().reading(),
  );
  return {
    ...preview,
    types: preview.columns.slice(1).map(({ name, type }) => `${name} ${type}`),
    cells: preview.rows.map((row) => row.slice(1)),
  };
}

describe("comments of an exported answer", () => {
  test("are no rows, with broken quotes or not; a row that only begins with # is one", async () => {
    const { problems, cells } = await read([
      "time,s",
      '1,"# completeness: 1"',
      "2,#b",
      "# completeness: 1; rows 2/2; leaves 1/1",
      "# as of 2026-11-21T00:00:00.000Z",
      '# lowerBounds: ["count","sum"]',
      '# coverage: [[1,0.5,"open"],[2,0.5,"open"]]',
      '# types: "a,b":string,"c""d":set',
      "# another program's",
      "3,c",
    ]);
    expect(cells).toEqual([["# completeness: 1"], ["#b"], ["c"]]);
    expect(problems).toEqual([expect.objectContaining({ line: 9, code: "invalid-csv" })]);
  });

  test("in quotes they are values", async () => {
    const { cells } = await read(["s,time", '"# types: a",1']);
    expect(cells).toEqual([["# types: a"]]);
  });
});

describe("an empty value in quotes", () => {
  const lines = ["time,s,n", '1,"",""', "2,,5", "3,x,"];

  test("is an empty text among texts, and missing among numbers", async () => {
    const { cells, types } = await read(lines);
    expect(types).toEqual(["s string", "n int"]);
    expect(cells).toEqual([
      ["", null],
      [null, "5"],
      ["x", null],
    ]);
  });

  test("is missing where the request defines it so", async () => {
    const { cells, types } = await read(lines, { null: '""' });
    expect(types).toEqual(["n int", "s string"]);
    expect(cells.map(([, s]) => s)).toEqual([null, null, "x"]);
  });

  test("is missing in a file of quoted values only", async () => {
    const { cells } = await read(['"time","s"', '"1",""', '"2","x"']);
    expect(cells).toEqual([[null], ["x"]]);
  });
});

describe("lists", () => {
  const lines = [
    "time,tags,stack",
    '1,"[""b"",""a"",""b""]","[""b"",""a"",""b""]"',
    "2,[],",
    "3,,",
  ];

  test("have the requested types", async () => {
    const { cells, types, csv } = await read(lines, { types: "tags:set,stack:vector" });
    expect(types).toEqual(["tags set", "stack vector"]);
    expect(cells).toEqual([
      [
        ["a", "b"],
        ["b", "a", "b"],
      ],
      [[], null],
      [null, null],
    ]);
    expect(csv?.columns.map(({ type }) => type)).toEqual(["set", "vector"]);
  });

  test("have precedence over the table's settings", async () => {
    const columns = [{ name: "tags", type: "string" }] as const;
    const { types } = await read(lines, { types: "tags:set" }, { columns });
    expect(types[0]).toBe("tags set");
  });

  test.each(["x", "5", "null", '["a"', "[1]", '[["a"]]', '{"$set":["a"]}'])(
    "%s is refused with its line and its column",
    async (text) => {
      const cell = `"${text.replaceAll('"', '""')}"`;
      const { problems } = await read(["time,tags", "1,[]", `2,${cell}`], { types: "tags:set" });
      expect(problems).toEqual([
        {
          line: 3,
          code: "type-mismatch",
          detail: expect.stringContaining("`tags` is "),
        },
      ]);
      expect(problems[0]?.detail).toContain("Send types=tags:string to read it otherwise.");
    },
  );
});
