import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockFolder } from "./folderLock.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-lock-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("a folder locked by a living process is refused, with the number of the process", async () => {
  await writeFile(join(folder, "lock"), String(process.ppid));
  await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${process.ppid}`);
});

test("a lock left behind by a dead process is taken over, and given back", async () => {
  await writeFile(join(folder, "lock"), "999999999");
  const lock = await lockFolder(folder);
  await lock.release();
  await (await lockFolder(folder)).release();
});

test("a folder that cannot be made is named", async () => {
  await writeFile(join(folder, "file"), "");
  await expect(lockFolder(join(folder, "file", "below"))).rejects.toThrow(/cannot be written/);
});
