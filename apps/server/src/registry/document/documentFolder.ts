import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type DocumentKind, HadalError, type SavedDocument } from "@hadal/sdk";
import { systemErrorText } from "../../base/file/systemErrorText.js";
import { parseDocumentFile } from "./documentFile.js";

/** A change is read within seconds, on network drives too, where nothing reports changes. */
const lookEveryMs = 2_000;
const filesMax = 5_000;
/** The largest body, with its title and spaces. */
const fileBytesMax = 8_000_000;

/** An embed holds rights and is made at the server. */
const kindsOfFiles: readonly DocumentKind[] = ["query", "dashboard", "alert", "annotation"];

interface ReadFile {
  /** Changes when the file does. */
  readonly stamp: string;
  /** Null: the file is broken and was never read. */
  readonly document: SavedDocument | null;
}

/** Documents in the JSON files of a folder (`--documents`), read at the start and when files change. */
export class DocumentFolder {
  readonly #folder: string;
  readonly #warn: (text: string) => void;
  #files = new Map<string, ReadFile>();
  #documents: ReadonlyMap<string, SavedDocument> = new Map();
  #timer: NodeJS.Timeout | null = null;
  readonly #reported = new Set<string>();

  private constructor(folder: string, warn: (text: string) => void) {
    this.#folder = folder;
    this.#warn = warn;
  }

  /** Rejects with `bad-request` when the folder cannot be read. */
  static async open(folder: string, warn: (text: string) => void): Promise<DocumentFolder> {
    const opened = new DocumentFolder(folder, warn);
    await opened.read().catch((error: unknown) => {
      const detail = `--documents: ${folder} cannot be read: ${systemErrorText(error)}.`;
      throw new HadalError("bad-request", { detail });
    });
    opened.#lookAgain();
    return opened;
  }

  /** By id. */
  get documents(): ReadonlyMap<string, SavedDocument> {
    return this.#documents;
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Reads files that are new or have changed. A broken file is reported, and its last good text stays. */
  async read(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith(".json")).sort();
    if (names.length > filesMax)
      this.#report(`more than ${filesMax} files: the others are left out`);
    const files = new Map<string, ReadFile>();
    for (const name of names.slice(0, filesMax)) {
      const file = await this.#readFile(name, this.#files.get(name));
      if (file !== null) files.set(name, file);
    }
    const before = this.#files;
    this.#files = files;
    // The same map: whoever reads all documents again when it changes has nothing to do.
    if (isSame(before, files)) return;
    this.#documents = this.#byId();
  }

  async #readFile(name: string, before: ReadFile | undefined): Promise<ReadFile | null> {
    const path = join(this.#folder, name);
    try {
      const { mtimeMs, size, ino } = await stat(path);
      const stamp = `${mtimeMs} ${size} ${ino}`;
      if (before?.stamp === stamp) return before;
      try {
        if (size > fileBytesMax) throw new Error(`it has more than ${fileBytesMax} bytes`);
        const draft = parseDocumentFile(await readFile(path, "utf8"));
        if (!kindsOfFiles.includes(draft.kind))
          throw new Error(`files hold ${kindsOfFiles.join(", ")}; this is of kind ${draft.kind}`);
        const id = draft.id ?? idOfName(name);
        const version = (before?.document?.version ?? 0) + 1;
        const changedMs = Math.round(mtimeMs);
        const times = { createdMs: changedMs, createdBy: null, changedMs, changedBy: null };
        return { stamp, document: { ...draft, id, version, ...times, file: name } };
      } catch (error) {
        const stays = before?.document ? "; what it held before stays" : "";
        this.#warn(`--documents: ${path} is not used${stays}: ${textOf(error)}`);
        return { stamp, document: before?.document ?? null };
      }
    } catch (error) {
      // It went between two looks.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  }

  #byId(): ReadonlyMap<string, SavedDocument> {
    const byId = new Map<string, SavedDocument>();
    for (const { document } of this.#files.values()) {
      if (document === null) continue;
      const first = byId.get(document.id);
      if (first === undefined) byId.set(document.id, document);
      else this.#report(`${document.file} has the id of ${first.file}, and is left out`);
    }
    return byId;
  }

  #lookAgain(): void {
    this.#timer = setTimeout(() => {
      void this.read()
        .catch((error: unknown) => this.#report(systemErrorText(error)))
        .finally(() => {
          if (this.#timer !== null) this.#lookAgain();
        });
    }, lookEveryMs);
    this.#timer.unref();
  }

  /** Once, not at every look. */
  #report(text: string): void {
    if (!this.#reported.has(text)) this.#warn(`--documents: ${this.#folder}: ${text}`);
    this.#reported.add(text);
  }
}

const isSame = (before: ReadonlyMap<string, ReadFile>, after: ReadonlyMap<string, ReadFile>) =>
  before.size === after.size && [...after].every(([name, file]) => before.get(name) === file);

/** Of a file without an id: the same at every start. */
function idOfName(name: string): string {
  const hex = createHash("sha256").update(`document file ${name}`).digest("hex");
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function textOf(error: unknown): string {
  return error instanceof HadalError || error instanceof Error ? error.message : String(error);
}
