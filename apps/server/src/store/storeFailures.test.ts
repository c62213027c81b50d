import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createKernel,
  createSharedMemory,
  kernelReservedBytes,
  loadKernelModuleSync,
} from "@hadal/kernel-wasm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { BatchColumn, RowBatch } from "../base/rowBatch.js";
import { divideMemory } from "../memory/leafMemory.js";
import { LeafStore } from "./leafStore.js";
import type { TableContext } from "./tableContext.js";
import { batchOfRows, type PlainRow, printPlainRows, readPlainRows } from "./testing/plainRows.js";

const module = loadKernelModuleSync();
const mib = 2 ** 20;
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-store-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

function createContext(memoryBytes: number): TableContext {
  const memory = createSharedMemory(memoryBytes);
  return {
    memory: divideMemory(memory, kernelReservedBytes, 16 * mib),
    kernel: createKernel(memory, module),
    warn: () => {},
  };
}

/** Opens the folder as a fresh process would. */
async function openStore(memoryBytes = 192 * mib) {
  const context = createContext(memoryBytes);
  const store = await LeafStore.open(folder, context);
  return {
    store,
    context,
    rows: () => readPlainRows(store.find("events")?.snapshot() ?? [], context),
    append: async (batch: RowBatch, batchId: string) =>
      (await store.findOrCreate("events")).append({ batch, batchId, contentHash: "hash" }),
  };
}

const rowsFrom = (first: number, count: number): PlainRow[] =>
  Array.from({ length: count }, (_, i) => ({
    time: 1_000 * (first + i),
    values: new Map<string, bigint | string>([
      ["n", BigInt(first + i)],
      ["word", `word-${(first + i) % 5}`],
    ]),
  }));

/** More columns than there is memory for, of every kind. */
function wideBatch(rowCount: number, columnCount: number): RowBatch {
  const columns = Array.from({ length: columnCount }, (_, i): BatchColumn => {
    const name = `wide-${i}`;
    if (i % 2 === 0) {
      const values = new BigInt64Array(rowCount).fill(7n);
      return { name, type: "int", decimals: 0, values, present: null };
    }
    return {
      name,
      type: "string",
      dictionary: ["seven"],
      codes: new Uint32Array(rowCount).fill(1),
    };
  });
  return { rowCount, times: new Float64Array(rowCount).fill(5), columns };
}

describe("a batch for which there is no room", () => {
  test("leaves nothing of its columns behind: not for queries, not when the rows are sealed", async () => {
    const { store, context, rows, append } = await openStore();
    const stored = rowsFrom(0, 100);
    await append(batchOfRows(stored), "fits");
    const { freeBytes } = context.memory.store;
    await expect(append(wideBatch(1_025, 6_000), "too wide")).rejects.toMatchObject({
      code: "storage-full",
    });
    const [segment] = store.find("events")!.snapshot();
    expect([...segment!.columns.keys()]).toEqual(["n", "word"]);
    expect(rows()).toEqual(printPlainRows(stored));

    // Its memory is free again, but for the room that the columns from before were given for its rows.
    expect(context.memory.store.freeBytes).toBeGreaterThan(freeBytes - mib);
    stored.push(...rowsFrom(100, 100));
    await append(batchOfRows(stored.slice(100)), "fits too");
    expect(rows()).toEqual(printPlainRows(stored));

    store.find("events")!.sealOpen();
    await store.close();
    expect((await openStore()).rows()).toEqual(printPlainRows(stored));
  });
});
