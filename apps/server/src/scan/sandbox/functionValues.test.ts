import fc from "fast-check";
import { expect, test } from "vitest";
import { createColumnReader } from "../../column/readColumn.js";
import type { SegmentColumn } from "../../column/segmentColumn.js";
import { QueryMemory } from "../memory/queryMemory.js";
import { createScanMemory } from "../testing/scanMemory.js";
import {
  type AskedRows,
  markRows,
  ReturnedStrings,
  startOfRun,
  writeNumbers,
} from "./functionValues.js";

const { memory, kernel, leaf } = createScanMemory(64, 40);
const reader = createColumnReader(memory);

/** Rows of a segment that ascend: all of them, one run, or any. */
const rowsOf = fc.integer({ min: 1, max: 200 }).chain((rowCount) =>
  fc.record({
    rowCount: fc.constant(rowCount),
    rows: fc.oneof(
      fc.constant(Array.from({ length: rowCount }, (_, row) => row)),
      fc
        .tuple(fc.nat({ max: rowCount - 1 }), fc.nat({ max: rowCount - 1 }))
        .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
        .map(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i)),
      fc.subarray(
        Array.from({ length: rowCount }, (_, row) => row),
        { minLength: 1 },
      ),
    ),
  }),
);
const value = fc.oneof(
  { weight: 4, arbitrary: fc.integer() },
  fc.constantFrom(Number.NaN, -0, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 + 2, -(2 ** 62)),
  fc.integer({ min: -(10 ** 9), max: 10 ** 9 }).map((n) => n / 1_000),
);

function cellOf(column: SegmentColumn, row: number): bigint | null {
  expect(column.kind).toBe("int");
  if (column.kind !== "int" || !reader.isPresent(column.present, row)) return null;
  return reader.int(column, row);
}

/** Digits beyond the column's are cut off. */
function expectedOf(number: number, decimals: number): bigint | null {
  if (Number.isNaN(number)) return null;
  if (Number.isInteger(number)) return BigInt(number) * 10n ** BigInt(decimals);
  const thousandths = BigInt(Math.round(number * 1_000));
  return (thousandths * 10n ** BigInt(decimals)) / 1_000n;
}

test.each([
  ["objects", '[{"length":1}]'],
  ["lists", "[[1,2]]"],
  ["numbers", "[1]"],
  ["nothing", "null"],
  ["a text", '"a"'],
  ["what is no JSON", "[,]"],
])("strings returned as %s are a failure of the function", (_what, added) => {
  const strings = new ReturnedStrings();
  const codes = Uint32Array.of(1);
  expect(() => strings.take({ kind: "strings", codes, added, resets: false })).toThrow(/JSON/);
  expect(strings.dictionary.codeCount).toBe(1);
});

test("returned numbers are in their rows, and other rows have none", () => {
  fc.assert(
    fc.property(
      rowsOf,
      fc.infiniteStream(value),
      fc.constantFrom(0, 0, 2),
      fc.array(fc.nat({ max: 60 }), { maxLength: 4 }),
      ({ rowCount, rows }, values, decimals, cuts) => {
        const own = new QueryMemory(leaf);
        try {
          const found = Float64Array.from(rows, () => values.next().value as number);
          const fits = (x: number): boolean => Math.abs(x) < 2 ** 62 / 10 ** decimals;
          found.forEach((x, i) => {
            if (!Number.isNaN(x) && !fits(x)) found[i] = 7;
          });
          const list = Uint32Array.from(rows);
          const marked = markRows(list, rowCount, own, kernel);
          const asked: AskedRows = { rows: list, rowCount, marked };
          const parts: Float64Array[] = [];
          let from = 0;
          for (const cut of [...cuts, found.length]) {
            parts.push(found.subarray(from, from + cut));
            from = Math.min(found.length, from + cut);
          }
          const column = writeNumbers(parts, asked, { name: "d", decimals }, own);
          const expected = new Map(rows.map((row, i) => [row, expectedOf(found[i]!, decimals)]));
          const all = [...expected.values()].filter((one) => one !== null);
          for (let row = 0; row < rowCount; row++) {
            expect(marked === 0 || reader.isPresent(marked, row)).toBe(expected.has(row));
            expect(cellOf(column, row)).toBe(expected.get(row) ?? null);
          }
          if (column.kind !== "int" || all.length === 0) return;
          const inOrder = all.toSorted((a, b) => (a < b ? -1 : 1));
          expect([column.min, column.max]).toEqual([inOrder[0], inOrder.at(-1)]);
        } finally {
          own.release();
        }
      },
    ),
  );
});

test.each([
  [[0], 0],
  [[3, 4, 5], 3],
  [[3, 5], -1],
  [[], -1],
])("the run of %j starts at %i", (rows, start) => {
  expect(startOfRun(Uint32Array.from(rows))).toBe(start);
});
