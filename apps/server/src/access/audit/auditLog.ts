import type { AuditAction, AuditEntry } from "@hadal/sdk";
import type { RegistryTransaction } from "../../registry/database/database.js";
import {
  type AuditEntries,
  type AuditPage,
  insertAuditEntry,
  listAuditEntries,
  removeAuditEntries,
} from "../../registry/document/auditRows.js";
import type { Registry } from "../../registry/registry.js";

/** Who changes something, and from where. */
export interface Actor {
  /** Name of the user or token; null where no one signs in. */
  readonly who: string | null;
  /** Of the client; null for the command line. */
  readonly address: string | null;
}

/** Whoever may change the data folder is not asked for a name. */
export const commandLine: Actor = { who: null, address: null };

/** Which entries; what is left out does not restrict. */
export interface AuditQuery {
  /** Milliseconds since 1970; `toMs` itself is not part of it. */
  readonly fromMs?: number;
  readonly toMs?: number;
  /** A name as entries have it. */
  readonly who?: string;
}

const dayMs = 86_400_000;
export const auditDaysDefault = 400;
const pageCount = 1_000;

export interface AuditOptions {
  readonly nowMs: () => number;
  readonly keepDays: number;
}

/** What was done by whom: written with the change, read by admins, kept for some time. */
export class AuditLog {
  readonly #registry: Registry;
  readonly #options: AuditOptions;

  constructor(registry: Registry, options: AuditOptions) {
    this.#registry = registry;
    this.#options = options;
  }

  entry({ who, address }: Actor, action: AuditAction, target: string): AuditEntry {
    return { time: this.#options.nowMs(), who, action, target, address };
  }

  /** In the transaction of the change that it describes. */
  write(transaction: RegistryTransaction, entry: AuditEntry): Promise<void> {
    return insertAuditEntry(transaction, entry);
  }

  /** Of what is no change in the registry. Rejects with `registry-unavailable`. */
  record(actor: Actor, action: AuditAction, target: string): Promise<void> {
    const entry = this.entry(actor, action, target);
    return this.#registry.write((transaction) => insertAuditEntry(transaction, entry));
  }

  /** The newest of them first, at most `count`. */
  async list(query: AuditQuery, count = pageCount): Promise<readonly AuditEntry[]> {
    const listed: AuditEntry[] = [];
    for await (const entries of this.read(query)) {
      listed.push(...entries);
      if (listed.length >= count) break;
    }
    return listed.slice(0, count);
  }

  /** All of them in pages, the newest first. */
  async *read({ fromMs, toMs, who }: AuditQuery): AsyncGenerator<readonly AuditEntry[]> {
    const range = {
      fromMs: fromMs ?? 0,
      toMs: toMs ?? Number.MAX_SAFE_INTEGER,
      who: who ?? null,
      count: pageCount,
    };
    for (let beforeId: string | null = null; ; ) {
      const found: AuditEntries = await this.#page({ ...range, beforeId });
      yield found.entries;
      beforeId = found.nextId;
      if (beforeId === null) return;
    }
  }

  /** Removes what is older than it is kept. */
  prune(): Promise<void> {
    const { nowMs, keepDays } = this.#options;
    const beforeMs = nowMs() - keepDays * dayMs;
    return this.#registry.write((transaction) => removeAuditEntries(transaction, beforeMs));
  }

  #page(page: AuditPage): Promise<AuditEntries> {
    const warn = (text: string): void => this.#registry.warn(text);
    return this.#registry.read((database) => listAuditEntries(database, page, warn));
  }
}
