import {
  createKernel,
  createSharedMemory,
  kernelReservedBytes,
  loadKernelModuleSync,
} from "@hadal/kernel-wasm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { divideMemory, type LeafMemory } from "../../memory/leafMemory.js";
import { rescaleBatch } from "../columns/rescaleBatch.js";
import { TableColumns } from "../columns/tableColumns.js";
import { batchOfRows, type PlainRow, readPlainRows } from "../testing/plainRows.js";
import { OpenSegment } from "./openSegment.js";

const memory = createSharedMemory(64 * 2 ** 20);
const kernel = createKernel(memory, loadKernelModuleSync());
const newLeaf = (): LeafMemory => divideMemory(memory, kernelReservedBytes, 4 * 2 ** 20);

function segmentOf(
  batches: readonly (readonly PlainRow[])[],
  leaf: LeafMemory,
  columns: TableColumns,
): OpenSegment {
  const segment = new OpenSegment(leaf, kernel);
  const layoutOf = (name: string) => columns.layoutOf(name);
  for (const rows of batches) {
    const batch = columns.take(batchOfRows(rows));
    // From the first row on.
    if (columns.has("text")) columns.storeAsText("text");
    const ready = rescaleBatch(batch, layoutOf);
    segment.reserve(ready, layoutOf);
    segment.append(ready);
  }
  return segment;
}

const cells = fc
  .record(
    {
      near: fc.bigInt({ min: -40n, max: 40n }),
      far: fc.bigInt({ min: 2n ** 40n, max: 2n ** 40n + 50n }),
      anywhere: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      code: fc.constantFrom("a", "b", "c"),
      text: fc.string({ unit: "grapheme", maxLength: 9 }),
      list: fc.array(fc.string({ maxLength: 2 }), { maxLength: 3 }),
      sample_rate: fc.bigInt({ min: 2n, max: 9n }),
    },
    { requiredKeys: [] },
  )
  .map((values) => new Map(Object.entries(values).filter(([, value]) => value !== undefined)));
const rowsOf = fc.array(
  fc.record({ time: fc.integer({ min: -9_000, max: 9_000 }), values: cells }),
  { minLength: 1, maxLength: 40 },
);
const batchesOf = fc.array(rowsOf, { minLength: 1, maxLength: 4 });

test("a segment takes all rows of another one, whichever columns both have", () => {
  fc.assert(
    fc.property(batchesOf, batchesOf, rowsOf, (first, second, later) => {
      const leaf = newLeaf();
      const columns = new TableColumns();
      const own = segmentOf(first, leaf, columns);
      const other = segmentOf(second, leaf, columns);
      const rowsIn = (...segments: readonly OpenSegment[]): string[] =>
        readPlainRows(
          segments.map((segment) => segment.view()),
          { memory: leaf, kernel },
        );
      const expected = rowsIn(own, other);
      const views = [own.view(), other.view()];
      const weight = views.reduce((sum, { weightTotal }) => sum + weightTotal, 0);
      own.appendAll(other);
      expect(rowsIn(own)).toEqual(expected);
      const { minMs, maxMs, weightTotal, weightMax } = own.view();
      expect([minMs, maxMs]).toEqual([
        Math.min(...views.map((view) => view.minMs)),
        Math.max(...views.map((view) => view.maxMs)),
      ]);
      expect([weightTotal, weightMax]).toEqual([
        weight,
        Math.max(...views.map((view) => view.weightMax)),
      ]);
      other.retire();
      // It goes on growing.
      const layoutOf = (name: string) => columns.layoutOf(name);
      const batch = rescaleBatch(columns.take(batchOfRows(later)), layoutOf);
      own.reserve(batch, layoutOf);
      own.append(batch);
      expect(rowsIn(own)).toHaveLength(expected.length + later.length);
      expect(rowsIn(own)).toEqual(expect.arrayContaining(expected));
      own.retire();
      expect([leaf.store.usedBytes, leaf.open.bytes]).toEqual([0, 0]);
    }),
    { numRuns: 60 },
  );
});

test("lists of another dictionary are taken by their values", () => {
  const leaf = newLeaf();
  const columns = new TableColumns();
  const rowOf = (list: readonly string[]): PlainRow => ({
    time: 1,
    values: new Map([["list", list]]),
  });
  const own = segmentOf([[rowOf(["a"]), rowOf(["b", "a"])]], leaf, columns);
  columns.renewLists(new Map([["list", "vector"]]));
  const other = segmentOf([[rowOf(["c"]), rowOf([]), rowOf(["b", "a"])]], leaf, columns);
  own.appendAll(other);
  expect(readPlainRows([own.view()], { memory: leaf, kernel })).toEqual(
    ['["a"]', '["b","a"]', '["b","a"]', '["c"]', "[]"].map((list) => `1|list=${list}`).sort(),
  );
});

test("without room for all rows the segment stays as it was", () => {
  const leaf = newLeaf();
  const columns = new TableColumns();
  const rows = Array.from(
    { length: 1_000 },
    (_, i): PlainRow => ({
      time: i,
      values: new Map([["n", BigInt(i)]]),
    }),
  );
  const own = segmentOf([rows], leaf, columns);
  const other = segmentOf([rows], leaf, columns);
  const expected = readPlainRows([own.view()], { memory: leaf, kernel });
  const { usedBytes } = leaf.store;
  while (leaf.store.allocate(4_096) !== null);
  const taken = leaf.store.usedBytes - usedBytes;
  expect(() => own.appendAll(other)).toThrow(expect.objectContaining({ code: "storage-full" }));
  expect(leaf.store.usedBytes).toBe(usedBytes + taken);
  expect(readPlainRows([own.view()], { memory: leaf, kernel })).toEqual(expected);
});
