import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { encodeRowBatch } from "../../base/row/rowBatchCodec.js";
import { createLeafContext } from "../testing/leafContext.js";
import { batchOfRows } from "../testing/plainRows.js";
import { HintFiles } from "./hintFiles.js";
import { LeafStore } from "./leafStore.js";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-hints-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function openLeaf() {
  const store = await LeafStore.open(
    folder,
    createLeafContext(192 * 2 ** 20, () => undefined),
  );
  return {
    store,
    hints: new HintFiles(store),
    rowCount: () => store.find("events")?.rowCount ?? 0,
    files: async () =>
      (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".hda")),
  };
}

const batch = batchOfRows([1, 2, 3].map((time) => ({ time, values: new Map() })));
const job = { batch, batchId: "k/0", contentHash: "hash", bytes: encodeRowBatch(batch) };

test("a hinted batch is in no answer, outlives a restart, and is stored once", async () => {
  const first = await openLeaf();
  await first.hints.set("events", job);
  await first.hints.set("events", job);
  expect([first.rowCount(), (await first.files()).length]).toEqual([0, 1]);
  await first.store.close();
  const second = await openLeaf();
  expect(second.rowCount()).toBe(0);
  const both = await Promise.all([
    second.hints.take("events", "k/0"),
    second.hints.take("events", "k/0"),
  ]);
  expect(both.map((one) => one?.duplicate)).toEqual([false, true]);
  expect([second.rowCount(), await second.files()]).toEqual([3, []]);
  expect(second.store.find("events")?.batches.find("k/0")).toEqual(["k/0", "hash", 3]);
  await second.store.close();
  const third = await openLeaf();
  expect(third.rowCount()).toBe(3);
  expect(await third.hints.take("events", "k/0")).toEqual({ rowCount: 3, duplicate: true });
  await third.store.close();
});

test("a dropped hint is gone, also while it is being written; a missing one is no error", async () => {
  const { store, hints, rowCount, files } = await openLeaf();
  expect(await hints.take("nowhere", "k/0")).toBe(null);
  await hints.drop("nowhere", "k/0");
  await Promise.all([hints.set("events", job), hints.drop("events", "k/0")]);
  expect(await files()).toEqual([]);
  expect(await hints.take("events", "k/0")).toBe(null);
  expect(rowCount()).toBe(0);
  await store.close();
});

test("a damaged hint is not stored, and stays", async () => {
  const { store, hints, rowCount, files } = await openLeaf();
  await hints.set("events", job);
  const [name] = await files();
  const path = join(folder, name ?? "");
  const bytes = await readFile(path);
  bytes[bytes.length - 5]! ^= 1;
  await writeFile(path, bytes);
  await expect(hints.take("events", "k/0")).rejects.toMatchObject({ code: "storage-full" });
  expect([rowCount(), (await files()).length]).toEqual([0, 1]);
  await store.close();
});

test("a hint that is taken while its table is deleted goes with it", async () => {
  const { store, hints, rowCount } = await openLeaf();
  await hints.set("events", job);
  const [, dropped] = await Promise.allSettled([
    hints.take("events", "k/0"),
    store.drop("events", null),
  ]);
  expect(dropped.status).toBe("fulfilled");
  expect([rowCount(), await readdir(folder)]).toEqual([0, []]);
  await store.close();
});

test("all hints are listed in parts, except a damaged one", async () => {
  const { store, hints, files } = await openLeaf();
  expect(await hints.list(null, () => "none")).toEqual({ batches: [], next: null });
  const count = 120;
  const ids = Array.from({ length: count }, (_, i) => `k/${i}`);
  for (const [i, batchId] of ids.entries()) await hints.set(`events-${i % 2}`, { ...job, batchId });
  await writeFile(join(folder, (await files())[7] ?? ""), "damaged");
  const found: string[] = [];
  let after: string | null = null;
  let answers = 0;
  do {
    const answer: Awaited<ReturnType<typeof hints.list<string>>> = await hints.list(
      after,
      (table, { batchId, batch: { rowCount } }) => `${table} ${batchId} ${rowCount}`,
    );
    found.push(...answer.batches);
    after = answer.next;
    answers++;
  } while (after !== null);
  expect(answers).toBe(3);
  expect(new Set(found).size).toBe(count - 1);
  const all = ids.map((batchId, i) => `events-${i % 2} ${batchId} 3`);
  expect(all).toEqual(expect.arrayContaining(found));
  await store.close();
});
