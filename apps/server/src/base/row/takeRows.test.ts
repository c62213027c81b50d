import fc from "fast-check";
import { expect, it } from "vitest";
import { batchRows } from "../testing/batchRows.js";
import type { BatchColumn, RowBatch } from "./rowBatch.js";
import { decodeRowBatch, encodeRowBatch } from "./rowBatchCodec.js";
import { takeRows } from "./takeRows.js";

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const cells = fc.record({
  int: fc.option(int64),
  text: fc.option(fc.oneof(fc.constantFrom("", "a", "é日🜂"), fc.string({ unit: "grapheme" }))),
  list: fc.option(fc.constantFrom('["a"]', '["b","a"]')),
  time: fc.integer(),
});

/** As the gateway's readers make it: each distinct value once, columns without values left out. */
function batchOf(rows: readonly (typeof cells extends fc.Arbitrary<infer T> ? T : never)[]) {
  const coded = (name: "text" | "list", type: "string" | "vector"): BatchColumn => {
    const dictionary = [...new Set(rows.flatMap((row) => (row[name] === null ? [] : [row[name]])))];
    const codes = Uint32Array.from(rows, (row) =>
      row[name] === null ? 0 : dictionary.indexOf(row[name]) + 1,
    );
    return { name, type, dictionary, codes };
  };
  const present = Uint8Array.from(rows, ({ int }) => (int === null ? 0 : 1));
  const values = BigInt64Array.from(rows, ({ int }) => int ?? 0n);
  const columns: BatchColumn[] = [
    { name: "int", type: "int", decimals: 2, values, present, set: "both" },
    coded("text", "string"),
    coded("list", "vector"),
  ];
  return { rowCount: rows.length, times: Float64Array.from(rows, ({ time }) => time), columns };
}

it("keeps of each row all that it has, by strings and by bytes", () => {
  const given = fc.array(cells, { maxLength: 40 }).chain((rows) =>
    fc.record({
      rows: fc.constant(rows),
      kept: fc.subarray([...rows.keys()]).map((list) => Uint32Array.from(list)),
    }),
  );
  fc.assert(
    fc.property(given, ({ rows, kept }) => {
      const batch = batchOf(rows);
      const decoded = decodeRowBatch(encodeRowBatch(batch));
      const wanted = Array.from(kept, (row) => batchRows(batch)[row]);
      for (const source of [batch, decoded]) {
        const taken: RowBatch = takeRows(source, kept);
        expect(taken.rowCount).toBe(kept.length);
        expect([...taken.times]).toEqual(Array.from(kept, (row) => batch.times[row]));
        expect(batchRows(taken)).toEqual(wanted);
        expect(batchRows(decodeRowBatch(encodeRowBatch(taken)))).toEqual(wanted);
      }
    }),
  );
});

it("leaves columns, masks and values behind that no row has any more", () => {
  const batch = batchOf([
    { int: null, text: "a", list: null, time: 1 },
    { int: 7n, text: "b", list: '["a"]', time: 2 },
  ]);
  const [text] = takeRows(batch, Uint32Array.of(0)).columns;
  expect(takeRows(batch, Uint32Array.of(0)).columns).toHaveLength(1);
  expect(text).toMatchObject({ name: "text", dictionary: ["a"] });
  const second = takeRows(batch, Uint32Array.of(1)).columns;
  expect(second).toHaveLength(3);
  expect(second[0]).toMatchObject({ name: "int", set: "both", present: null });
});
