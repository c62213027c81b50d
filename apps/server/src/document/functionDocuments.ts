import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { type FunctionDraft, type FunctionKind, HadalError, type UserFunction } from "@hadal/sdk";
import { readDocument, writeDocument } from "../base/file/documentFile.js";

/** All of them travel with every list, and stand in one file. */
const functionsMax = 1_000;
const documentName = "the saved functions";

/** One name's latest version; what was deleted keeps its number, so that none is given twice. */
interface Entry {
  readonly version: number;
  readonly saved: UserFunction | null;
}

export interface SaveOptions {
  readonly kind: FunctionKind;
  /** The version that the draft was made from; null: any. */
  readonly expected: number | null;
  readonly nowMs: number;
}

/** Functions that were saved, in one file that is there whole or not at all, over the examples that came with Hadal. */
export class FunctionDocuments {
  readonly #path: string;
  #entries: ReadonlyMap<string, Entry>;
  readonly #examples: readonly UserFunction[];
  #writing: Promise<unknown> = Promise.resolve();
  #all: ReadonlyMap<string, UserFunction>;

  private constructor(
    path: string,
    entries: ReadonlyMap<string, Entry>,
    examples: readonly UserFunction[],
  ) {
    this.#path = path;
    this.#entries = entries;
    this.#examples = examples;
    this.#all = this.#list();
  }

  /** `warn` is called for a damaged file: then there are only the examples. */
  static async open(
    path: string,
    examples: readonly UserFunction[],
    warn: (text: string) => void,
  ): Promise<FunctionDocuments> {
    await mkdir(dirname(path), { recursive: true });
    const kind = { name: documentName, check: checkFunctions, warn };
    const entries = await readDocument(path, kind);
    return new FunctionDocuments(path, entries ?? new Map(), examples);
  }

  /** By name; stays as it is when functions are saved. */
  get all(): ReadonlyMap<string, UserFunction> {
    return this.#all;
  }

  /** Resolves when the next version is on the disk. `expected`: the version that it takes the place of; null: any. */
  save(
    name: string,
    draft: FunctionDraft,
    { kind, expected, nowMs }: SaveOptions,
  ): Promise<UserFunction> {
    return this.#inTurn(async () => {
      const before = this.#entries.get(name);
      checkVersion(name, before, expected);
      if ((before?.saved ?? null) === null && this.#savedCount() >= functionsMax) {
        const detail = `There are ${functionsMax} saved functions (functionsMax): delete one first.`;
        throw new HadalError("bad-request", { detail });
      }
      const { source, description } = draft;
      const saved: UserFunction = {
        name,
        version: (before?.version ?? 0) + 1,
        kind,
        source,
        ...(description === undefined ? {} : { description }),
        savedMs: nowMs,
        example: false,
      };
      await this.#write(name, { version: saved.version, saved });
      return saved;
    });
  }

  delete(name: string, expected: number | null): Promise<void> {
    return this.#inTurn(async () => {
      const before = this.#entries.get(name);
      if (before === undefined || before.saved === null) {
        if (!this.#all.has(name)) return;
        const detail = `${name} came with Hadal and cannot be deleted.`;
        throw new HadalError("bad-request", { detail });
      }
      checkVersion(name, before, expected);
      await this.#write(name, { version: before.version, saved: null });
    });
  }

  #savedCount(): number {
    return [...this.#entries.values()].filter(({ saved }) => saved !== null).length;
  }

  /** One change after the other, each on the disk before the next looks. */
  #inTurn<Value>(change: () => Promise<Value>): Promise<Value> {
    const changed = this.#writing.then(change, change);
    this.#writing = changed.catch(() => undefined);
    return changed;
  }

  async #write(name: string, entry: Entry): Promise<void> {
    const entries = new Map(this.#entries).set(name, entry);
    await writeDocument(this.#path, documentName, [...entries]);
    this.#entries = entries;
    this.#all = this.#list();
  }

  #list(): ReadonlyMap<string, UserFunction> {
    const all = new Map(this.#examples.map((one) => [one.name, one]));
    for (const [name, { saved }] of this.#entries) if (saved !== null) all.set(name, saved);
    return all;
  }
}

/** Throws where it is something else. */
export function checkFunctions(value: unknown): Map<string, Entry> {
  return new Map(value as readonly (readonly [string, Entry])[]);
}

function checkVersion(name: string, entry: Entry | undefined, expected: number | null): void {
  const version = entry?.saved?.version ?? 0;
  if (expected === null || expected === version) return;
  throw new HadalError("version-conflict", { function: name, version, wanted: expected });
}
