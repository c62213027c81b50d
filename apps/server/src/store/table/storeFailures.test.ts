import {
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kernelReservedBytes } from "@hadal/kernel-wasm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { BatchColumn, RowBatch } from "../../base/row/rowBatch.js";
import type { LeafMemory } from "../../memory/leafMemory.js";
import { findBatches } from "../leaf/findBatches.js";
import { LeafStore } from "../leaf/leafStore.js";
import { createLeafContext } from "../testing/leafContext.js";
import { batchOfRows, type PlainRow, printPlainRows, readPlainRows } from "../testing/plainRows.js";
import { readTableFile } from "./tableFile.js";

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
  const warnings: string[] = [];
  const context = createLeafContext(memoryBytes, (text) => warnings.push(text));
  const store = await LeafStore.open(folder, context);
  return {
    store,
    context,
    warnings,
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
    await expect(append(wideBatch(4_097, 9_000), "too wide")).rejects.toMatchObject({
      code: "storage-full",
    });
    const [segment] = store.find("events")!.snapshot();
    expect([...segment!.columns.keys()]).toEqual(["n", "word"]);
    expect(rows()).toEqual(printPlainRows(stored));

    // Its memory is free again, but for the room that the columns from before were given for its
    // rows.
    expect(context.memory.store.freeBytes).toBeGreaterThan(freeBytes - mib);
    stored.push(...rowsFrom(100, 100));
    await append(batchOfRows(stored.slice(100)), "fits too");
    expect(rows()).toEqual(printPlainRows(stored));

    store.find("events")!.sealOpen();
    await store.close();
    expect((await openStore()).rows()).toEqual(printPlainRows(stored));
  });
});

/** The next call of this method of any open file fails. */
async function failNext(method: "datasync" | "sync" | "truncate"): Promise<void> {
  vi.spyOn(await anyFile(), method).mockRejectedValueOnce(new Error("EIO"));
}

/** The methods of every open file. */
async function anyFile(): Promise<FileHandle> {
  const file = await open(join(folder, "stray file"), "w");
  await file.close();
  return Object.getPrototypeOf(file) as FileHandle;
}

describe("a batch whose sync fails", () => {
  test("is refused for good: it does not come back at the next start", async () => {
    const { store, append, rows } = await openStore();
    await failNext("datasync");
    const syncs = vi.mocked(await anyFile()).datasync;
    await expect(append(batchOfRows(rowsFrom(0, 3)), "refused")).rejects.toMatchObject({
      code: "storage-full",
    });
    // The second is that of the log without it.
    expect(syncs).toHaveBeenCalledTimes(2);
    const stored = rowsFrom(10, 2);
    await append(batchOfRows(stored), "stored");
    expect(rows()).toEqual(printPlainRows(stored));
    const again = await openStore();
    expect(again.rows()).toEqual(printPlainRows(stored));
    await store.close();
    await again.store.close();
  });

  test("leaves no log behind where it was the first of one", async () => {
    const { store, append } = await openStore();
    await store.findOrCreate("events");
    await failNext("datasync");
    await expect(append(batchOfRows(rowsFrom(0, 3)), "refused")).rejects.toThrow("EIO");
    expect(await readdir(store.find("events")!.folder)).toEqual(["table.json"]);
    await store.close();
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

/** Takes all that is free; returns how it is given back. */
function takeRoom(extents: LeafMemory["store"]): () => void {
  const taken: number[] = [];
  for (let bytes = extents.largestFreeBytes; bytes >= 64; ) {
    const address = extents.allocate(bytes);
    if (address === null) bytes >>= 1;
    else taken.push(address);
  }
  return () => {
    for (const address of taken) extents.release(address);
  };
}

describe("an open segment for whose sealed twin there is no room", () => {
  test("stays open until there is", async () => {
    const { store, context, rows, append } = await openStore();
    await append(batchOfRows(rowsFrom(0, 1_000)), "a");
    const release = takeRoom(context.memory.store);
    const table = store.find("events")!;
    table.sealOpen();
    expect(table.openGeneration).toBe(1);
    await expect(append(batchOfRows(rowsFrom(9, 1)), "b")).rejects.toMatchObject({
      code: "storage-full",
    });
    release();
    table.sealOpen();
    await expect.poll(() => table.openGeneration).toBeNull();
    expect(rows()).toEqual(printPlainRows(rowsFrom(0, 1_000)));
    expect(context.memory.open.bytes).toBe(0);
    await store.close();
  });

  test("waits for it also where its log has failed, and loses nothing", async () => {
    const { store, context, rows, append } = await openStore();
    await append(batchOfRows(rowsFrom(0, 1_000)), "a");
    let release = (): void => undefined;
    vi.spyOn(await anyFile(), "datasync").mockImplementationOnce(async () => {
      release = takeRoom(context.memory.store);
      throw new Error("EIO");
    });
    const refused = append(batchOfRows(rowsFrom(2_000, 1)), "b").catch((error: unknown) => error);
    await expect.poll(() => context.memory.store.largestFreeBytes).toBeLessThan(64);
    await new Promise(setImmediate);
    expect(rows()).toEqual(printPlainRows(rowsFrom(0, 1_000)));
    release();
    expect(await refused).toMatchObject({ code: "storage-full" });
    await append(batchOfRows(rowsFrom(3_000, 1)), "c");
    const all = printPlainRows([...rowsFrom(0, 1_000), ...rowsFrom(3_000, 1)]);
    expect(rows()).toEqual(all);
    await store.close();
    const again = await openStore();
    expect(again.rows()).toEqual(all);
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

  test("stays in place when memory is short, and is read again with more of it", async () => {
    const first = await openStore();
    for (const [index, batch] of fullSegments(6).entries()) await first.append(batch, `${index}`);
    first.store.find("events")!.sealOpen();
    await first.store.close();
    const short = await openStore(16 * mib + kernelReservedBytes + 12 * mib);
    const table = short.store.find("events")!;
    expect(table.rowCount).toBeLessThan(5 * segmentRows);
    expect(table.rowCount).toBeGreaterThan(0);
    // What is not in memory is not stored again either.
    const last = fullSegments(6).at(-1)!;
    expect(await short.append(last, "23")).toMatchObject({ duplicate: true });
    expect(await findBatches(short.store, "events", ["23", "24"])).toHaveLength(1);
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

describe("segments and tables to remove, on a disk that fails", () => {
  const everything = { beforeMs: 1e15, maxBytes: null };

  /** Rows in a sealed segment, on the disk, and what would go of them. */
  async function storeSealed() {
    const opened = await openStore();
    await opened.append(batchOfRows(rowsFrom(0, 5)), "a");
    const table = opened.store.find("events")!;
    table.sealOpen();
    while (table.openGeneration !== null) await new Promise(setImmediate);
    // Waits for the segment's file.
    await table.planExpiry({ ...everything, beforeMs: null });
    return { ...opened, table };
  }

  test("are removed when the order comes again: segments", async () => {
    const { store, table, rows } = await storeSealed();
    const { generations } = await table.planExpiry(everything);
    expect(generations).toHaveLength(1);
    await failNext("sync");
    await expect(store.drop("events", generations)).rejects.toThrow("EIO");
    expect(rows()).toEqual([]);
    await store.drop("events", generations);
    expect(await readdir(table.folder)).toEqual(["table.json"]);
    await store.close();
    const again = await openStore();
    expect(again.rows()).toEqual([]);
    await again.store.close();
  });

  test("is noted on the disk when it is planned again", async () => {
    const { store, table } = await storeSealed();
    await failNext("sync");
    await expect(table.planExpiry(everything)).rejects.toThrow("EIO");
    const { generations } = await table.planExpiry(everything);
    const file = await readTableFile(table.folder);
    expect(file.expiring).toEqual(generations);
    await store.close();
  });

  test.each(["it is dropped again", "rows of its name come"])(
    "is removed when %s: a table",
    async (then) => {
      const { store, append } = await storeSealed();
      await failNext("sync");
      await expect(store.drop("events", null)).rejects.toThrow("EIO");
      const isDroppedAgain = then === "it is dropped again";
      if (isDroppedAgain) await store.drop("events", null);
      else await append(batchOfRows(rowsFrom(7, 1)), "b");
      await store.close();
      const names = (await readdir(folder)).filter((name) => name !== "stray file");
      expect(names).toHaveLength(isDroppedAgain ? 0 : 1);
      const again = await openStore();
      expect(again.rows()).toEqual(isDroppedAgain ? [] : printPlainRows(rowsFrom(7, 1)));
      await again.store.close();
    },
  );
});

describe("a table that cannot be made", () => {
  test("gives its senders a problem of the disk, until it can be created", async () => {
    const { store, append, rows } = await openStore();
    await failNext("sync");
    await expect(append(batchOfRows(rowsFrom(0, 1)), "a")).rejects.toMatchObject({
      code: "storage-full",
    });
    // Its folder is there, and nothing is in it.
    const restarted = await openStore();
    expect(restarted.warnings).toEqual([]);
    await restarted.store.close();
    await append(batchOfRows(rowsFrom(0, 1)), "a");
    expect(rows()).toHaveLength(1);
    await store.close();
  });
});

describe("a leaf whose files are damaged", () => {
  const stored = rowsFrom(0, 4);

  /** A table with one sealed segment and one log; its folder. */
  async function storeBoth(): Promise<string> {
    const { store, append } = await openStore();
    await append(batchOfRows(stored.slice(0, 2)), "a");
    const table = store.find("events")!;
    table.sealOpen();
    await append(batchOfRows(stored.slice(2)), "b");
    await store.close();
    expect((await readdir(table.folder)).sort()).toEqual([
      "log-2.hdl",
      "rows-1.json",
      "segment-1.hds",
      "table.json",
    ]);
    return table.folder;
  }

  test.each([
    ["no JSON", "{"],
    ["no name", "{}"],
    ["null", "null"],
    ["another table's name", '{"name":"others"}'],
    ["a wrong checksum", 'hadal-document-1 00000000\n{"name":"events"}'],
    ["no generations", '{"name":"events","generationMin":"x"}'],
  ])("starts; a table's rows are back with the next of its name (%s)", async (_what, text) => {
    const tableFolder = await storeBoth();
    await writeFile(join(tableFolder, "table.json"), text);
    const { store, append, rows, warnings } = await openStore();
    expect(store.find("events")).toBeUndefined();
    expect(warnings.join()).toContain("damaged");
    const more = rowsFrom(8, 1);
    await append(batchOfRows(more), "c");
    expect(rows()).toEqual(printPlainRows([...stored, ...more]));
    await store.close();
    const again = await openStore();
    expect(again.rows()).toEqual(printPlainRows([...stored, ...more]));
    expect(again.warnings).toEqual([]);
    await again.store.close();
  });

  test.each([
    ["log-2.hdl", 0],
    ["segment-1.hds", 2],
  ])("starts without %s, which cannot be read, and with it when it can", async (name, first) => {
    const tableFolder = await storeBoth();
    const [path, elsewhere] = [join(tableFolder, name), join(folder, "elsewhere")];
    await rename(path, elsewhere);
    await mkdir(path);
    const { store, append, rows, warnings } = await openStore();
    expect(rows()).toEqual(printPlainRows(stored.slice(first, first + 2)));
    expect(warnings.join()).toContain("left unread");
    const more = rowsFrom(8, 2);
    const table = store.find("events")!;
    for (const [i, one] of more.entries()) {
      await append(batchOfRows([one]), `c${i}`);
      table.sealOpen();
      while (table.openGeneration !== null) await new Promise(setImmediate);
    }
    // A merged segment would make void what lies between its first and its last.
    expect(await table.merge(1e15, async () => {})).toBe(false);
    await store.close();
    await rm(path, { recursive: true });
    await rename(elsewhere, path);
    const again = await openStore();
    expect(again.rows()).toEqual(printPlainRows([...stored, ...more]));
    await again.store.close();
  });

  test("leaves a log of a newer version as it is, and says so", async () => {
    const path = join(await storeBoth(), "log-2.hdl");
    const bytes = await readFile(path);
    const newer = Buffer.from(bytes);
    newer.write("HDR2");
    await writeFile(path, newer);
    const { store, append, rows, warnings } = await openStore();
    expect(rows()).toEqual(printPlainRows(stored.slice(0, 2)));
    expect(warnings).toEqual([
      expect.stringMatching(/left unread until the next start: .* of a newer version$/),
    ]);
    expect(store.find("events")?.lost.isEmpty).toBe(false);
    const more = rowsFrom(8, 1);
    await append(batchOfRows(more), "c");
    await store.close();
    expect((await readFile(path)).equals(newer)).toBe(true);
    // The newer program reads it again.
    await writeFile(path, bytes);
    const again = await openStore();
    expect(again.rows()).toEqual(printPlainRows([...stored, ...more]));
    await again.store.close();
  });
});
