import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLeafContext } from "../testing/leafContext.js";
import { batchOfRows } from "../testing/plainRows.js";
import { findBatches, findBatchesOfBody } from "./findBatches.js";
import { HintFiles } from "./hintFiles.js";
import { LeafStore } from "./leafStore.js";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-held-"));
});
afterEach(() => rm(folder, { recursive: true }));

const openStore = () =>
  LeafStore.open(
    folder,
    createLeafContext(192 * 2 ** 20, () => undefined),
  );
const batch = batchOfRows([{ time: 1, values: new Map() }]);
const jobOf = (batchId: string) => ({ batch, batchId, contentHash: "hash" });
const receiptOf = (batchId: string) => ({ receipt: [batchId, "hash", 1] });

/** A table with a batch in its log, and a hinted one. */
async function fillTable(): Promise<string> {
  const store = await openStore();
  const table = await store.findOrCreate("events");
  await table.append(jobOf("k/0"));
  await new HintFiles(store).set("events", jobOf("other/0"));
  expect(await findBatches(store, "events", ["k/0", "k/1"])).toEqual([receiptOf("k/0")]);
  expect(await findBatchesOfBody(store, "events", "k/")).toEqual([receiptOf("k/0")]);
  expect(await findBatches(store, "unknown", ["k/0"])).toEqual([]);
  await store.close();
  return table.folder;
}

const unavailable = { code: "unavailable" };

test("the batches of a table whose own file is damaged are unknown, until rows of it arrive", async () => {
  const tableFolder = await fillTable();
  await writeFile(join(tableFolder, "table.json"), "{");
  const store = await openStore();
  const hints = new HintFiles(store);
  await expect(findBatches(store, "events", ["k/0"])).rejects.toMatchObject(unavailable);
  await expect(findBatchesOfBody(store, "events", "k/")).rejects.toMatchObject(unavailable);
  await expect(hints.take("events", "other/0")).rejects.toMatchObject(unavailable);
  await (await store.findOrCreate("events")).append(jobOf("new/0"));
  expect(await findBatches(store, "events", ["k/0", "k/1"])).toEqual([receiptOf("k/0")]);
  expect(await hints.take("events", "other/0")).toEqual({ rowCount: 1, duplicate: false });
  await store.close();
});

test("the batches of a body are found by its id, and forgotten with their rows", async () => {
  const store = await openStore();
  const table = await store.findOrCreate("events");
  const ids = ["k/0/0-32", "k/0/32-64", "k/1", "k/1/0", "kk/0", "k/0"];
  for (const id of ids) await table.append(jobOf(id));
  const found = async (idsStart: string) =>
    (await findBatchesOfBody(store, "events", idsStart)).map(({ receipt: [id] }) => id);
  expect(await found("k/")).toEqual(["k/0", "k/0/0-32", "k/0/32-64", "k/1"]);
  expect(await found("k/1/")).toEqual(["k/1/0"]);
  expect(await found("kk/")).toEqual(["kk/0"]);
  table.batches.forget([["k/0/0-32", "hash", 1]]);
  expect(await found("k/")).toEqual(["k/0", "k/0/32-64", "k/1"]);
  await store.close();
});

test("batches that wait for their new table are found", async () => {
  const store = await openStore();
  const ids = ["a/0", "b/0", "c/0"];
  const appends = ids.map(async (id) => (await store.findOrCreate("events")).append(jobOf(id)));
  expect(await findBatches(store, "events", ids)).toEqual(ids.map(receiptOf));
  await Promise.all(appends);
  await store.close();
});

test("a batch that is not found may be in an unread log", async () => {
  const path = join(await fillTable(), "log-1.hdl");
  const bytes = await readFile(path);
  await rename(path, join(folder, "log"));
  await mkdir(path);
  const store = await openStore();
  const table = await store.findOrCreate("events");
  await table.append(jobOf("new/0"));
  expect(await findBatches(store, "events", ["new/0"])).toEqual([receiptOf("new/0")]);
  await expect(findBatches(store, "events", ["new/0", "k/0"])).rejects.toMatchObject(unavailable);
  await expect(findBatchesOfBody(store, "events", "k/")).rejects.toMatchObject(unavailable);
  expect(await new HintFiles(store).take("events", "other/0")).toMatchObject({ rowCount: 1 });
  await store.close();
  await rm(path, { recursive: true });
  await writeFile(path, bytes);
  const again = await openStore();
  expect(await findBatches(again, "events", ["k/0"])).toEqual([receiptOf("k/0")]);
  await again.close();
});
