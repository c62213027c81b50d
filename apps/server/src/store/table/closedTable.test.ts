import { type FileHandle, mkdtemp, open, readdir, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LeafStore } from "../leaf/leafStore.js";
import { createLeafContext } from "../testing/leafContext.js";
import { batchOfRows } from "../testing/plainRows.js";
import type { Table } from "./table.js";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-closed-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

const openStore = () =>
  LeafStore.open(
    folder,
    createLeafContext(192 * 2 ** 20, () => undefined),
  );

const append = (table: Table, batchId: string, isDurable = true) => {
  const batch = batchOfRows([{ time: 1, values: new Map() }]);
  return table.append({ batch, batchId, contentHash: "", isDurable });
};

test.each([true, false])(
  "rows that come after the leaf has closed its tables are refused, and no stored row is lost (durable: %s)",
  async (isDurable) => {
    const store = await openStore();
    const table = await store.findOrCreate("events");
    for (const batchId of ["a", "b", "c"]) await append(table, batchId);
    await store.close();
    await expect(append(table, "late", isDurable)).rejects.toMatchObject({ code: "unavailable" });
    const again = await openStore();
    expect(again.find("events")?.rowCount).toBe(3);
    await again.close();
  },
);

test("rows that come once their table is deleted leave nothing of it behind", async () => {
  const store = await openStore();
  const table = await store.findOrCreate("events");
  await append(table, "a");
  const late = append(table, "queued");
  const dropping = store.drop("events", null);
  await late;
  await dropping;
  await expect(append(table, "late")).rejects.toMatchObject({ code: "unavailable" });
  expect(await readdir(folder)).toEqual([]);
  expect((await store.findOrCreate("events")).rowCount).toBe(0);
  await store.close();
});

/** Files of a folder that this process has open, where the system lists them. */
async function openFilesOf(wanted: string): Promise<readonly string[]> {
  const numbers = await readdir("/proc/self/fd").catch(() => []);
  const paths = numbers.map((number) => readlink(join("/proc/self/fd", number)).catch(() => ""));
  return (await Promise.all(paths)).filter((path) => path.startsWith(wanted));
}

test("a log that cannot be made leaves neither a file nor an open one behind", async () => {
  const store = await openStore();
  const table = await store.findOrCreate("events");
  const stray = await open(join(folder, "stray file"), "w");
  await stray.close();
  const methods = Object.getPrototypeOf(stray) as FileHandle;
  vi.spyOn(methods, "sync").mockRejectedValueOnce(new Error("EIO"));
  await expect(append(table, "a")).rejects.toMatchObject({ code: "storage-full" });
  expect(await readdir(table.folder)).toEqual(["table.json"]);
  expect(await openFilesOf(table.folder)).toEqual([]);
  await append(table, "a");
  await store.close();
  const again = await openStore();
  expect(again.find("events")?.rowCount).toBe(1);
  await again.close();
});
