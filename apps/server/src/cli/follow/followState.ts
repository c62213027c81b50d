import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readDocument, writeDocument } from "../../base/file/documentFile.js";
import { writeFileDurably } from "../../base/file/durableFile.js";

/** How far a file was sent. */
export interface FilePosition {
  path: string;
  /** Device and inode. */
  readonly identity: string;
  /** How often it was begun again: a file that is truncated is another one. */
  generation: number;
  /** All bytes before it are stored. */
  offset: number;
  /** By its first bytes a file is known again that was truncated and has grown. */
  headBytes: number;
  headHash: string;
}

/** A body that was sent, or was about to be: it is sent again with the same key, whatever has become of its file. */
export interface Sending {
  readonly key: string;
  readonly identity: string;
  /** The file's offset once it is stored. */
  readonly to: number;
  readonly bodyHash: string;
}

interface Saved {
  readonly id: string;
  readonly files: readonly FilePosition[];
  readonly sending: Sending | null;
}

const documentName = "the positions of followed files";

/**
 * The positions of all files in a folder of their own. A body is written there before it is sent: a
 * kill at any moment neither loses nor doubles a line.
 */
export class FollowState {
  readonly #folder: string;
  /** Keys of another folder are never the same. */
  readonly #id: string;
  readonly files: Map<string, FilePosition>;
  #sending: Sending | null;

  private constructor(folder: string, { id, files, sending }: Saved) {
    this.#folder = folder;
    this.#id = id;
    this.files = new Map(files.map((file) => [file.identity, file]));
    this.#sending = sending;
  }

  static async open(folder: string, warn: (text: string) => void): Promise<FollowState> {
    const kind = { name: documentName, check: checkSaved, warn };
    const saved = await readDocument(positionsOf(folder), kind);
    const fresh = { id: randomBytes(9).toString("base64url"), files: [], sending: null };
    return new FollowState(folder, saved ?? fresh);
  }

  /** The body that may or may not be stored. */
  async unanswered(): Promise<{ readonly body: Buffer; readonly sending: Sending } | null> {
    const sending = this.#sending;
    if (sending === null) return null;
    const body = await readFile(bodyOf(this.#folder));
    if (hashOf(body) === sending.bodyHash) return { body, sending };
    throw new Error(`${bodyOf(this.#folder)} is damaged: what was sent last is not known.`);
  }

  async begin(file: FilePosition, body: Buffer): Promise<Sending> {
    const { identity, generation, offset } = file;
    const key = `${this.#id}-${identity}-${generation}-${offset}`;
    const sending = { key, identity, to: offset + body.length, bodyHash: hashOf(body) };
    await writeFileDurably(bodyOf(this.#folder), body);
    this.#sending = sending;
    await this.save();
    return sending;
  }

  /** The body is answered: its file goes on behind it. */
  async finish({ identity, to }: Sending): Promise<void> {
    const file = this.files.get(identity);
    if (file !== undefined) file.offset = to;
    this.#sending = null;
    await this.save();
  }

  async save(): Promise<void> {
    const saved: Saved = { id: this.#id, files: [...this.files.values()], sending: this.#sending };
    await writeDocument(positionsOf(this.#folder), documentName, saved);
  }
}

const positionsOf = (folder: string): string => join(folder, "positions.json");
const bodyOf = (folder: string): string => join(folder, "body");

export const hashOf = (bytes: Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex").slice(0, 32);

function checkSaved(value: unknown): Saved {
  const { id, files } = value as Partial<Saved>;
  if (typeof id === "string" && Array.isArray(files)) return value as Saved;
  throw new Error("it has another form");
}
