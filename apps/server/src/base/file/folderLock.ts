import { type FileHandle, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makeFolder } from "./durableFile.js";

export interface FolderLock {
  release(): Promise<void>;
}

export interface OwnFolderLock extends FolderLock {
  /** False: the folder was deleted since, perhaps with another one in its place. */
  isFolderThere(): Promise<boolean>;
}

const retryMs = 50;

/**
 * Keeps a second server out of a data folder, which would corrupt it. The kernel holds the lock on the open file
 * `lock` and frees it when this process ends in any way. So it also works between containers that share a volume, where
 * process numbers mean nothing. Waits for a locked folder up to `waitMs`.
 */
export async function lockFolder(folder: string, waitMs = 0): Promise<OwnFolderLock> {
  const path = join(folder, "lock");
  const tryLock = await loadTryLock();
  let file: FileHandle | undefined;
  try {
    await makeFolder(folder);
    // "r+" would not create the file, and "w" would empty it.
    file = await open(path, "a+");
    const deadlineMs = performance.now() + waitMs;
    while (!tryLock(file.fd)) {
      if (performance.now() >= deadlineMs) throw new FolderInUse(await describeOwner(file, path));
      await delay(retryMs);
    }
    await file.truncate();
    await file.write(`${process.pid}\n`);
  } catch (error) {
    await file?.close();
    if (error instanceof FolderInUse) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the data folder ${folder} cannot be locked and written: ${reason}`);
  }
  const held = file;
  const { ino, dev } = await held.stat();
  return {
    release: () => held.close(),
    isFolderThere: async () => {
      try {
        const found = await stat(path);
        return found.ino === ino && found.dev === dev;
      } catch (error) {
        // Other errors say nothing about the folder.
        return (error as NodeJS.ErrnoException).code !== "ENOENT";
      }
    },
  };
}

/** Keeps servers out of a folder while it is read. Writes nothing: without a lock file no server has used the folder. */
export async function holdLock(folder: string): Promise<FolderLock> {
  const path = join(folder, "lock");
  const tryLock = await loadTryLock();
  let file: FileHandle;
  try {
    file = await open(path, "r+");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { release: async () => {} };
    throw error;
  }
  if (tryLock(file.fd)) return { release: () => file.close() };
  const inUse = new FolderInUse(await describeOwner(file, path));
  await file.close();
  throw inUse;
}

class FolderInUse extends Error {}

async function describeOwner(file: FileHandle, path: string): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(20), 0, 20, 0);
  const owner = buffer.toString("latin1", 0, bytesRead).trim();
  const number = /^\d+$/.test(owner)
    ? ` (process ${owner}, or of that number in its container)`
    : "";
  return `the data folder is in use by another server${number}; the lock is ${path}`;
}

/** Of an open file: takes the kernel's exclusive lock; false where another open file has it. */
type TryLock = (fd: number) => boolean;

async function loadTryLock(): Promise<TryLock> {
  try {
    const { default: extensions } = await import("fs-native-extensions");
    return extensions.tryLock;
  } catch (error) {
    const platform = `${process.platform} ${process.arch}`;
    throw new Error(`Hadal cannot lock its data folder on this platform (${platform}): ${error}`);
  }
}
