import { spawn } from "node:child_process";
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

test("a folder whose owner is still ending is waited for", async () => {
  const owner = spawn(process.execPath, ["-e", "process.stdin.once('data', () => process.exit())"]);
  await writeFile(join(folder, "lock"), String(owner.pid));
  const locked = lockFolder(folder, 30_000);
  owner.stdin.write("end");
  await (await locked).release();
});
