import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type AppendJob, decodeLoggedBatch, encodeLoggedBatch } from "../log/loggedBatch.js";

/**
 * A batch that is kept for another leaf, in a file of its own:
 *
 *   | SHA-256 of what follows, 32 | the batch, as a row log has it … |
 */
const checksumBytes = 32;

/** An id may have characters that no file name has. */
export function asidePath(folder: string, batchId: string): string {
  const name = createHash("sha256").update(batchId).digest("hex").slice(0, 32);
  return join(folder, `aside-${name}.hda`);
}

export const isAsideName = (name: string): boolean => /^aside-[0-9a-f]{32}\.hda$/.test(name);

export function encodeAside(job: AppendJob): Buffer {
  return withChecksum(encodeLoggedBatch(job));
}

/** Rejects where it cannot be read, or is not all of what was written. */
export async function readAside(path: string): Promise<AppendJob> {
  const bytes = await readFile(path);
  const payload = Uint8Array.from(bytes.subarray(checksumBytes));
  const isWhole = withChecksum(payload)
    .subarray(0, checksumBytes)
    .equals(bytes.subarray(0, checksumBytes));
  if (!isWhole) throw new Error("the batch that was put aside is damaged");
  return decodeLoggedBatch(payload);
}

function withChecksum(payload: Uint8Array): Buffer {
  return Buffer.concat([createHash("sha256").update(payload).digest(), payload]);
}
