import { readFileSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

export interface FolderLock {
  release(): Promise<void>;
}

const retryMs = 50;

/**
 * Keeps a second server out of a data folder, which would corrupt it. A lock whose process is gone is taken
 * over; for one that is still ending the folder is waited for, up to `waitMs`.
 */
export async function lockFolder(folder: string, waitMs = 0): Promise<FolderLock> {
  const path = join(folder, "lock");
  try {
    await mkdir(folder, { recursive: true });
    const deadlineMs = performance.now() + waitMs;
    while (!(await tryLock(path, performance.now() >= deadlineMs))) await delay(retryMs);
  } catch (error) {
    if (error instanceof FolderInUse) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the data folder ${folder} cannot be written: ${reason}`);
  }
  return { release: () => rm(path, { force: true }) };
}

class FolderInUse extends Error {}

async function tryLock(path: string, isLastTry: boolean): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const owner = Number(await readFile(path, "utf8"));
    if (isAlive(owner)) {
      if (!isLastTry) return false;
      throw new FolderInUse(`the data folder is in use by process ${owner} (see ${path})`);
    }
    await writeFile(path, String(process.pid));
    return true;
  }
}

function isAlive(pid: number): boolean {
  // In a container a restarted server may get the very number that its predecessor had.
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** A process that ended and was not waited for still has its number; Linux tells by the state after its name. */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat[stat.lastIndexOf(")") + 2] === "Z";
  } catch {
    return false;
  }
}
