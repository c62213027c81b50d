import { cp, type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LeafStore } from "../leaf/leafStore.js";
import { StoreUpkeep } from "../leaf/storeUpkeep.js";
import { UnloggedBatches } from "../log/unloggedBatches.js";
import { createLeafContext } from "../testing/leafContext.js";
import { batchOfRows } from "../testing/plainRows.js";

const mib = 2 ** 20;
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-received-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

async function openTable(from = join(folder, "leaf")) {
  const context = createLeafContext(256 * mib, () => undefined);
  const store = await LeafStore.open(from, context);
  const table = await store.findOrCreate("events");
  const send = (batchId: string, isDurable: boolean, rowCount = 1, contentHash = "") => {
    const rows = Array.from({ length: rowCount }, (_, time) => ({ time, values: new Map() }));
    return table.append({ batch: batchOfRows(rows), batchId, contentHash, isDurable });
  };
  return { store, table, send };
}

/** The rows that a start would find if the process were killed now. */
async function rowsAfterKill(): Promise<number> {
  const copy = join(folder, "copy");
  await rm(copy, { recursive: true, force: true });
  await cp(join(folder, "leaf"), copy, { recursive: true });
  const { store, table } = await openTable(copy);
  const { rowCount } = table;
  await store.close();
  return rowCount;
}

/** From here on the disk does not answer, until it is let go. */
async function stopDisk(): Promise<() => void> {
  const file = await open(join(folder, "stray file"), "w");
  await file.close();
  const methods = Object.getPrototypeOf(file) as FileHandle;
  const { write } = methods;
  let letGo = (): void => undefined;
  const isBack = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  vi.spyOn(methods, "write").mockImplementation(async function (
    this: FileHandle,
    ...args: unknown[]
  ) {
    await isBack;
    return (write as (...all: unknown[]) => never).apply(this, args);
  } as FileHandle["write"]);
  return letGo;
}

describe("rows that need not be durable yet", () => {
  test("are acknowledged and visible before the disk has them, and on it soon after", async () => {
    const { store, table, send } = await openTable();
    await send("first", true);
    const letGo = await stopDisk();
    let isStored = false;
    const durable = send("durable", true).then(() => {
      isStored = true;
    });
    expect(await send("received", false, 5)).toEqual({ rowCount: 5, duplicate: false });
    expect(await send("received", false, 5)).toEqual({ rowCount: 5, duplicate: true });
    expect([table.rowCount, isStored]).toEqual([6, false]);
    expect(await rowsAfterKill()).toBe(1);
    letGo();
    await durable;
    await expect.poll(rowsAfterKill).toBe(7);
    await store.close();
  });

  test("are all on the disk when the leaf is stopped, whatever was sealed meanwhile", async () => {
    const { store, send } = await openTable();
    const sent: Promise<unknown>[] = [];
    for (let i = 0; i < 300; i++) {
      sent.push(send(`b${i}`, i % 3 === 0, 700));
      if (i % 10 === 0) await Promise.all(sent);
    }
    await Promise.all(sent);
    await store.close();
    expect(await rowsAfterKill()).toBe(300 * 700);
  });

  test("a durable repetition waits until they are on the disk", async () => {
    const { store, send } = await openTable();
    await send("first", true);
    const letGo = await stopDisk();
    await send("twice", false);
    let isStored = false;
    const again = send("twice", true).then((appended) => {
      isStored = true;
      return appended;
    });
    await rowsAfterKill();
    expect(isStored).toBe(false);
    letGo();
    expect(await again).toEqual({ rowCount: 1, duplicate: true });
    expect(await rowsAfterKill()).toBe(2);
    await store.close();
  });

  test("a table is settled once they are on the disk", async () => {
    const { store, table, send } = await openTable();
    await send("first", true);
    const letGo = await stopDisk();
    await send("waits", false);
    let isSettled = false;
    const settled = table.settled().then(() => {
      isSettled = true;
    });
    await rowsAfterKill();
    expect(isSettled).toBe(false);
    letGo();
    await settled;
    expect(await rowsAfterKill()).toBe(2);
    await store.close();
  });

  test("one that is on its way as durable is not stored twice", async () => {
    const { store, table, send } = await openTable();
    const both = await Promise.all([send("same", true), send("same", false)]);
    expect(both.map(({ duplicate }) => duplicate)).toEqual([false, true]);
    expect(table.rowCount).toBe(1);
    await store.close();
  });

  test("outlive a sync that fails; those that come then wait for theirs", async () => {
    const { store, table, send } = await openTable();
    await send("first", true);
    const file = await open(join(folder, "stray file"), "w");
    await file.close();
    const methods = Object.getPrototypeOf(file) as FileHandle;
    vi.spyOn(methods, "datasync").mockRejectedValueOnce(new Error("EIO"));
    await send("received", false, 3);
    await table.settled();
    await send("next", true);
    expect(table.rowCount).toBe(5);
    await store.close();
    expect(await rowsAfterKill()).toBe(5);
  });
});

test("rows of which neither the log nor the segment can be written are counted, and written once that works", async () => {
  const { store, table, send } = await openTable();
  await send("first", true);
  const file = await open(join(folder, "stray file"), "w");
  await file.close();
  const methods = Object.getPrototypeOf(file) as FileHandle;
  for (const method of ["datasync", "sync"] as const)
    vi.spyOn(methods, method).mockRejectedValue(new Error("EIO"));
  await send("received", false, 3);
  await expect(send("refused", true)).rejects.toThrow("EIO");
  while (table.rowsUnwritten === 0) await new Promise(setImmediate);
  // It fails again, and is tried again: here as the upkeep does every 2 s.
  await table.writeAgain();
  expect(table.rowsUnwritten).toBe(4);
  vi.restoreAllMocks();
  expect(await rowsAfterKill()).toBe(1);
  const upkeep = new StoreUpkeep(store, {
    ...{ nowMs: () => 0, isBusy: () => false, warn: () => undefined },
    ...{ sealAgeMs: 1e9, rawTextsMs: 1e9 },
  });
  await upkeep.round();
  expect([table.rowsUnwritten, await rowsAfterKill()]).toEqual([0, 4]);
  await send("next", true);
  await store.close();
  expect(await rowsAfterKill()).toBe(5);
});

test("where the disk does not keep up, batches wait for it", () => {
  let nowMs = 0;
  const batches = new UnloggedBatches(() => nowMs);
  const job = { batch: batchOfRows([]), batchId: "a", contentHash: "" };
  batches.add(job);
  nowMs = 600;
  expect(batches.startLogging()).toEqual([job]);
  batches.add({ ...job, batchId: "b" });
  expect(batches.mayGrow).toBe(true);
  nowMs = 1_000;
  expect(batches.mayGrow).toBe(false);
  batches.noteLogged();
  expect([batches.mayGrow, batches.has("a"), batches.has("b")]).toEqual([true, false, true]);
  nowMs = 1_600;
  expect(batches.mayGrow).toBe(false);
  batches.startLogging();
  batches.noteFailure();
  expect(batches.mayGrow).toBe(false);
  batches.noteLogged();
  expect(batches.mayGrow).toBe(true);
});

test("where senders are faster than the disk, batches wait for it before they fill the memory", () => {
  const batches = new UnloggedBatches(() => 0);
  const bytes = new Uint8Array(40 * mib);
  const add = (batchId: string) =>
    batches.add({ batch: batchOfRows([]), batchId, contentHash: "", bytes });
  add("a");
  expect(batches.mayGrow).toBe(true);
  add("b");
  expect(batches.mayGrow).toBe(false);
  batches.startLogging();
  expect(batches.mayGrow).toBe(false);
  batches.noteLogged();
  expect(batches.mayGrow).toBe(true);
  add("c");
  add("d");
  batches.forget();
  expect(batches.mayGrow).toBe(true);
});
