import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codedColumn as encodedColumn, valueSizesOf } from "./codedColumn.js";
import type { BatchColumn, CodedBatchColumn, RowBatch } from "./rowBatch.js";
import { decodeRowBatch, encodeRowBatch } from "./rowBatchCodec.js";

const name = fc.string({ unit: "grapheme", minLength: 1 });
const text = fc.string({ unit: fc.constantFrom("a", "é", "🙂", "\u{feff}", "\u{ffff}", "\0") });

const intColumn = (rowCount: number): fc.Arbitrary<BatchColumn> => {
  const length = { minLength: rowCount, maxLength: rowCount };
  return fc.record({
    name,
    type: fc.constant("int" as const),
    decimals: fc.integer({ min: 0, max: 18 }),
    values: fc.bigInt64Array(length),
    present: fc.option<Uint8Array, null>(fc.uint8Array({ max: 1, ...length }), { nil: null }),
  });
};

const codedColumn = (rowCount: number): fc.Arbitrary<BatchColumn> =>
  fc.array(text).chain((dictionary) =>
    fc.record({
      name,
      type: fc.constantFrom("string" as const, "set" as const, "vector" as const),
      dictionary: fc.constant(dictionary),
      codes: fc.uint32Array({ max: dictionary.length, minLength: rowCount, maxLength: rowCount }),
    }),
  );

const batch: fc.Arbitrary<RowBatch> = fc.integer({ min: 0, max: 20 }).chain((rowCount) =>
  fc.record({
    rowCount: fc.constant(rowCount),
    times: fc
      .array(fc.integer({ min: -8.64e15, max: 8.64e15 }), {
        minLength: rowCount,
        maxLength: rowCount,
      })
      .map((times) => Float64Array.from(times)),
    columns: fc.array(fc.oneof(intColumn(rowCount), codedColumn(rowCount))),
  }),
);

describe("an encoded row batch", () => {
  test("gives back what went in, wherever its bytes lie", () => {
    fc.assert(
      fc.property(batch, fc.integer({ min: 0, max: 9 }), (rows, offset) => {
        const encoded = encodeRowBatch(rows);
        const moved = new Uint8Array(encoded.length + offset);
        moved.set(encoded, offset);
        expect(decodeRowBatch(moved.subarray(offset))).toEqual(rows);
      }),
    );
  });

  test("is refused when cut off anywhere", () => {
    const rows: RowBatch = {
      rowCount: 2,
      times: Float64Array.of(1, 2),
      columns: [{ name: "s", type: "string", dictionary: ["a"], codes: Uint32Array.of(0, 1) }],
    };
    const encoded = encodeRowBatch(rows);
    // The last section is padded to 8: its bytes end where the codes end.
    for (let length = 0; length < encoded.length; length++) {
      expect(() => decodeRowBatch(encoded.slice(0, length))).toThrow();
    }
  });

  test("is refused when a code has no value", () => {
    const rows: RowBatch = {
      rowCount: 1,
      times: Float64Array.of(1),
      columns: [{ name: "s", type: "string", dictionary: ["a"], codes: Uint32Array.of(2) }],
    };
    expect(() => decodeRowBatch(encodeRowBatch(rows))).toThrow(/code without value/);
  });

  test("has the bytes of its values as UTF-8, and a copy with other codes does not", () => {
    const codes = Uint32Array.of(2, 0, 1, 2, 3);
    const dictionary = ["é🙂", "a", ""];
    const rows: RowBatch = {
      rowCount: 5,
      times: new Float64Array(5),
      columns: [{ name: "s", type: "string", dictionary, codes }],
    };
    const column = decodeRowBatch(encodeRowBatch(rows)).columns[0] as CodedBatchColumn;
    expect(column.sizes).toEqual({ count: 4, bytes: 8 });
    expect(valueSizesOf(column)).toEqual(valueSizesOf(rows.columns[0] as CodedBatchColumn));
    const copy = { ...column, codes: Uint32Array.of(1) };
    expect(valueSizesOf(copy)).toEqual({ count: 1, bytes: 6 });
  });

  test("is refused when its strings are not UTF-8", () => {
    const strings = { text: Uint8Array.of(0xc3, 0x28), lengths: Uint32Array.of(1) };
    const columns = [encodedColumn({ name: "s", type: "string" }, strings, Uint32Array.of(1))];
    const rows: RowBatch = { rowCount: 1, times: Float64Array.of(1), columns };
    expect(() => decodeRowBatch(encodeRowBatch(rows))).toThrow(/not UTF-8/);
  });
});
