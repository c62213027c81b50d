import { type FileHandle, mkdtemp, open, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readRowLog } from "./rowLog.js";
import { encodeRecord } from "./rowRecords.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-log-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

async function writeLog(): Promise<string> {
  const path = join(folder, "log-1.hdl");
  await writeFile(path, await encodeRecord(new TextEncoder().encode("a batch")));
  return path;
}

/** The syncs of all files. */
async function spyOnSync(path: string) {
  const stray = await open(path, "r");
  await stray.close();
  return vi.spyOn(Object.getPrototypeOf(stray) as FileHandle, "sync");
}

test("what a killed process has written is on the disk before its rows are used", async () => {
  const path = await writeLog();
  const sync = await spyOnSync(path);
  expect((await readRowLog(path)).payloads).toHaveLength(1);
  expect(sync).toHaveBeenCalledTimes(1);
});

test("a log that cannot be synced is written again, and read", async () => {
  const path = await writeLog();
  const { ino } = await stat(path);
  const sync = await spyOnSync(path);
  sync.mockRejectedValueOnce(new Error("ENOSPC"));
  expect((await readRowLog(path)).payloads).toHaveLength(1);
  expect((await stat(path)).ino).not.toBe(ino);
  // Neither is a file that the disk does not take.
  sync.mockRejectedValue(new Error("ENOSPC"));
  await expect(readRowLog(path)).rejects.toThrow("ENOSPC");
});
