import type { Result, ResultValue } from "@hadal/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import { resultOf } from "../testing/startApi.js";
import { printCsv, printJson, printNdjson } from "./printResult.js";

const value: fc.Arbitrary<ResultValue> = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constant(null),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.constant([[-(2n ** 60n), 7, 3]] as unknown as ResultValue),
);

const columns: Result["columns"] = ["n", 'm"'].map((name) => ({
  name,
  type: "int",
  role: "sample",
}));

/** What JSON has of a cell. */
const asJson = (cell: ResultValue): unknown =>
  JSON.parse(
    JSON.stringify(cell, (_key, part: unknown) =>
      typeof part !== "bigint"
        ? part
        : Array.isArray(cell) || !Number.isSafeInteger(Number(part))
          ? String(part)
          : Number(part),
    ),
  );

test("in pieces or whole, every format says the same of each row", () => {
  const drawn = fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(drawn, fc.integer({ min: 1, max: 700 }), (some, times) => {
      const rows = Array.from({ length: times }, () => some).flat();
      const bars = rows.map((_, i) => (i % 2 === 0 ? ([i, i + 1] as const) : null));
      const result = { ...resultOf(rows), columns, intervals: { n: bars, 'm"': [] } } as Result;
      const parsed = JSON.parse([...printJson(result, { seq: 7 })].join(""));
      const { rows: printed, ...rest } = parsed;
      expect(printed).toEqual(rows.map((row) => row.map(asJson)));
      const { rows: _, ...others } = result;
      expect(rest).toEqual(JSON.parse(JSON.stringify({ seq: 7, ...others })));
      const lines = [...printNdjson(result)].join("").trimEnd().split("\n");
      expect(lines).toHaveLength(rows.length + 1);
      const names = result.columns.map(({ name }) => name);
      expect(JSON.parse(lines[0]!)).toEqual(
        Object.fromEntries(
          rows[0]!.slice(0, names.length).map((cell, i) => [names[i], asJson(cell)]),
        ),
      );
    }),
    { numRuns: 40 },
  );
});

test("a large result is printed in pieces, none of them much larger than a row", () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => [i, "x".repeat(90)]);
  for (const print of [printJson, printNdjson, printCsv]) {
    const pieces = [...print(resultOf(rows))];
    expect(pieces.length).toBeGreaterThan(20);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000);
  }
});
