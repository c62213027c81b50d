import {
  type AuditAction,
  type FunctionDraft,
  type FunctionKind,
  HadalError,
  type UserFunction,
} from "@hadal/sdk";
import type { RegistryDatabase, RegistryTransaction } from "../database/database.js";
import type { DocumentRow } from "../database/tables.js";
import type { Registry } from "../registry.js";
import { insertAuditEntry } from "./auditRows.js";
import {
  countRows,
  deleteDocument,
  findRow,
  insertDocument,
  listRows,
  replaceDocument,
} from "./documentRows.js";

/** All of them travel with every list. */
const functionsMax = 1_000;

export interface SaveOptions {
  readonly kind: FunctionKind;
  /** The version that the draft was made from; null: any. */
  readonly expected: number | null;
  readonly nowMs: number;
  /** Name of the user; null where no one signs in. */
  readonly by: string | null;
  /** Of the client, for the audit log. */
  readonly address?: string | null;
}

/** What is kept of a function beside its name and version. */
type FunctionBody = Pick<UserFunction, "kind" | "source" | "description">;

/** Functions that were saved, over the examples that come with Hadal; a copy in memory serves queries. */
export class FunctionDocuments {
  readonly #registry: Registry;
  readonly #examples: readonly UserFunction[];
  #all: ReadonlyMap<string, UserFunction>;

  private constructor(registry: Registry, examples: readonly UserFunction[]) {
    this.#registry = registry;
    this.#examples = examples;
    this.#all = new UnreadFunctions(registry);
  }

  static async open(
    registry: Registry,
    examples: readonly UserFunction[],
  ): Promise<FunctionDocuments> {
    const functions = new FunctionDocuments(registry, examples);
    await registry.watch("functions", {
      read: (database) => readFunctions(database, (text) => registry.warn(text)),
      use: (known) => {
        functions.#all = functions.#withExamples(known);
      },
    });
    return functions;
  }

  /**
   * By name; stays as it is when functions are saved. Where they were never read, to ask for one throws
   * `registry-unavailable`: a saved one may stand in the place of an example.
   */
  get all(): ReadonlyMap<string, UserFunction> {
    return this.#all;
  }

  /** Resolves when the next version is on the disk and in force. Rejects with `version-conflict`. */
  async save(name: string, draft: FunctionDraft, options: SaveOptions): Promise<UserFunction> {
    const { kind, nowMs, by } = options;
    const { source, description } = draft;
    const body: FunctionBody = {
      ...{ kind, source },
      ...(description === undefined ? {} : { description }),
    };
    const save = { title: name, body: JSON.stringify(body), by, nowMs };
    const { version } = await this.#registry.change("functions", async (transaction) => {
      const before = await findRow(transaction, idOf(name));
      checkVersion(name, before, options.expected);
      await note(transaction, options, "function.change", name);
      if (before?.deleted_ms !== null) await checkCount(transaction);
      if (before === null) {
        return insertDocument(transaction, { id: idOf(name), kind: functionKind, ...save });
      }
      const saved = await replaceDocument(transaction, before, save);
      if (saved === null) throw conflict(name, before.version + 1, before.version);
      return saved;
    });
    return { name, version, ...body, savedMs: nowMs, example: false };
  }

  delete(name: string, options: Omit<SaveOptions, "kind">): Promise<void> {
    const { expected, by, nowMs } = options;
    return this.#registry.change("functions", async (transaction) => {
      const before = await findRow(transaction, idOf(name));
      if (before === null || before.deleted_ms !== null) {
        if (!this.#all.has(name)) return;
        const detail = `${name} came with Hadal and cannot be deleted.`;
        throw new HadalError("bad-request", { detail });
      }
      checkVersion(name, before, expected);
      await note(transaction, options, "function.delete", name);
      if (await deleteDocument(transaction, before, { by, nowMs })) return;
      throw conflict(name, before.version + 1, before.version);
    });
  }

  #withExamples({ saved, damaged }: KnownFunctions): ReadonlyMap<string, UserFunction> {
    const all = new Map([...this.#examples, ...saved].map((one) => [one.name, one]));
    // The example of that name would compute something else.
    for (const name of damaged) all.delete(name);
    return all;
  }
}

interface KnownFunctions {
  readonly saved: readonly UserFunction[];
  /** Names of functions that cannot be read. */
  readonly damaged: readonly string[];
}

class UnreadFunctions extends Map<string, UserFunction> {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    super();
    this.#registry = registry;
  }

  override get(): never {
    throw this.#registry.unavailable();
  }

  override has(): never {
    throw this.#registry.unavailable();
  }

  override values(): never {
    throw this.#registry.unavailable();
  }
}

/** The kind of their documents, beside those that have routes in common. */
export const functionKind = "function";

/** One row a name: what is saved again after its deletion goes on with its version. */
export const idOf = (name: string): string => `${functionKind}:${name}`;

async function readFunctions(
  database: RegistryDatabase,
  warn: (text: string) => void,
): Promise<KnownFunctions> {
  const damaged: string[] = [];
  const rows = await listRows(database, functionKind, ({ message, id }) => {
    warn(message);
    damaged.push(id.slice(idOf("").length));
  });
  const saved = rows
    .sort((a, b) => a.created_ms - b.created_ms || (a.title < b.title ? -1 : 1))
    .map(({ title, version, body, changed_ms }) => ({
      ...{ name: title, version, savedMs: changed_ms, example: false },
      ...(JSON.parse(body) as FunctionBody),
    }));
  return { saved, damaged };
}

function note(
  transaction: RegistryTransaction,
  { nowMs, by, address = null }: Omit<SaveOptions, "kind" | "expected">,
  action: AuditAction,
  target: string,
): Promise<void> {
  return insertAuditEntry(transaction, { time: nowMs, who: by, action, target, address });
}

async function checkCount(transaction: RegistryTransaction): Promise<void> {
  if ((await countRows(transaction, [functionKind])) < functionsMax) return;
  const detail = `There are ${functionsMax} saved functions (functionsMax): delete one first.`;
  throw new HadalError("bad-request", { detail });
}

function checkVersion(name: string, row: DocumentRow | null, expected: number | null): void {
  const version = row === null || row.deleted_ms !== null ? 0 : row.version;
  if (expected !== null && expected !== version) throw conflict(name, version, expected);
}

const conflict = (name: string, version: number, wanted: number): HadalError =>
  new HadalError("version-conflict", { name, version, wanted });
