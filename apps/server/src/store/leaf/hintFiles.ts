import { readdir, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { syncFolder, writeFileDurably } from "../../base/file/durableFile.js";
import { storageProblem } from "../columns/storageProblems.js";
import type { AppendJob } from "../log/loggedBatch.js";
import type { Table } from "../table/table.js";
import type { Appended } from "../table/tableWriter.js";
import { checkFilesRead } from "./findBatches.js";
import { encodeHint, hintPath, isHintName, readHint } from "./hintFile.js";
import type { LeafStore } from "./leafStore.js";

/** Each is read from the disk: this takes some hundred milliseconds. */
const listedAtOnce = 50;

/**
 * Hinted batches: those kept for another leaf, which may have stored them or not. Each has a file
 * in the folder of its table, and is in no segment until it is taken. Requests are done one after
 * the other.
 */
export class HintFiles {
  #last: Promise<unknown> = Promise.resolve();
  readonly #store: LeafStore;

  constructor(store: LeafStore) {
    this.#store = store;
  }

  /** Resolves when the batch is on the disk. Refuses what the table would refuse. */
  set(table: string, job: AppendJob): Promise<void> {
    return this.#next(async () => {
      const found = await this.#store.findOrCreate(table);
      const refusal = found.refusal(job.batch);
      if (refusal !== null) throw refusal;
      const path = hintPath(found.folder, job.batchId);
      await writeFileDurably(path, encodeHint(job)).catch((error: unknown) => {
        throw storageProblem(error);
      });
    });
  }

  /** Appends a hinted batch to its table; null where there is none. It may be called twice. */
  take(table: string, batchId: string): Promise<Appended | null> {
    return this.#next(async () => {
      const found = await this.#store.findSettled(table);
      if (found === undefined) {
        // It may be in a folder whose table is unknown.
        checkFilesRead(this.#store, table);
        return null;
      }
      const held = found.findBatch(batchId);
      if (held !== undefined) {
        await remove(found, batchId);
        return { rowCount: held.receipt[2], duplicate: true };
      }
      const job = await read(found, batchId);
      if (job === null) return null;
      const appended = await found.append(job);
      await remove(found, batchId);
      return appended;
    });
  }

  /** Does nothing where there is no such batch. */
  drop(table: string, batchId: string): Promise<void> {
    return this.#next(async () => {
      const found = await this.#store.findSettled(table);
      if (found !== undefined) await remove(found, batchId);
    });
  }

  /**
   * One part of all files, after a given one, without damaged ones. `describe` is called with one
   * batch at a time.
   */
  list<Described>(
    after: string | null,
    describe: (table: string, job: AppendJob) => Described,
  ): Promise<{ readonly batches: readonly Described[]; readonly next: string | null }> {
    return this.#next(async () => {
      const files: { readonly name: string; readonly table: Table }[] = [];
      for (const table of this.#store.tables) {
        const names = (await readdir(table.folder)).filter(isHintName);
        for (const name of names) files.push({ name: `${table.name}/${name}`, table });
      }
      const left = files
        .filter(({ name }) => after === null || name > after)
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      const some = left.slice(0, listedAtOnce);
      const batches: Described[] = [];
      for (const { name, table } of some) {
        const job = await readHint(join(table.folder, basename(name))).catch(() => null);
        if (job !== null) batches.push(describe(table.name, job));
      }
      return { batches, next: left.length > some.length ? (some.at(-1)?.name ?? null) : null };
    });
  }

  #next<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}

async function read({ folder }: Table, batchId: string): Promise<AppendJob | null> {
  try {
    return await readHint(hintPath(folder, batchId));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw storageProblem(error);
  }
}

async function remove({ folder }: Table, batchId: string): Promise<void> {
  try {
    await unlink(hintPath(folder, batchId));
    await syncFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw storageProblem(error);
  }
}
