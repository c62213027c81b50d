import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type AppendJob, decodeLoggedBatch, encodeLoggedBatch } from "../log/loggedBatch.js";

/**
 * A hinted batch: one that this leaf keeps for another, in a file of its own. The file name is that
 * of older versions.
 *
 *   | SHA-256 of what follows, 32 | the batch, as a row log has it … |
 */
const checksumBytes = 32;

/** An id may have characters that no file name has. */
export function hintPath(folder: string, batchId: string): string {
  const name = createHash("sha256").update(batchId).digest("hex").slice(0, 32);
  return join(folder, `aside-${name}.hda`);
}

export const isHintName = (name: string): boolean => /^aside-[0-9a-f]{32}\.hda$/.test(name);

export function encodeHint(job: AppendJob): Buffer {
  return withChecksum(encodeLoggedBatch(job));
}

/** Rejects where the file cannot be read or is damaged. */
export async function readHint(path: string): Promise<AppendJob> {
  const bytes = await readFile(path);
  const payload = Uint8Array.from(bytes.subarray(checksumBytes));
  const isWhole = withChecksum(payload)
    .subarray(0, checksumBytes)
    .equals(bytes.subarray(0, checksumBytes));
  if (!isWhole) throw new Error("the hinted batch is damaged");
  return decodeLoggedBatch(payload);
}

function withChecksum(payload: Uint8Array): Buffer {
  return Buffer.concat([createHash("sha256").update(payload).digest(), payload]);
}
