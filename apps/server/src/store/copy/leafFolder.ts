import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { HadalError } from "@hadal/sdk";
import { readDocument, writeDocument } from "../../base/file/documentFile.js";

const name = "the identity of this leaf's folder";

interface Identity {
  readonly folderId: string;
  /** False: rows of a copy are still to come. */
  readonly isComplete: boolean;
}

/**
 * What names the rows of a folder: a leaf and its copies have the same id. A leaf that starts with an
 * empty folder has a new one, so that no copy takes its rows for those that it has.
 */
export class LeafFolder {
  readonly #path: string;
  #identity: Identity | null;

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

  /** Names a folder whose rows are its own. */
  async complete(): Promise<void> {
    await this.#save({ folderId: this.id ?? randomUUID(), isComplete: true });
  }

  /** Begins to fill it with the rows of another folder. Rejects where it has those of a third one. */
  async copyOf(folderId: string): Promise<void> {
    if (this.id === null) await this.#save({ folderId, isComplete: false });
    if (this.id === folderId) return;
    const detail = `${this.#path} names a copy of the folder ${this.id}, and the leaf has ${folderId} now: it has lost its folder. Its copy is kept.`;
    throw new HadalError("unavailable", { detail });
  }

  async #save(identity: Identity): Promise<void> {
    const { folderId, isComplete } = identity;
    if (this.#identity?.folderId === folderId && this.#identity.isComplete === isComplete) return;
    await writeDocument(this.#path, name, identity);
    this.#identity = identity;
  }
}

function check(value: unknown): Identity {
  const { folderId, isComplete } = value as Partial<Identity>;
  if (typeof folderId === "string" && typeof isComplete === "boolean")
    return { folderId, isComplete };
  throw new Error("it names no folder");
}
