import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HadalError } from "@hadal/sdk";
import { Kysely } from "kysely";
import { readDocument, writeDocument } from "../base/file/documentFile.js";
import { type RegistryArea, raiseRevision } from "./database/areas.js";
import type { DatabaseKind, RegistryDatabase, RegistryTransaction } from "./database/database.js";
import type { RegistryTables } from "./database/tables.js";
import { migrate, NewerRegistry } from "./migration/migrate.js";
import { migrations } from "./migration/migrations.js";

/** A change by another process is seen within this time, and a database that is back is used again. */
const pollMs = 1_000;
/** A change waits so long for another process to finish its own. */
const busyMsMax = 1_000;
const busyPauseMs = 20;

/** What one area has in memory. */
export interface AreaCopy<Value> {
  /** Reads all of it; JSON can hold the value. */
  readonly read: (database: RegistryDatabase) => Promise<Value>;
  readonly use: (value: Value) => void;
}

export interface RegistryOptions {
  readonly database: DatabaseKind;
  /** Keeps the last state that was read of each area: a start without the database goes on with it. */
  readonly copyFolder: string;
  /** Called once with each new database connection, before anything else reads: takes over what earlier versions kept. */
  readonly prepare?: (database: RegistryDatabase) => Promise<void>;
  /** Nothing can start without it: a database that refuses is not tried again. */
  readonly isRequired?: boolean;
  readonly warn: (text: string) => void;
}

/** The database is there, and will not be used: its password is wrong, or it is not Hadal's. */
class RegistryRefused extends Error {}

/**
 * The database behind documents, functions, links, table settings and people. While it cannot be reached, copies in memory stay in
 * use and every change is refused with `registry-unavailable`; it is tried again every second.
 */
export class Registry {
  readonly #options: RegistryOptions;
  #database: RegistryDatabase;
  readonly #copies = new Map<RegistryArea, AreaCopy<unknown>>();
  /** As of which the copies were read. */
  readonly #revisions = new Map<string, number>();
  #isPrepared = false;
  #failure: string | null = "it is not open yet";
  #wasReported = false;
  #polling: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  private constructor(options: RegistryOptions) {
    this.#options = options;
    this.#database = new Kysely<RegistryTables>({ dialect: options.database.connect() });
  }

  /**
   * Resolves also when the database cannot be reached: then it is tried again. Rejects with {@link NewerRegistry}, and
   * where it is required, with {@link RegistryRefused}.
   */
  static async open(options: RegistryOptions): Promise<Registry> {
    const registry = new Registry(options);
    await registry.#look().catch(async (error: unknown) => {
      const refused = refusalOf(error, options);
      if (refused === null) return registry.#noteFailure(error);
      await registry.#database.destroy();
      throw refused;
    });
    registry.#timer = setInterval(() => void registry.#poll(), pollMs).unref();
    return registry;
  }

  /** Of the database, for people. */
  get name(): string {
    return this.#options.database.name;
  }

  /** Why it cannot be used now; null while it can. */
  get failure(): string | null {
    return this.#failure;
  }

  /** Milliseconds since 1970 on the database's clock, for use in queries. */
  get nowMs(): DatabaseKind["nowMs"] {
    return this.#options.database.nowMs;
  }

  /** For the operator: something in it is damaged. */
  warn(text: string): void {
    this.#options.warn(`registry: ${text}`);
  }

  /**
   * Keeps a copy of an area in memory: read now, and after every change, also by other processes. Where the database
   * cannot be reached now, it is the one that was read last in this folder; without that, `use` is not called yet.
   */
  async watch<Value>(area: RegistryArea, copy: AreaCopy<Value>): Promise<void> {
    this.#copies.set(area, copy as AreaCopy<unknown>);
    await this.#poll();
    if (this.#revisions.has(area)) return;
    const kept = await readDocument(this.#copyPath(area), {
      name: `the last known state of ${area}`,
      check: (value) => value as Value,
      warn: (text) => this.warn(text),
    });
    if (kept !== null) copy.use(kept);
  }

  /** For what only the registry can say, and it was never read. */
  unavailable(): HadalError {
    return new HadalError("registry-unavailable", {
      detail: this.#failure ?? "it was not read yet",
    });
  }

  /** Rejects with `registry-unavailable`, or with what `work` throws as a HadalError. */
  read<Value>(work: (database: RegistryDatabase) => Promise<Value>): Promise<Value> {
    return this.#use(() => work(this.#database));
  }

  /**
   * Runs `work` in a transaction that is on the disk when this resolves; by then the copy in memory was read again. Rejects
   * like `read`, with nothing changed.
   */
  async change<Value>(
    area: RegistryArea,
    work: (transaction: RegistryTransaction) => Promise<Value>,
  ): Promise<Value> {
    const value = await this.#use(() =>
      this.#database.transaction().execute(async (transaction) => {
        const done = await work(transaction);
        await raiseRevision(transaction, area);
        return done;
      }),
    );
    await this.#poll();
    return value;
  }

  /** Like `change`, for what no copy in memory has: no process reads an area again. */
  write<Value>(work: (transaction: RegistryTransaction) => Promise<Value>): Promise<Value> {
    return this.#use(() => this.#database.transaction().execute(work));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#polling;
    await this.#database.destroy();
  }

  async #use<Value>(work: () => Promise<Value>): Promise<Value> {
    const { database } = this.#options;
    const deadline = performance.now() + busyMsMax;
    for (;;) {
      try {
        if (!this.#isPrepared || !database.isCurrent())
          throw new Error(this.#failure ?? "it was replaced");
        return await work();
      } catch (error) {
        if (error instanceof HadalError) throw error;
        if (!database.isBusy(error) || performance.now() > deadline)
          throw new HadalError("registry-unavailable", { detail: textOf(error) });
        await sleep(busyPauseMs);
      }
    }
  }

  /** One look after the other, so that no older state takes the place of a newer one. */
  #poll(): Promise<void> {
    const polled = this.#polling.then(() => this.#refresh()).catch(() => undefined);
    this.#polling = polled;
    return polled;
  }

  async #refresh(): Promise<void> {
    try {
      await this.#look();
    } catch (error) {
      this.#noteFailure(error);
      throw error;
    }
  }

  /** Connects where that is due, and reads the copies of changed areas again. */
  async #look(): Promise<void> {
    const { database } = this.#options;
    if (!database.isCurrent()) await this.#reconnect();
    if (!this.#isPrepared) await this.#prepare();
    await this.#readChanged();
    this.#failure = null;
    if (this.#wasReported) this.warn(`${database.name} can be used again`);
    this.#wasReported = false;
  }

  #noteFailure(error: unknown): void {
    this.#failure = textOf(error);
    const { name } = this.#options.database;
    if (!this.#wasReported)
      this.warn(`${name} cannot be used (${this.#failure}); changes are refused`);
    this.#wasReported = true;
  }

  async #reconnect(): Promise<void> {
    await this.#database.destroy();
    this.#database = new Kysely<RegistryTables>({ dialect: this.#options.database.connect() });
    this.#isPrepared = false;
    this.#revisions.clear();
  }

  async #prepare(): Promise<void> {
    await migrate(this.#database, migrations);
    await this.#options.prepare?.(this.#database);
    this.#isPrepared = true;
  }

  async #readChanged(): Promise<void> {
    const rows = await this.#database.selectFrom("area").selectAll().execute();
    const current = new Map(rows.map(({ name, revision }) => [name, revision]));
    for (const [area, copy] of this.#copies) {
      const revision = current.get(area) ?? 0;
      if (this.#revisions.get(area) === revision) continue;
      const value = await copy.read(this.#database);
      copy.use(value);
      this.#revisions.set(area, revision);
      await this.#keep(area, value);
    }
  }

  /** Where that fails the registry still has it. */
  async #keep(area: RegistryArea, value: unknown): Promise<void> {
    try {
      const { copyFolder } = this.#options;
      // As the database file: for the server's user alone. An older folder has more rights.
      await mkdir(copyFolder, { recursive: true, mode: 0o700 });
      await chmod(copyFolder, 0o700);
      await writeDocument(this.#copyPath(area), `the last known state of ${area}`, value);
    } catch (error) {
      this.warn(textOf(error));
    }
  }

  #copyPath(area: RegistryArea): string {
    return join(this.#options.copyFolder, `${area}.json`);
  }
}

/** Null: it is tried again. */
function refusalOf(
  error: unknown,
  { database, isRequired = false }: RegistryOptions,
): Error | null {
  if (error instanceof NewerRegistry) return error;
  const text = isRequired ? database.refusal(error) : null;
  return text === null ? null : new RegistryRefused(`${database.name} cannot be used: ${text}`);
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
