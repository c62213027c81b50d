import { type FileHandle, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kernelReservedBytes } from "@hadal/kernel-wasm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { BatchColumn, RowBatch } from "../base/rowBatch.js";
import { LeafStore } from "./leafStore.js";
import { createLeafContext } from "./testing/leafContext.js";
import { batchOfRows, type PlainRow, printPlainRows, readPlainRows } from "./testing/plainRows.js";

const mib = 2 ** 20;
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-store-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

/** Opens the folder as a fresh process would. */
async function openStore(memoryBytes = 192 * mib) {
  const context = createLeafContext(memoryBytes, () => {});
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
    await expect(append(wideBatch(2_049, 9_000), "too wide")).rejects.toMatchObject({
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

describe("a batch whose sync fails", () => {
  /** The next call of this method of any open file fails. */
  async function failNext(method: "datasync" | "truncate"): Promise<void> {
    const file = await open(join(folder, "stray file"), "w");
    await file.close();
    const methods = Object.getPrototypeOf(file) as FileHandle;
    vi.spyOn(methods, method).mockRejectedValueOnce(new Error("EIO"));
  }

  test("is refused for good: it does not come back at the next start", async () => {
    const { store, append, rows } = await openStore();
    await failNext("datasync");
    await expect(append(batchOfRows(rowsFrom(0, 3)), "refused")).rejects.toMatchObject({
      code: "storage-full",
    });
    const stored = rowsFrom(10, 2);
    await append(batchOfRows(stored), "stored");
    expect(rows()).toEqual(printPlainRows(stored));
    const again = await openStore();
    expect(again.rows()).toEqual(printPlainRows(stored));
    await store.close();
    await again.store.close();
  });

  test("and is sent again is stored once, even where the log could not be cut back", async () => {
    const { store, append } = await openStore();
    const stored = rowsFrom(0, 3);
    await append(batchOfRows(stored), "before");
    await failNext("datasync");
    await failNext("truncate");
    const twice = rowsFrom(10, 2);
    await expect(append(batchOfRows(twice), "again")).rejects.toThrow();
    await append(batchOfRows(twice), "again");
    const again = await openStore();
    expect(again.rows()).toEqual(printPlainRows([...stored, ...twice]));
    await store.close();
    await again.store.close();
  });
});

describe("a segment whose file is sound but cannot be taken in", () => {
  const segmentRows = 65_536;
  const columnNames = ["a", "b", "c", "d", "e", "f"];

  /** Full segments that take 8 bytes a value: 3 MB each. */
  function fullSegments(count: number): RowBatch[] {
    const rowCount = segmentRows / 4;
    let value = 1n;
    return Array.from({ length: count * 4 }, (_, batch) => ({
      rowCount,
      times: Float64Array.from({ length: rowCount }, (_, i) => batch * 100_000 + i),
      columns: columnNames.map((name) => {
        const values = new BigInt64Array(rowCount).map(() => {
          value = BigInt.asIntN(64, value * 6_364_136_223_846_793_005n + 1_442_695n);
          return value;
        });
        return { name, type: "int", decimals: 0, values, present: null } as const;
      }),
    }));
  }

  test("stays where it is when memory is short, and is there again with more of it", async () => {
    const first = await openStore();
    for (const [index, batch] of fullSegments(6).entries()) await first.append(batch, `${index}`);
    first.store.find("events")!.sealOpen();
    await first.store.close();
    const short = await openStore(16 * mib + kernelReservedBytes + 12 * mib);
    const table = short.store.find("events")!;
    expect(table.rowCount).toBeLessThan(5 * segmentRows);
    expect(table.rowCount).toBeGreaterThan(0);
    await short.store.close();
    const again = await openStore();
    expect(again.store.find("events")!.rowCount).toBe(6 * segmentRows);
    await again.store.close();
  });

  test("stays where it is when another version wrote it, and nothing is merged across it", async () => {
    const first = await openStore();
    const stored = [0, 10, 20].flatMap((at) => rowsFrom(at, 5));
    for (const at of [0, 5, 10]) {
      await first.append(batchOfRows(stored.slice(at, at + 5)), `${at}`);
      first.store.find("events")!.sealOpen();
    }
    await first.store.close();
    const path = join(first.store.find("events")!.folder, "segment-2.hds");
    const file = await readFile(path);
    const newer = Buffer.from(file);
    newer.writeUInt32LE(newer.readUInt32LE(4) + 1, 4);
    await writeFile(path, newer);
    const older = await openStore();
    expect(older.rows()).toEqual(printPlainRows([...stored.slice(0, 5), ...stored.slice(10)]));
    expect(await older.store.find("events")!.merge(Date.now(), async () => {})).toBe(false);
    await older.store.close();
    await writeFile(path, file);
    const again = await openStore();
    expect(again.rows()).toEqual(printPlainRows(stored));
    await again.store.close();
  });
});
