import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
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
