import { open, readdir, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes a file that is there whole or not at all, also after a power loss: temporary name, sync, rename, sync of the folder. */
export async function writeFileDurably(path: string, bytes: Uint8Array): Promise<void> {
  await rename(await stageFile(path, bytes), path);
  await syncFolder(dirname(path));
}

/** Of files that are not whole yet, or were not when the process ended. */
const stagedSuffix = ".tmp";

/** Deletes what earlier processes did not finish; no process may be writing in the folder. */
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

/** Writes and syncs the bytes beside `path`, under the name that is returned. Rejects with nothing left of them. */
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
    // As a rule the disk is full: half a file would keep it so.
    await unlink(staged).catch(() => undefined);
    throw error;
  }
  return staged;
}

/** A new name in a folder is durable only when the folder is synced too. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
