import type { ColumnSetting } from "@hadal/sdk";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { DenseBatchColumn, RowBatch } from "../../base/row/rowBatch.js";
import { denseColumn } from "../../base/row/sparseColumn.js";
import { createJsonReader } from "../format/json/jsonReader.js";
import { createNdjsonReader } from "../format/json/ndjsonReader.js";
import { noKernel, type Reading, readBody, windows } from "../testing/kernelReading.js";
import type { CollectedRows } from "./rowCollector.js";

/** Batches of fewer rows have no sparse columns, and a column of fewer has a place for each row. */
const denseRows = 60;
const digits = 18n;

/** What values may be, as JSON; the random number chooses one of them. */
const kinds: readonly ((n: number) => string)[] = [
  (n) => String(n % 1_000),
  (n) => String((n % 2 === 0 ? -1 : 1) * n * 2_000_003),
  (n) => `${n % 2 === 0 ? "-" : ""}922337203685477580${n % 8}`,
  (n) => `${n % 50}.${n % 1_000_000}`,
  (n) => `-0.${n % 90}`,
  (n) => `"text ${n % 70}"`,
  (n) => `"ümläut \\"${n % 9}\\" \\u00e9"`,
  () => '""',
  (n) => String(n % 2 === 0),
  (n) => `["a","b${n % 9}"]`,
  (n) => `{"$set":["x${n % 5}","y"]}`,
  () => "[]",
  () => "null",
  (n) => `{"in":${n % 7},"t":"${n % 3}"}`,
];

interface ColumnPlan {
  readonly kinds: readonly number[];
  /** By stretch of rows, one value in this many rows; 0: none. */
  readonly oneOf: readonly number[];
}

const columnPlan: fc.Arbitrary<ColumnPlan> = fc.record({
  kinds: fc.array(fc.nat(kinds.length - 1), { minLength: 1, maxLength: 4 }),
  oneOf: fc.array(fc.constantFrom(0, 1, 2, 5, 30, 400), { minLength: 1, maxLength: 5 }),
});

const settings: fc.Arbitrary<readonly ColumnSetting[]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  fc.constant([{ name: "c0", decimals: 3 }]),
);

function printRow(row: number, rowCount: number, columns: readonly ColumnPlan[], seed: number) {
  let state = (row + 1) * 2_654_435_761 + seed;
  const next = (): number => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) ^ (row * 40_503);
    state = Math.imul(state ^ (state >>> 12), 0x297a2d39);
    return (state ^ (state >>> 15)) >>> 1;
  };
  const cells = columns.flatMap(({ kinds: own, oneOf }, i) => {
    const share = oneOf[Math.floor((row * oneOf.length) / rowCount)]!;
    if (share === 0 || next() % share > 0) return [];
    return [`"c${i}":${kinds[own[next() % own.length]!]!(next())}`];
  });
  return `{${[`"time":${row}`, ...cells].join(",")}}`;
}

/** Cells by column, printed in a way that does not depend on how the batch stores them. */
function rowTexts(batches: readonly RowBatch[]): string[] {
  return batches.flatMap(({ rowCount, times, columns }) => {
    const dense = columns.map((column) => denseColumn(column, rowCount));
    return Array.from({ length: rowCount }, (_, row) => {
      const cells = dense.flatMap((column) => {
        const printed = cellText(column, row);
        return printed === null ? [] : [`${column.name} ${column.type} ${printed}`];
      });
      return [String(times[row]), ...cells.sort()].join("; ");
    });
  });
}

function cellText(column: DenseBatchColumn, row: number): string | null {
  if (column.type === "int") {
    if (column.present !== null && column.present[row] === 0) return null;
    return String(column.values[row]! * 10n ** (digits - BigInt(column.decimals)));
  }
  const code = column.codes[row]!;
  return code === 0 ? null : column.dictionary[code - 1]!;
}

const printed = ({ batches, accepted, rejected, problems }: CollectedRows) => ({
  ...{ rows: rowTexts(batches), accepted, rejected },
  problems: problems.map(({ line, code }) => `${line} ${code}`),
});

it("few values of a column among many rows are stored as they are in batches of few rows", () => {
  let sparse = 0;
  fc.assert(
    fc.property(
      fc.record({
        rowCount: fc.constantFrom(300, 1_500, 6_000),
        columns: fc.array(columnPlan, { minLength: 1, maxLength: 6 }),
        seed: fc.nat(),
        settings,
        pieceBytes: fc.constantFrom(97, 4_096, 1 << 20),
        window: fc.constantFrom(...windows),
      }),
      ({ rowCount, columns, seed, settings: set, pieceBytes, window }) => {
        const lines = Array.from({ length: rowCount }, (_, i) =>
          printRow(i, rowCount, columns, seed),
        );
        const reading = { pieceBytes, columns: set };
        const read = (text: string, options: Pick<Reading, "open" | "json">) =>
          readBody(Buffer.from(text), { ...reading, ...options });
        const few: CollectedRows[] = [];
        for (let from = 0; from < rowCount; from += denseRows) {
          const some = lines.slice(from, from + denseRows).join("\n");
          // Lines keep their numbers.
          few.push(read("\n".repeat(from) + some, { open: createNdjsonReader, json: noKernel }));
        }
        const expected = {
          rows: few.flatMap(({ batches }) => rowTexts(batches)),
          accepted: few.reduce((sum, { accepted }) => sum + accepted, 0),
          rejected: few.reduce((sum, { rejected }) => sum + rejected, 0),
          problems: few.flatMap((part) => printed(part).problems).slice(0, 100),
        };
        const list = `[${lines.join(",\n")}]`;
        const many = [
          read(lines.join("\n"), { open: createNdjsonReader, json: window.json }),
          read(lines.join("\r\n"), { open: createNdjsonReader, json: noKernel }),
          read(list, { open: createJsonReader, json: window.json }),
        ];
        for (const rows of many) expect(printed(rows)).toEqual(expected);
        sparse += many[0]!.batches
          .flatMap(({ columns: of }) => of)
          .filter(({ type }) => type === "sparse").length;
      },
    ),
    { numRuns: 20 },
  );
  expect(sparse).toBeGreaterThan(10);
}, 120_000);
