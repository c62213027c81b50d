import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockFolder } from "./folderLock.js";

let folder = "";
let others: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-lock-"));
  others = [];
});
afterEach(async () => {
  for (const other of others) other.kill("SIGKILL");
  await rm(folder, { recursive: true });
});

/** Another process that has locked the folder. */
async function lockElsewhere(): Promise<ChildProcess> {
  const script = `
    const { tryLock } = require("fs-native-extensions");
    const { openSync, writeSync } = require("node:fs");
    const fd = openSync(process.argv[1], "a+");
    if (!tryLock(fd)) process.exit(1);
    writeSync(fd, String(process.pid));
    console.log("locked");
    setInterval(() => {}, 1_000);`;
  const other = spawn(process.execPath, ["-e", script, join(folder, "lock")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  others.push(other);
  await once(other.stdout, "data");
  return other;
}

test("a folder that another process has locked is refused, and its lock stays as it is", async () => {
  const other = await lockElsewhere();
  await expect(lockFolder(folder)).rejects.toThrow(
    `in use by another server (process ${other.pid}`,
  );
  await expect(lockFolder(folder)).rejects.toThrow("in use by another server");
  expect(await readFile(join(folder, "lock"), "utf8")).toBe(String(other.pid));
});

test("the number in the file decides nothing: neither this process's own nor one that is gone", async () => {
  const lock = await lockFolder(folder);
  // As in a second container on the same volume, whose server has the same number.
  expect(await readFile(join(folder, "lock"), "utf8")).toBe(`${process.pid}\n`);
  await expect(lockFolder(folder)).rejects.toThrow("in use by another server");
  await lock.release();
  await writeFile(join(folder, "lock"), String(process.ppid));
  await (await lockFolder(folder)).release();
});

test("a process that was killed leaves no lock behind", async () => {
  const other = await lockElsewhere();
  const exited = once(other, "exit");
  other.kill("SIGKILL");
  await exited;
  await (await lockFolder(folder)).release();
});

test("a folder whose owner is still ending is waited for", async () => {
  const other = await lockElsewhere();
  const locked = lockFolder(folder, 30_000);
  other.kill("SIGKILL");
  await (await locked).release();
});

test("a folder that cannot be made is named", async () => {
  await writeFile(join(folder, "file"), "");
  const below = join(folder, "file", "below");
  await expect(lockFolder(below)).rejects.toThrow(`the data folder ${below} cannot be locked`);
});

test("a folder that was deleted is noticed, also with another one in its place", async () => {
  const lock = await lockFolder(folder);
  expect(await lock.isFolderThere()).toBe(true);
  await rm(folder, { recursive: true });
  expect(await lock.isFolderThere()).toBe(false);
  const other = await lockFolder(folder);
  expect(await lock.isFolderThere()).toBe(false);
  expect(await other.isFolderThere()).toBe(true);
  await Promise.all([lock.release(), other.release()]);
});
