import { readdir, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { syncFolder, writeFileDurably } from "../../base/file/durableFile.js";
import { storageProblem } from "../columns/storageProblems.js";
import type { AppendJob } from "../log/loggedBatch.js";
import type { Appended, Table } from "../table/table.js";
import { asidePath, encodeAside, isAsideName, readAside } from "./asideFile.js";
import { checkFilesRead } from "./findBatches.js";
import type { LeafStore } from "./leafStore.js";

/** Each is read from the disk: some hundred milliseconds' work. */
const listedAtOnce = 50;

/**
 * Batches that are kept for another leaf, which may hold them or not: a file each beside those of their table, whole or
 * not at all, and in no segment until it is taken in. What is asked about them is done one after the other.
 */
export class AsideFiles {
  #last: Promise<unknown> = Promise.resolve();
  readonly #store: LeafStore;

  constructor(store: LeafStore) {
    this.#store = store;
  }

  /** Resolves when it is on the disk. Refuses what the table would not take. */
  set(table: string, job: AppendJob): Promise<void> {
    return this.#next(async () => {
      const found = await this.#store.findOrCreate(table);
      const refusal = found.refusal(job.batch);
      if (refusal !== null) throw refusal;
      const path = asidePath(found.folder, job.batchId);
      await writeFileDurably(path, encodeAside(job)).catch((error: unknown) => {
        throw storageProblem(error);
      });
    });
  }

  /** Takes it in as if it came now; null where there is none. It may be called twice. */
  take(table: string, batchId: string): Promise<Appended | null> {
    return this.#next(async () => {
      const found = await this.#store.findSettled(table);
      if (found === undefined) {
        // It may lie in a folder whose table is not known.
        checkFilesRead(this.#store, table);
        return null;
      }
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
      const found = await this.#store.findSettled(table);
      if (found !== undefined) await remove(found, batchId);
    });
  }

  /**
   * Some of all files, after one of them; a table's or all of its folders that cannot be read are left out, and so are
   * damaged files. `describe` is called with one batch at a time.
   */
  list<Described>(
    after: string | null,
    describe: (table: string, job: AppendJob) => Described,
  ): Promise<{ readonly batches: readonly Described[]; readonly next: string | null }> {
    return this.#next(async () => {
      const files: { readonly name: string; readonly table: Table }[] = [];
      for (const table of this.#store.tables) {
        const names = (await readdir(table.folder)).filter(isAsideName);
        for (const name of names) files.push({ name: `${table.name}/${name}`, table });
      }
      const left = files
        .filter(({ name }) => after === null || name > after)
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      const some = left.slice(0, listedAtOnce);
      const batches: Described[] = [];
      for (const { name, table } of some) {
        const job = await readAside(join(table.folder, basename(name))).catch(() => null);
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
    return await readAside(asidePath(folder, batchId));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw storageProblem(error);
  }
}

async function remove({ folder }: Table, batchId: string): Promise<void> {
  try {
    await unlink(asidePath(folder, batchId));
    await syncFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw storageProblem(error);
  }
}
