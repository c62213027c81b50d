import { type FileHandle, mkdtemp, open, rm, writeFile } from "node:fs/promises";
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

test("what a killed process has written is on the disk before its rows are used", async () => {
  const path = join(folder, "log-1.hdl");
  await writeFile(path, await encodeRecord(new TextEncoder().encode("a batch")));
  const stray = await open(path, "r");
  await stray.close();
  const sync = vi.spyOn(Object.getPrototypeOf(stray) as FileHandle, "sync");
  expect((await readRowLog(path)).payloads).toHaveLength(1);
  expect(sync).toHaveBeenCalledTimes(1);
});
