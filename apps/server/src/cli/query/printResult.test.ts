import type { Result } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { printCompleteness, printResult } from "./printResult.js";

const result: Result = {
  columns: [
    { name: "time", type: "time", role: "group" },
    { name: "__proto__", type: "string", role: "group" },
    { name: "sum, all", type: "int", role: "aggregate" },
    { name: "avg", type: "float", role: "aggregate" },
    { name: "stack", type: "vector", role: "sample" },
  ],
  rows: [
    [1_750_500_000_000, "check\u001b[31mout", 9_007_199_254_740_993n, 1 / 3, ["a", "b,c"]],
    [1_750_500_000_500, "", null, null, null],
    [0, 'say "hi"', -5, 0, []],
  ],
  completeness: {
    fraction: 1,
    rowsExpected: 3,
    rowsAnswered: 3,
    leaves: { answered: 2, total: 2, missing: [] },
  },
  intervals: {},
  asOf: 0,
  final: true,
  truncated: null,
  stats: {
    rowsScanned: 3,
    rowsMatched: 3,
    bytesScanned: 0,
    segments: 1,
    segmentsSkipped: 0,
    cache: "miss",
    elapsedMs: 1,
    scanMs: 1,
    mergeMs: 0,
  },
};
const incomplete: Result = {
  ...result,
  completeness: {
    fraction: 0.99999,
    rowsExpected: 3,
    rowsAnswered: 2,
    leaves: { answered: 1, total: 2, missing: ["leaf-2"] },
  },
};

describe("printResult", () => {
  test("table", () => {
    expect([...printResult(result, "table", "cut")]).toEqual([
      "time                      __proto__                 sum, all       avg  stack",
      "────────────────────────  ────────────────  ────────────────  ────────  ───────",
      "2025-06-21T10:00:00Z      check\\x1b[31mout  9007199254740993  0.333333  a › b,c",
      "2025-06-21T10:00:00.500Z                                   –         –  –",
      '1970-01-01T00:00:00Z      say "hi"                        -5         0',
    ]);
  });

  test("histograms read as ranges with their counts, and stay data in csv", () => {
    const buckets = [[[-1, 0, 2] as const, [16, 18, 40] as const], null];
    const histogram: Result = {
      ...result,
      columns: [{ name: "histogram_a", type: "histogram", role: "aggregate" }],
      rows: buckets.map((cell) => [cell]),
    };
    expect([...printResult(histogram, "table", "whole")].slice(2)).toEqual([
      "[-1, 0) 2 › [16, 18) 40",
      "–",
    ]);
    expect([...printResult(histogram, "csv", "whole")].slice(1, 3)).toEqual([
      '"[[-1,0,2],[16,18,40]]"',
      "",
    ]);
  });

  test("csv keeps every digit, separates missing from empty, and says how complete it is", () => {
    expect([...printResult(result, "csv", "whole")]).toEqual([
      'time,__proto__,"sum, all",avg,stack',
      '1750500000000,check\u001b[31mout,9007199254740993,0.3333333333333333,"[""a"",""b,c""]"',
      '1750500000500,"",,,',
      '0,"say ""hi""",-5,0,[]',
      "# completeness: 100 % of rows · 2/2 leaves",
    ]);
  });

  test("a float keeps its whole part in a table: 9007199254740994 is not 9007200000000000", () => {
    const floats = [9_007_199_254_740_994, -1_234_567.891, 12_345.678, 1_234.567_89, 1e-9 / 3, 2];
    const shown = { ...result, columns: [result.columns[3]!], rows: floats.map((x) => [x]) };
    const [, , ...lines] = printResult(shown, "table", "whole");
    expect(lines.map((line) => line.trim())).toEqual([
      "9007199254740994",
      "-1234567.89",
      "12345.68",
      "1234.57",
      "3.33333e-10",
      "2",
    ]);
  });

  test("csv and ndjson say what was cut off, as the HTTP interface does", () => {
    const cut: Result = { ...result, truncated: { rows: 3 }, functions: [] };
    expect([...printResult(cut, "csv", "whole")].at(-1)).toBe('# truncated: {"rows":3}');
    const part: Result = {
      ...{ ...result, truncated: null, lowerBounds: ["count"] },
      coverage: [[60_000, 0.5, "missing-leaves"]],
    };
    expect([...printResult(part, "csv", "whole")].slice(-2)).toEqual([
      '# lowerBounds: ["count"]',
      '# coverage: [[60000,0.5,"missing-leaves"]]',
    ]);
    expect(JSON.parse([...printResult(cut, "ndjson", "whole")].at(-1)!)).toMatchObject({
      truncated: { rows: 3 },
      functions: [],
    });
  });

  test("ndjson", () => {
    const lines = [...printResult(result, "ndjson", "whole")];
    expect(lines[0]).toBe(
      '{"time":1750500000000,"__proto__":"check\\u001b[31mout","sum, all":"9007199254740993","avg":0.3333333333333333,"stack":["a","b,c"]}',
    );
    expect(lines).toHaveLength(4);
    expect(JSON.parse(lines[3] ?? "")).toMatchObject({ completeness: result.completeness });
  });

  test("json is the result", () => {
    const [line] = printResult(result, "json", "whole");
    expect(JSON.parse(line ?? "")).toMatchObject({
      rows: [[1_750_500_000_000, {}, "9007199254740993"], {}, {}].map(() => expect.anything()),
      completeness: result.completeness,
    });
  });

  test.each(["table", "csv", "ndjson", "json"] as const)(
    "%s never hides a missing leaf",
    (format) => {
      expect([...printResult(incomplete, format, "cut")].at(-1)).toContain("leaf-2");
    },
  );

  test("a wide cell is cut for a person only", () => {
    const wide = { ...result, rows: [[0, "é".repeat(200), 0, 0, null]] };
    expect([...printResult(wide, "table", "cut")][2]).toContain(`${"é".repeat(79)}…`);
    expect([...printResult(wide, "table", "whole")][2]).toContain("é".repeat(200));
  });
});

test("only a whole answer is 100 %", () => {
  expect(printCompleteness(incomplete.completeness)).toBe(
    "99.9 % of rows · 1/2 leaves · missing leaf-2",
  );
  expect(printCompleteness(result.completeness)).toBe("100 % of rows · 2/2 leaves");
});
