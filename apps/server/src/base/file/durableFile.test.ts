import {
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { removeStaged, stageFile, writeFileDurably } from "./durableFile.js";

test("what a process did not finish is deleted, and nothing else", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hadal-durable-"));
  await writeFileDurably(join(folder, "whole"), Buffer.from("whole"));
  await stageFile(join(folder, "half"), Buffer.from("half"));
  await mkdir(join(folder, "folder.tmp"));
  await writeFile(join(folder, "a.tmp.b"), "");
  await removeStaged(folder);
  expect((await readdir(folder)).sort()).toEqual(["a.tmp.b", "folder.tmp", "whole"]);
  await rm(folder, { recursive: true });
  await removeStaged(folder);
});

test("of what cannot be written nothing is left", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hadal-durable-"));
  const path = join(folder, "a");
  await writeFileDurably(path, Buffer.from("before"));
  const file = await open(path);
  await file.close();
  vi.spyOn(Object.getPrototypeOf(file) as FileHandle, "sync").mockRejectedValueOnce(
    new Error("ENOSPC"),
  );
  await expect(writeFileDurably(path, Buffer.from("after"))).rejects.toThrow("ENOSPC");
  expect(await readdir(folder)).toEqual(["a"]);
  expect(await readFile(path, "utf8")).toBe("before");
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});
