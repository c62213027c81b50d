import { basename, join } from "node:path";
import type { TableContext } from "../segment/tableContext.js";
import { type SavedTable, saveImage } from "./saveImage.js";
import { WarmFolder } from "./warmFolder.js";
import { type OpenWarm, type WarmCounts, WarmTable } from "./warmTable.js";

/**
 * The rows of a leaf in shared memory between two of its processes (Facebook's restart from shared
 * memory): saved when one ends in order, and read, once, when the next one starts.
 */
export class WarmRows {
  readonly #folder: WarmFolder;
  readonly #folderId: string | null;
  readonly #context: TableContext;
  readonly #counts: WarmCounts = { segments: 0, bytes: 0 };
  readonly #startedMs = performance.now();
  #isTaken = false;

  /** `dataFolder` and its id: those of the leaf; null: it has had no rows. `base`: see {@link WarmFolder}. */
  constructor(dataFolder: string, folderId: string | null, context: TableContext, base?: string) {
    this.#folder = new WarmFolder(dataFolder, base);
    this.#folderId = folderId;
    this.#context = context;
  }

  /** What the tables read of an image; `end` is called after the last one. */
  take(): OpenWarm {
    const { path } = this.#folder;
    try {
      this.#isTaken = this.#folderId !== null && this.#folder.take(this.#folderId);
    } catch (error) {
      this.#warn(`${path} is not used: ${textOf(error)}`);
    }
    if (!this.#isTaken) return this.drop();
    return (folder, columns) =>
      WarmTable.open(
        {
          ...{ folder, path: join(path, basename(folder)) },
          ...{ context: this.#context, counts: this.#counts },
        },
        columns,
      );
  }

  /** Gives the memory of an image back that is not read. */
  drop(): OpenWarm {
    try {
      this.#folder.remove();
    } catch (error) {
      this.#warn(`${this.#folder.path} stays: ${textOf(error)}`);
    }
    return () => null;
  }

  /** All tables are read. */
  end(): void {
    if (!this.#isTaken) return;
    this.drop();
    const { segments, bytes } = this.#counts;
    const seconds = (performance.now() - this.#startedMs) / 1_000;
    this.#warn(`read ${printed(segments, bytes)} from shared memory in ${seconds.toFixed(1)} s`);
  }

  /** Saves the rows of closed tables; without it the next start reads them from the disk. */
  async save(tables: Iterable<SavedTable>, folderId: string | null): Promise<void> {
    if (folderId === null) return;
    try {
      const deps = { ...this.#context, nowMs: () => performance.now() };
      const { segments, bytes } = await saveImage(tables, this.#folder, folderId, deps);
      this.#warn(`left ${printed(segments, bytes)} in shared memory`);
    } catch (error) {
      this.#warn(`the next start reads all rows from the disk: ${textOf(error)}`);
      this.drop();
    }
  }

  #warn(text: string): void {
    this.#context.warn(text);
  }
}

const printed = (segments: number, bytes: number): string =>
  `${segments} segments of ${(bytes / 2 ** 20).toFixed(0)} MiB`;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
