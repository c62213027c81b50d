import {
  createKernel,
  createSharedMemory,
  kernelReservedBytes,
  loadKernelModuleSync,
} from "@hadal/kernel-wasm";
import { expect, test } from "vitest";
import type { RowBatch } from "../../base/row/rowBatch.js";
import { denseColumn, sparseColumn } from "../../base/row/sparseColumn.js";
import { createColumnReader } from "../../column/readColumn.js";
import type { IntColumn } from "../../column/segmentColumn.js";
import { divideMemory } from "../../memory/leafMemory.js";
import { TableColumns } from "../columns/tableColumns.js";
import { sealSegment } from "../seal/sealSegment.js";
import { readPlainRows } from "../testing/plainRows.js";
import { OpenSegment } from "./openSegment.js";

const memory = createSharedMemory(64 * 2 ** 20);
const kernel = createKernel(memory, loadKernelModuleSync());

function openSegment(queryPoolBytes = 2 ** 20) {
  const leaf = divideMemory(memory, kernelReservedBytes, queryPoolBytes);
  const columns = new TableColumns();
  const open = new OpenSegment(leaf, kernel);
  const append = (given: RowBatch): void => {
    const batch = columns.take(given);
    open.reserve(batch, (name) => columns.layoutOf(name));
    open.append(batch);
  };
  return { leaf, open, append, columns };
}

/** Rows whose values follow from their numbers; every third has no rate. */
function batchOf(first: number, rowCount: number): RowBatch {
  const numbers = Array.from({ length: rowCount }, (_, i) => first + i);
  return {
    rowCount,
    times: Float64Array.from(numbers),
    columns: [
      ...[
        {
          ...({ name: "n", type: "int", decimals: 0, present: null } as const),
          values: BigInt64Array.from(numbers, (n) => BigInt(n) * 3n - 5n),
        },
        {
          ...({ name: "sample_rate", type: "int", decimals: 0 } as const),
          values: BigInt64Array.from(numbers, (n) => (n % 2 === 0 ? 2_147_483_647n : 1n)),
          present: Uint8Array.from(numbers, (n) => (n % 3 === 0 ? 0 : 1)),
        },
      ],
      {
        ...({ name: "s", type: "string", dictionary: ["a", "b"] } as const),
        codes: Uint32Array.from(numbers, (n) => n % 3),
      },
    ],
  };
}

test("times of every age are stored exactly", () => {
  const { open, append } = openSegment();
  const ends = [-8.64e15, 8.64e15, -62_135_596_800_000, 253_402_300_799_999];
  const times = [...ends, -1, 0, 1, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, -(2 ** 32), -(2 ** 32) - 1];
  append({ rowCount: times.length, times: Float64Array.from(times), columns: [] });
  const { times: stored, minMs, maxMs } = open.view();
  const read = new BigInt64Array(memory.buffer, stored.address, times.length);
  expect([...read]).toEqual(times.map(BigInt));
  expect([minMs, maxMs]).toEqual([-8.64e15, 8.64e15]);
  const usual = times.slice(2);
  append({ rowCount: usual.length, times: Float64Array.from(usual), columns: [] });
  const { times: all } = open.view();
  const appended = new BigInt64Array(memory.buffer, all.address, times.length + usual.length);
  expect([...appended]).toEqual([...times, ...usual].map(BigInt));
});

test("rates are weights, 0 where there is none", () => {
  const { open, append } = openSegment();
  append(batchOf(0, 5));
  append(batchOf(5, 2));
  const { weights, weightMax, weightTotal } = open.view();
  const read = [...new Uint32Array(memory.buffer, weights!.address, 7)];
  expect(read).toEqual([0, 1, 2_147_483_647, 0, 2_147_483_647, 1, 0]);
  expect([weightMax, weightTotal]).toEqual([2_147_483_647, 2 * 2_147_483_647 + 5]);
});

test("a batch that found no room, however little was missing, comes in once there is some", () => {
  // What is free before each attempt: up to all that the batch takes.
  for (let free = 0; free < 32_000; free += 2_048) {
    const { leaf, open, append } = openSegment();
    const held: number[] = [];
    const kept = leaf.store.allocate(free)!;
    for (let at: number | null = kept; at !== null; at = leaf.store.allocate(2_048)) held.push(at);
    leaf.store.release(kept);
    expect(() => append(batchOf(7, 1_000))).toThrow();
    expect(open.rowCount).toBe(0);
    for (const at of held.slice(1)) leaf.store.release(at);
    append(batchOf(7, 1_000));
    const { times, minMs, maxMs, columns } = open.view();
    const read = new BigInt64Array(memory.buffer, times.address, 1_000);
    expect([...read]).toEqual(Array.from({ length: 1_000 }, (_, row) => BigInt(row + 7)));
    expect([minMs, maxMs]).toEqual([7, 1_006]);
    expect(columns.get("n")).toMatchObject({ min: 16n, max: 3_013n });
    open.retire();
    expect(leaf.store.usedBytes).toBe(0);
  }
});

test("room that columns grow out of is given back at once, and all of it in the end", () => {
  const { leaf, open, append } = openSegment();
  for (let first = 0; first < 20_000; first += 500) {
    append(batchOf(first, 500));
    const rowsMax = Math.max(1_024, 2 ** Math.ceil(Math.log2(first + 500)));
    // Time, n, rate, its weight and the code: 24 bytes; two bits of presence. And where a batch's
    // column is narrowed.
    expect(open.bytes).toBeLessThan(rowsMax * 24.25 + 1_024 * 8.125 + 2_000);
    expect(leaf.store.usedBytes).toBe(open.bytes);
    const { columnBytes } = open.view();
    expect([...columnBytes!.values()].reduce((a, b) => a + b)).toBe(open.bytes);
  }
  open.retire();
  expect(leaf.store.usedBytes).toBe(0);
});

test("the memory that a query reads stays unchanged while columns grow, and is released after it", () => {
  const { leaf, open, append } = openSegment();
  append(batchOf(0, 1_000));
  const view = open.view();
  const column = view.columns.get("n");
  if (column?.kind !== "int") throw new Error("n is a column of integers");
  const reader = createColumnReader(memory);
  const read = (): bigint[] => Array.from({ length: 1_000 }, (_, row) => reader.int(column, row));
  const expected = read();
  view.pins.pin();
  append(batchOf(1_000, 9_000));
  // Whatever is free now is written over.
  for (let at = leaf.store.allocate(4_096); at !== null; at = leaf.store.allocate(4_096))
    leaf.bytes.fill(0xee, at, at + 4_096);
  expect(read()).toEqual(expected);
  expect(expected[999]).toBe(2_992n);
  const bytesBefore = open.bytes;
  view.pins.unpin();
  append(batchOf(10_000, 1));
  expect(open.bytes).toBeLessThan(bytesBefore - 1_024 * 20);
  const grown = open.view().columns.get("n");
  if (grown?.kind !== "int") throw new Error("n is a column of integers");
  const values = Array.from({ length: 10_001 }, (_, row) => reader.int(grown, row));
  expect(values).toEqual(Array.from({ length: 10_001 }, (_, n) => BigInt(n) * 3n - 5n));
});

test("its columns keep the order of arrival when it is sealed", () => {
  const { leaf, open, append } = openSegment();
  append(batchOf(0, 100));
  const names = [...open.view().columns.keys()];
  expect(names.indexOf("sample_rate")).toBeGreaterThan(0);
  expect([...sealSegment(open.view(), 1, { memory: leaf, kernel }).columns.keys()]).toEqual(names);
});

test("a column that few rows have is stored as if each row had a cell of it", () => {
  const texts = ["", "long enough to be recognised", "x"];
  const rows = Uint32Array.of(3, 64, 65, 199);
  const far = BigInt64Array.of(5n, -7n, 2n ** 40n, 6n);
  const near = BigInt64Array.of(5n, 7n, 9n, 6n);
  const ints = { name: "n", type: "int", decimals: 0, present: null } as const;
  const codes = Uint32Array.of(1, 2, 3, 2);
  const strings = { name: "s", type: "string", dictionary: texts, codes } as const;
  const rates = { ...ints, name: "sample_rate", values: BigInt64Array.of(2n, 3n, 4n, 5n) };
  const read = (isSparse: boolean, isText: boolean): unknown => {
    const { leaf, open, append, columns } = openSegment(8 * 2 ** 20);
    const add = (values: BigInt64Array): void => {
      const cells = [{ ...ints, values }, strings, rates];
      const sparse = cells.map((one) => sparseColumn(one, rows));
      const of = isSparse ? sparse : sparse.map((column) => denseColumn(column, 200));
      append({ rowCount: 200, times: new Float64Array(200), columns: of });
    };
    append({ rowCount: 7, times: new Float64Array(7), columns: [] });
    columns.take({ rowCount: 0, times: new Float64Array(0), columns: [strings] });
    if (isText) columns.storeAsText("s");
    for (const values of [near, near, far, near]) add(values);
    append({ rowCount: 7, times: new Float64Array(7), columns: [] });
    const view = open.view();
    const { min, max } = view.columns.get("n") as IntColumn;
    const weights = [...new Uint32Array(memory.buffer, view.weights!.address, view.rowCount)];
    const all = readPlainRows([view], { memory: leaf, kernel });
    open.retire();
    return { all, min, max, weights, weightTotal: view.weightTotal, weightMax: view.weightMax };
  };
  for (const isText of [false, true]) expect(read(true, isText)).toEqual(read(false, isText));
});

test("estimates its bytes with a batch of other columns before it takes the batch", () => {
  const { open, append } = openSegment();
  append({ rowCount: 5_000, times: new Float64Array(5_000), columns: [] });
  const column = { type: "int", decimals: 0, present: null, values: BigInt64Array.of(1n) } as const;
  const columns = Array.from({ length: 100 }, (_, i) => ({ ...column, name: `c${i}` }));
  const batch = { rowCount: 1, times: new Float64Array(1), columns };
  const predicted = open.bytesWith(batch);
  append(batch);
  expect(predicted).toBeGreaterThanOrEqual(100 * 8_192 * 4);
  expect(open.bytes).toBeGreaterThan(predicted);
  expect(open.bytes).toBeLessThan(1.5 * predicted);
});
