import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface FolderLock {
  release(): Promise<void>;
}

/** Keeps a second server out of a data folder, which would corrupt it. A lock whose process is gone is taken over. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, "lock");
  try {
    await mkdir(folder, { recursive: true });
    await takeLock(path);
  } catch (error) {
    if (error instanceof FolderInUse) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the data folder ${folder} cannot be written: ${reason}`);
  }
  return { release: () => rm(path, { force: true }) };
}

class FolderInUse extends Error {}

async function takeLock(path: string): Promise<void> {
  try {
    await writeFile(path, String(process.pid), { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const owner = Number(await readFile(path, "utf8"));
    if (isAlive(owner)) {
      throw new FolderInUse(`the data folder is in use by process ${owner} (see ${path})`);
    }
    await writeFile(path, String(process.pid));
  }
}

function isAlive(pid: number): boolean {
  // In a container a restarted server may get the very number that its predecessor had.
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
