import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes a file that is there whole or not at all, also after a power loss: temporary name, sync, rename, sync of the folder. */
export async function writeFileDurably(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, "w");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
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
