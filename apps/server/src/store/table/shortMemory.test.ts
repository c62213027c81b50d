import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kernelReservedBytes } from "@hadal/kernel-wasm";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RowBatch } from "../../base/row/rowBatch.js";
import { findBatches } from "../leaf/findBatches.js";
import { LeafStore } from "../leaf/leafStore.js";
import { createLeafContext } from "../testing/leafContext.js";

const mib = 2 ** 20;
/** What every leaf has beside the room for its rows. */
const fixedBytes = 16 * mib + kernelReservedBytes;
const batchRows = 16_384;
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-short-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function openStore(memoryBytes: number) {
  const warnings: string[] = [];
  const store = await LeafStore.open(
    folder,
    createLeafContext(memoryBytes, (text) => warnings.push(text)),
  );
  const send = async (index: number) => {
    const table = await store.findOrCreate("events");
    return table.append({ batch: batchOf(index), batchId: `${index}`, contentHash: "" });
  };
  return { store, warnings, send, table: () => store.find("events")! };
}

/** Rows of six columns that take eight bytes a value. */
function batchOf(index: number): RowBatch {
  const first = index * batchRows;
  return {
    rowCount: batchRows,
    times: Float64Array.from({ length: batchRows }, (_, i) => first + i),
    columns: ["a", "b", "c", "d", "e", "f"].map((name, column) => ({
      ...({ name, type: "int", decimals: 0, present: null } as const),
      values: BigInt64Array.from({ length: batchRows }, (_, i) =>
        BigInt.asIntN(64, BigInt((first + i) * 6 + column + 1) * 0x9e37_79b9_7f4a_7c15n),
      ),
    })),
  };
}

test("a leaf with too little memory for its logs starts without them, stores none of their rows again, and has all rows with more memory", async () => {
  const first = await openStore(fixedBytes + 160 * mib);
  for (const index of [0, 1, 2]) await first.send(index);
  await first.store.close();
  const short = await openStore(fixedBytes + 2 * mib);
  expect(short.warnings.join()).toMatch(
    /log-1.hdl is left unread until the next start: .* no room/,
  );
  expect(short.table().rowCount).toBe(0);
  expect(short.table().minutes.size).toBe(0);
  expect(short.table().lost.unknown).toEqual(["log-1.hdl could not be read"]);
  expect(await short.send(2)).toEqual({ rowCount: batchRows, duplicate: true });
  expect(await findBatches(short.store, "events", ["2", "3"])).toEqual([
    { receipt: ["2", "", batchRows] },
  ]);
  await short.store.close();
  const again = await openStore(fixedBytes + 160 * mib);
  expect(again.warnings).toEqual([]);
  expect(again.table().rowCount).toBe(3 * batchRows);
  await again.send(3);
  await again.store.close();
  const last = await openStore(fixedBytes + 160 * mib);
  expect(last.table().rowCount).toBe(4 * batchRows);
  await last.store.close();
});

test("the same with two logs, of which there is room for the rows of one: it is not appended to", async () => {
  const first = await openStore(fixedBytes + 160 * mib);
  await first.send(0);
  await first.store.close();
  const [name = ""] = await readdir(folder);
  // As where an earlier process could not write the segment of the first.
  await rename(join(folder, name, "log-1.hdl"), join(folder, "elsewhere"));
  const second = await openStore(fixedBytes + 160 * mib);
  for (const index of [1, 2, 3]) await second.send(index);
  await second.store.close();
  await rename(join(folder, name, "log-1.hdl"), join(folder, name, "log-2.hdl"));
  await rename(join(folder, "elsewhere"), join(folder, name, "log-1.hdl"));
  const sizes: number[] = [];
  for (let extraMib = 2; extraMib < 40; extraMib += 2) {
    const short = await openStore(fixedBytes + extraMib * mib);
    const { rowCount } = short.table();
    sizes.push(rowCount);
    expect([0, 1, 4]).toContain(rowCount / batchRows);
    expect(short.warnings.length > 0).toBe(rowCount < 4 * batchRows);
    const files = await readdir(join(folder, name));
    if (rowCount < 4 * batchRows)
      expect(files.filter((one) => one.endsWith(".hdl"))).toHaveLength(2);
    await short.store.close();
    if (rowCount === 4 * batchRows) break;
  }
  expect(new Set(sizes).size).toBe(3);
  const again = await openStore(fixedBytes + 160 * mib);
  expect(again.table().rowCount).toBe(4 * batchRows);
  await again.store.close();
});
