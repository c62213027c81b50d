import { createHash } from "node:crypto";
import { readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder, writeFileDurably } from "../base/durableFile.js";
import { checkRead } from "./heldBatches.js";
import type { LeafStore } from "./leafStore.js";
import { type AppendJob, decodeLoggedBatch, encodeLoggedBatch } from "./loggedBatch.js";
import { storageProblem } from "./refuseBatch.js";
import type { Appended, Table } from "./table.js";

/**
 * Batches that are kept for another leaf, which may hold them or not: a file each beside those of their table, whole or
 * not at all, and in no segment until it is taken in. What is asked about them is done one after the other.
 */
export class AsideFiles {
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly store: LeafStore) {}

  /** Resolves when it is on the disk. Refuses what the table would not take. */
  set(table: string, job: AppendJob): Promise<void> {
    return this.#next(async () => {
      const found = await this.store.findOrCreate(table);
      const refusal = found.refusal(job.batch);
      if (refusal !== null) throw refusal;
      const bytes = withChecksum(encodeLoggedBatch(job));
      await writeFileDurably(pathOf(found, job.batchId), bytes).catch((error: unknown) => {
        throw storageProblem(error);
      });
    });
  }

  /** Takes it in as if it came now; null where there is none. It may be told so twice. */
  take(table: string, batchId: string): Promise<Appended | null> {
    return this.#next(async () => {
      const found = await this.store.findSettled(table);
      // It may lie in a folder whose table is not known, or have been taken into a log that is not read.
      if (found?.batches.find(batchId) === undefined) checkRead(this.store, table);
      if (found === undefined) return null;
      const held = found.batches.find(batchId);
      if (held !== undefined) {
        await remove(found, batchId);
        return { rowCount: held[2], duplicate: true };
      }
      const job = await read(found, batchId);
      if (job === null) return null;
      const appended = await found.append(job);
      await remove(found, batchId);
      return appended;
    });
  }

  /** What is not there is no fault. */
  drop(table: string, batchId: string): Promise<void> {
    return this.#next(async () => {
      const found = await this.store.findSettled(table);
      if (found !== undefined) await remove(found, batchId);
    });
  }

  #next<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}

const checksumBytes = 32;

function withChecksum(payload: Uint8Array): Buffer {
  return Buffer.concat([createHash("sha256").update(payload).digest(), payload]);
}

/** An id may have characters that no file name has. */
function pathOf({ folder }: Table, batchId: string): string {
  const name = createHash("sha256").update(batchId).digest("hex").slice(0, 32);
  return join(folder, `aside-${name}.hda`);
}

async function read(table: Table, batchId: string): Promise<AppendJob | null> {
  const path = pathOf(table, batchId);
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw storageProblem(error);
  }
  const payload = Uint8Array.from(bytes.subarray(checksumBytes));
  const isWhole = withChecksum(payload)
    .subarray(0, checksumBytes)
    .equals(bytes.subarray(0, checksumBytes));
  if (!isWhole) throw storageProblem(new Error("the batch that was put aside is damaged"));
  return decodeLoggedBatch(payload);
}

async function remove(table: Table, batchId: string): Promise<void> {
  try {
    await unlink(pathOf(table, batchId));
    await syncFolder(table.folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw storageProblem(error);
  }
}
