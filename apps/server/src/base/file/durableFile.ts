import { mkdir, open, readdir, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes a file atomically, also across a power loss: temporary name, sync, rename, sync of the folder. */
export async function writeFileDurably(path: string, bytes: Uint8Array): Promise<void> {
  await rename(await stageFile(path, bytes), path);
  await syncFolder(dirname(path));
}

/** Suffix of unfinished files. */
const stagedSuffix = ".tmp";

/** Deletes unfinished files of earlier processes; no process may be writing in the folder. */
export async function removeStaged(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    },
  );
  for (const entry of entries) {
    if (entry.isFile() && entry.name.endsWith(stagedSuffix)) await unlink(join(folder, entry.name));
  }
}

/** Writes and syncs the bytes beside `path`, under the name that is returned. Leaves no file when it rejects. */
export async function stageFile(path: string, bytes: Uint8Array): Promise<string> {
  const staged = `${path}${stagedSuffix}`;
  const file = await open(staged, "w");
  try {
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    // Usually the disk is full: a partial file would keep it full.
    await unlink(staged).catch(() => undefined);
    throw error;
  }
  return staged;
}

/**
 * Makes a folder, with those above it, that outlives a loss of power; also one that an earlier process
 * has made and not synced.
 */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) {
    await syncFolder(dirname(path)).catch((error: NodeJS.ErrnoException) => {
      // Whoever made the folder is not this user.
      if (error.code !== "EACCES") throw error;
    });
    return;
  }
  for (let made = path; ; made = dirname(made)) {
    await syncFolder(dirname(made));
    if (made === first) return;
  }
}

/** A new name in a folder is durable only when the folder is synced too. */
export const syncFolder = (path: string): Promise<void> => syncFile(path);

/** What was written to it outlives a loss of power, whichever process has written it. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
