import type { Result } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { parseBenchOptions } from "../benchOptions.js";
import { disagreement } from "../peer/agree.js";
import { events, generateEvents, serviceName } from "../table/eventTables.js";
import { printReport } from "./benchReport.js";

test("rows depend on their number alone, whatever the batch", () => {
  const whole = events.rows(0, 1000, 5000);
  const part = events.rows(400, 100, 5000);
  expect([...part.times]).toEqual([...whole.times.slice(400, 500)]);
  expect([...generateEvents(400, 100).userId]).toEqual([
    ...generateEvents(0, 1000).userId.slice(400, 500),
  ]);
});

test("a batch has each string once, and codes that point at it", () => {
  const [service] = events.rows(0, 3000, 3000).columns;
  if (service?.type !== "string") throw new Error("service is a string column");
  expect(new Set(service.dictionary).size).toBe(service.dictionary.length);
  const names = Array.from(service.codes, (code) => service.dictionary[code - 1]);
  expect(names[7]).toBe(serviceName(generateEvents(0, 10).service[7] ?? -1));
});

describe("options", () => {
  test("defaults are those of the interface", () => {
    const options = { rows: 50_000_000, threads: 2, peers: null, only: [], json: null };
    expect(parseBenchOptions([])).toMatchObject(options);
  });

  test.each([[["--rows", "0"]], [["--threads", "x"]], [["--peers", "oracle"]], [["--fast"]]])(
    "%j is refused",
    (args) => {
      expect(() => parseBenchOptions(args)).toThrow();
    },
  );
});

describe("agreement", () => {
  const result: Result = {
    columns: [
      { name: "service", type: "string", role: "group" },
      { name: "p95_x", type: "int", role: "aggregate" },
    ],
    rows: [
      ["a", 100],
      ["b", 200],
    ],
    completeness: {
      ...{ fraction: 1, rowsExpected: 2, rowsAnswered: 2 },
      leaves: { answered: 1, total: 1, missing: [] },
    },
    ...{ intervals: {}, asOf: 0, final: true, truncated: null },
    stats: {
      ...{ rowsScanned: 2, rowsMatched: 2, bytesScanned: 0, segments: 1, segmentsSkipped: 0 },
      ...{ cache: "miss", elapsedMs: 1, scanMs: 1, mergeMs: 0 },
    },
  };
  const columns = [
    { name: "service", within: 0 },
    { name: "p95_x", within: 0.01 },
  ];

  test.each([
    [
      "the same",
      [
        ["a", 100n],
        ["b", 201n],
      ],
      true,
    ],
    [
      "a number too far off",
      [
        ["a", 100n],
        ["b", 210n],
      ],
      false,
    ],
    [
      "another order",
      [
        ["b", 200n],
        ["a", 100n],
      ],
      false,
    ],
    ["a row too few", [["a", 100n]], false],
    [
      "another name",
      [
        ["a", 100n],
        ["c", 200n],
      ],
      false,
    ],
  ])("%s", (_, rows, agree) => {
    expect(disagreement(result, rows, { columns, query: {} }) === null).toBe(agree);
  });

  test("rows that tie may change places, and where the limit cuts them only their tie is compared", () => {
    const tied = {
      ...result,
      rows: [
        ["a", 1],
        ["a", 2],
        ["b", 3],
      ] as const,
    };
    const exact = ["service", "p95_x"].map((name) => ({ name, within: 0 }));
    const difference = (rows: readonly unknown[][], limit: number) =>
      disagreement(tied, rows, { columns: exact, tiedBy: "service", query: { limit } });
    expect(
      difference(
        [
          ["a", 2],
          ["a", 1],
          ["b", 9],
        ],
        3,
      ),
    ).toBeNull();
    expect(
      difference(
        [
          ["a", 2],
          ["a", 1],
          ["b", 9],
        ],
        4,
      ),
    ).toContain("p95_x");
    expect(
      difference(
        [
          ["a", 2],
          ["a", 7],
          ["b", 3],
        ],
        3,
      ),
    ).toContain("p95_x");
  });

  test("an incomplete answer agrees with nothing", () => {
    const less = { ...result, completeness: { ...result.completeness, fraction: 0.5 } };
    const rows = [
      ["a", 100n],
      ["b", 200n],
    ];
    expect(disagreement(less, rows, { columns, query: {} })).toContain("0.5");
  });
});

test("the report names every query, and says when answers differ", () => {
  const text = printReport({
    machine: { cpu: "test" },
    rows: 1000,
    threads: 2,
    results: [
      {
        ...{ query: "full-scan", hadalMs: 2, peers: { duckdb: 6 }, ratio: 3 },
        ...{ bytesScanned: 5e6, serverMs: 0.25, serverRatio: 24, pathMs: 0.2, pathRatio: 30 },
        ...{ checked: false, note: "row 0 differs" },
      },
    ],
    memory: [{ table: "events", rows: 1000, bytesPerRow: 21.5, ratio: 3.5 }],
    bandwidth: { hugePages: false, loads1: 30, loads2: 40, sums1: 25, sums2: 38 },
    sealNsPerRow: 12.34,
  });
  expect(text).toMatch(
    /full-scan +2\.00 +0\.25 +0\.20 +6\.00 +3\.00 +24\.00 +30\.00 +5\.0 +NO +row 0 differs/,
  );
  expect(text).toContain("21.5 bytes a row");
  expect(text).toContain("full-scan reads 20.0 GB/s: 50 %");
  expect(text).toContain("12.3 ns a row");
});

test("without peers there is nothing to agree with", () => {
  const alone = { query: "full-scan", hadalMs: 2, peers: {}, ratio: null, checked: false };
  const facts = { machine: { cpu: "test" }, rows: 1000, threads: 2, memory: [] };
  const text = printReport({ ...facts, results: [{ ...alone, bytesScanned: 5e6 }] });
  expect(text).toMatch(/full-scan +2\.00 .* 5\.0 +–/);
  expect(text).not.toContain("NO");
});
