import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createKernel,
  createSharedMemory,
  kernelReservedBytes,
  loadKernelModuleSync,
} from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import { expect, test } from "vitest";
import type { RowBatch } from "../../base/row/rowBatch.js";
import { divideMemory } from "../../memory/leafMemory.js";
import { LeafStore } from "../leaf/leafStore.js";
import type { Table } from "./table.js";

const batchRows = 16_384;

/** Rows that take eight bytes of one column each, however they are stored. */
function createBatch(index: number): RowBatch {
  const values = BigInt64Array.from({ length: batchRows }, (_, i) =>
    BigInt.asIntN(64, BigInt(index * batchRows + i + 1) * 0x9e37_79b9_7f4a_7c15n),
  );
  return {
    rowCount: batchRows,
    times: Float64Array.from({ length: batchRows }, (_, i) => index * batchRows + i),
    columns: [{ name: "n", type: "int", decimals: 0, values, present: null }],
  };
}

const append = (table: Table, index: number) =>
  table.append({ batch: createBatch(index), batchId: `${index}`, contentHash: "" });

test("a leaf whose storage is full reports it, keeps its rows, and takes rows again when there is room", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hadal-full-"));
  const open = () => {
    const shared = createSharedMemory(112 * 2 ** 20);
    const leaf = divideMemory(shared, kernelReservedBytes, 16 * 2 ** 20);
    const kernel = createKernel(shared, loadKernelModuleSync());
    const warn = (text: string): void => expect.fail(text);
    return LeafStore.open(folder, { memory: leaf, kernel, warn });
  };
  let store = await open();
  let table = await store.findOrCreate("events");
  let stored = 0;
  let refusal: unknown = null;
  while (refusal === null) {
    expect(stored, "it is full at some time").toBeLessThan(1_000);
    await append(table, stored).then(
      () => stored++,
      (error: unknown) => {
        refusal = error;
      },
    );
  }
  expect(stored).toBeGreaterThan(8);
  expect(refusal).toBeInstanceOf(HadalError);
  expect((refusal as HadalError).toProblem()).toMatchObject({
    code: "storage-full",
    detail: expect.stringMatching(/\d+ bytes of memory are free, \d+ are kept in reserve/),
  });
  // Refused again as long as nothing goes, and no row of it is there.
  await expect(append(table, stored)).rejects.toMatchObject({ code: "storage-full" });
  expect(table.rowCount).toBe(stored * batchRows);
  // A start finds the same rows.
  await store.close();
  store = await open();
  table = store.find("events")!;
  expect(table.rowCount).toBe(stored * batchRows);
  // The oldest rows go: there is room for as many.
  const { generations, rows } = await table.planExpiry({ beforeMs: 8 * batchRows, maxBytes: null });
  const gone = rows.counts.reduce((sum, count) => sum + count, 0);
  expect(gone).toBeGreaterThan(0);
  await table.dropSegments(generations);
  await expect(append(table, stored)).resolves.toEqual({ rowCount: batchRows, duplicate: false });
  expect(table.rowCount).toBe((stored + 1) * batchRows - gone);
  await store.close();
  store = await open();
  expect(store.find("events")!.rowCount).toBe((stored + 1) * batchRows - gone);
  await store.close();
  await rm(folder, { recursive: true });
}, 60_000);
