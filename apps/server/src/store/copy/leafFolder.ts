import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { HadalError } from "@hadal/sdk";
import { readDocument, writeDocument } from "../../base/file/documentFile.js";

const name = "the identity of this leaf's folder";

interface Identity {
  readonly folderId: string;
  /** False: rows of a copy are still to come. */
  readonly isComplete: boolean;
  /** See {@link LeafFolder.removals}. */
  readonly removals: number | null;
}

/**
 * What names the rows of a folder: a leaf and its copies have the same id. A leaf that starts with an
 * empty folder has a new one, so that no copy takes its rows for those that it has.
 */
export class LeafFolder {
  readonly #path: string;
  #identity: Identity | null;
  #changing: Promise<void> = Promise.resolve();

  private constructor(path: string, identity: Identity | null) {
    this.#path = path;
    this.#identity = identity;
  }

  static async open(folder: string, warn: (text: string) => void): Promise<LeafFolder> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, "leaf.json");
    return new LeafFolder(path, await readDocument(path, { name, check, warn }));
  }

  /** Null while it has no rows of any leaf. */
  get id(): string | null {
    return this.#identity?.folderId ?? null;
  }

  /** Whether a copy of it has begun to fill it, and has not ended. */
  get isBegun(): boolean {
    return this.#identity?.isComplete === false;
  }

  /**
   * How often rows were planned to be removed: a copy with the same number knows which rows of its own
   * no longer count. Null: a copy that has never had all rows.
   */
  get removals(): number | null {
    return this.#identity?.removals ?? null;
  }

  /** Names a folder whose rows are its own. `removalsMin`: what other copies may know of. */
  async complete(removalsMin = 0): Promise<void> {
    const { id: folderId, removals } = this;
    await this.#save({
      ...{ folderId: folderId ?? randomUUID(), isComplete: true },
      removals: Math.max(removals ?? 0, removalsMin),
    });
  }

  /** Begins to fill it with the rows of another folder. Rejects where it has those of a third one. */
  async copyOf(folderId: string): Promise<void> {
    if (this.id === null) await this.#save({ folderId, isComplete: false, removals: null });
    if (this.id === folderId) return;
    const detail = `${this.#path} names a copy of the folder ${this.id}, and the leaf has ${folderId} now: it has lost its folder. Its copy is kept.`;
    throw new HadalError("unavailable", { detail });
  }

  /** Its own rows are about to be removed; resolves when that is on the disk. */
  noteRemoval(): Promise<void> {
    return this.#change((known) => ({ ...known, removals: (known.removals ?? 0) + 1 }));
  }

  /** The copy has all rows, and what was planned to be removed so far. */
  noteCopied(removals: number | null): Promise<void> {
    return this.#change((known) => ({ ...known, removals }));
  }

  /** One change at a time, on a folder that is named. */
  #change(of: (known: Identity) => Identity): Promise<void> {
    const changed = this.#changing.then(async () => {
      if (this.#identity !== null) await this.#save(of(this.#identity));
    });
    this.#changing = changed.catch(() => undefined);
    return changed;
  }

  async #save(identity: Identity): Promise<void> {
    if (isDeepStrictEqual(identity, this.#identity)) return;
    await writeDocument(this.#path, name, identity);
    this.#identity = identity;
  }
}

function check(value: unknown): Identity {
  // Files of older versions have no number of removals.
  const { folderId, isComplete, removals = null } = value as Partial<Identity>;
  if (typeof folderId !== "string" || typeof isComplete !== "boolean")
    throw new Error("it names no folder");
  if (removals !== null && !Number.isSafeInteger(removals))
    throw new Error("its number of removals is no integer");
  return { folderId, isComplete, removals };
}
