import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseDocument, printDocument } from "../../base/file/documentFile.js";
import { writeFileDurably } from "../../base/file/durableFile.js";

/** The table's own file beside logs and segments. */
export interface TableFile {
  readonly name: string;
  /**
   * A table of the same name that comes after it has another one: its generations begin at 1, too.
   * Null in files of older versions.
   */
  readonly id: string | null;
  /**
   * Generations start here. The number of a dropped one is never used again: the order to drop it
   * may come twice.
   */
  readonly generationMin: number;
  /**
   * Segments that were reported as expired: the order to drop them may come at any time, so they
   * are not merged.
   */
  readonly expiring: readonly number[];
  /** The order to delete the table may come at any time. */
  readonly isLeaving: boolean;
}

export const tableFileName = "table.json";
const pathOf = (folder: string): string => join(folder, tableFileName);

/** Rejects with the reason where the file is invalid. */
export async function readTableFile(folder: string): Promise<TableFile> {
  return parseDocument(await readFile(pathOf(folder), "utf8"), checkTableFile);
}

function checkTableFile(value: unknown): TableFile {
  const stored = value as Partial<TableFile> | null;
  const { name, id = null, generationMin = 1, expiring = [], isLeaving = false } = stored ?? {};
  if (typeof name !== "string") throw new Error("it names no table");
  if (id !== null && typeof id !== "string") throw new Error("its id is no text");
  const numbers = Array.isArray(expiring) ? [generationMin, ...expiring] : [Number.NaN];
  if (!numbers.every(Number.isSafeInteger)) throw new Error("its generations are no integers");
  return { name, id, generationMin, expiring, isLeaving: isLeaving === true };
}

/** The table's file with its latest content, which may not be on the disk yet. */
export class SavedTableFile {
  #content: TableFile;
  #onDisk: TableFile | null = null;
  #saving: Promise<void> = Promise.resolve();
  readonly #folder: string;

  constructor(folder: string, content: TableFile) {
    this.#folder = folder;
    this.#content = content;
  }

  get content(): TableFile {
    return this.#content;
  }

  /**
   * Changes the content in memory at once, so that no merge starts meanwhile. Resolves when it is
   * on the disk.
   */
  save(changes: Partial<TableFile> = {}): Promise<void> {
    if (Object.keys(changes).length > 0) this.#content = { ...this.#content, ...changes };
    // One after the other: two at a time would write to one temporary file.
    this.#saving = this.#saving.catch(() => undefined).then(() => this.#write());
    return this.#saving;
  }

  async #write(): Promise<void> {
    const content = this.#content;
    if (this.#onDisk === content) return;
    await writeFileDurably(pathOf(this.#folder), printDocument(content));
    this.#onDisk = content;
  }
}
