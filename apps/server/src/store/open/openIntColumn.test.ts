import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import type { IntBatchColumn, RowBatch } from "../../base/row/rowBatch.js";
import { createColumnReader } from "../../column/readColumn.js";
import type { IntColumn } from "../../column/segmentColumn.js";
import { sealSegment } from "../seal/sealSegment.js";
import type { StoredSegment } from "../segment/segmentView.js";
import { createLeafContext } from "../testing/leafContext.js";
import { OpenSegment } from "./openSegment.js";

const { memory: leaf, kernel } = createLeafContext(64 * 2 ** 20, (text) => expect.fail(text));
const reader = createColumnReader(leaf.memory);
const layoutOf = () => ({ kind: "int", decimals: 0 }) as const;

afterEach(() => {
  expect(leaf.store.usedBytes).toBe(0);
});

/** Null: missing. */
type Cells = readonly (bigint | null)[];

/** Without the column where all cells are missing. */
function batchOf(cells: Cells): RowBatch {
  const present = Uint8Array.from(cells, (cell) => (cell === null ? 0 : 1));
  const isWhole = present.every((one) => one === 1);
  const column: IntBatchColumn = {
    ...{ name: "n", type: "int", decimals: 0, present: isWhole ? null : present },
    values: BigInt64Array.from(cells, (cell) => cell ?? 0n),
  };
  const columns = present.includes(1) ? [column] : [];
  return { rowCount: cells.length, times: new Float64Array(cells.length).fill(3), columns };
}

function cellsOf({ rowCount, columns }: StoredSegment): Cells {
  const column = columns.get("n") as IntColumn | undefined;
  return Array.from({ length: rowCount }, (_, row) => {
    if (column === undefined) return null;
    if (!reader.isPresent(column.present, row)) return null;
    return reader.storedInt(column, row, rowCount);
  });
}

function expectRange({ columns }: StoredSegment, cells: Cells): void {
  const column = columns.get("n") as IntColumn | undefined;
  const values = cells.filter((cell) => cell !== null);
  if (values.length === 0) return;
  values.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  expect([column?.min, column?.max]).toEqual([values[0], values.at(-1)]);
}

const [lowest, highest] = [-(2n ** 63n), 2n ** 63n - 1n];
const origins = [0n, -5n, 2n ** 31n, 2n ** 32n, -(2n ** 31n), 1_700_000_000_000n, lowest, highest];

/** Values of a batch lie close to one of these, or anywhere. */
const batches = fc.array(
  fc.oneof(
    fc.record({ origin: fc.constantFrom(...origins), spread: fc.constantFrom(0, 9, 2 ** 31) }),
    fc.constant(null),
  ),
  { minLength: 1, maxLength: 6 },
);

function cellsFrom(
  shape: { origin: bigint; spread: number } | null,
  rowCount: number,
  seed: number,
): Cells {
  return Array.from({ length: rowCount }, (_, i): bigint | null => {
    const mixed = Math.imul(i + seed, 0x9e3779b1) >>> 0;
    if (shape === null || (seed % 2 === 0 && mixed % 3 === 0)) return null;
    const offset = BigInt(Math.floor((mixed / 2 ** 32) * shape.spread));
    if (shape.origin > 0n) return shape.origin - offset;
    return shape.origin + offset;
  });
}

test("integers are read unchanged, near to each other or far apart, also where room for several batches was made ahead", () => {
  fc.assert(
    fc.property(batches, fc.nat(1_000), fc.boolean(), (shapes, seed, isAhead) => {
      const open = new OpenSegment(leaf, kernel);
      const all = shapes.map((shape, i) =>
        cellsFrom(shape, 1 + ((seed + i * 701) % 900), seed + i),
      );
      if (isAhead) for (const cells of all) open.reserve(batchOf(cells), layoutOf);
      const known: (bigint | null)[] = [];
      const seen: [StoredSegment, Cells][] = [];
      for (const cells of all) {
        if (!isAhead) open.reserve(batchOf(cells), layoutOf);
        open.append(batchOf(cells));
        known.push(...cells);
        const view = open.view();
        view.pins.pin();
        seen.push([view, [...known]]);
        expectRange(view, known);
      }
      for (const [view, cells] of seen) {
        expect(cellsOf(view)).toEqual(cells);
        view.pins.unpin();
      }
      const sealed = sealSegment(open.view(), 1, { memory: leaf, kernel });
      expect(cellsOf(sealed)).toEqual(known);
      for (const extent of sealed.extents) leaf.store.release(extent);
      open.retire();
    }),
    { numRuns: 150 },
  );
});

test("values take four bytes until their span is too wide", () => {
  const open = new OpenSegment(leaf, kernel);
  const widthAfter = (...cells: Cells): number => {
    open.reserve(batchOf(cells), layoutOf);
    open.append(batchOf(cells));
    return (open.view().columns.get("n") as IntColumn).values.width;
  };
  expect(widthAfter(200n, 404n)).toBe(4);
  expect(widthAfter(0n, null, 2n ** 32n - 1n)).toBe(4);
  expect(widthAfter(2n ** 32n)).toBe(8);
  expect(widthAfter(-1n)).toBe(8);
  const expected = [200n, 404n, 0n, null, 2n ** 32n - 1n, 2n ** 32n, -1n];
  expect(cellsOf(open.view())).toEqual(expected);
  open.retire();
  const times = new OpenSegment(leaf, kernel);
  const moments = batchOf([1_700_000_000_000n, 1_700_000_060_000n, 1_699_999_000_000n]);
  times.reserve(moments, layoutOf);
  times.append(moments);
  expect((times.view().columns.get("n") as IntColumn).values.width).toBe(4);
  times.retire();
});
