import { type AuditEntry, HadalError, type TableSettings } from "@hadal/sdk";
import { insertAuditEntry } from "../../registry/document/auditRows.js";
import {
  putSettings,
  readSettings,
  removeSettings,
} from "../../registry/document/tableSettingsRows.js";
import type { Registry } from "../../registry/registry.js";

const settingsDefault: TableSettings = {
  retention: { maxAgeMs: null, maxBytes: null },
  thinning: [],
  columns: [],
};

/** What holds for tables that have no setting of their own. */
export interface RetentionDefaults {
  /** All that have rows. */
  readonly tables: () => Iterable<string>;
  /** Null: rows stay however old they are. */
  readonly maxAgeMs: number | null;
  /** Tables for which another age holds; left out: there are none. */
  readonly maxAgesMs?: ReadonlyMap<string, number>;
}

const rowsStay: RetentionDefaults = { tables: () => [], maxAgeMs: null };

/** The settings of each table: stored in the registry, with a copy in memory that queries and batches read. */
export class TableSettingsStore {
  readonly #registry: Registry;
  #damaged: ReadonlySet<string> = new Set();
  /** Null: never read. */
  #settings: ReadonlyMap<string, TableSettings> | null = null;

  readonly #defaults: RetentionDefaults;

  private constructor(registry: Registry, defaults: RetentionDefaults) {
    this.#registry = registry;
    this.#defaults = defaults;
  }

  /** If the registry cannot be used yet, the settings are the defaults, which keep all rows; they are read later. */
  static async open(
    registry: Registry,
    defaults: RetentionDefaults = rowsStay,
  ): Promise<TableSettingsStore> {
    const store = new TableSettingsStore(registry, defaults);
    await registry.watch("tables", {
      read: (database) => readSettings(database, (text) => registry.warn(text)),
      use: ({ settings, damaged }) => {
        store.#damaged = new Set(damaged);
        // Rows of older versions lack what could not be set then.
        store.#settings = new Map(
          settings.map(([table, set]) => [table, { ...settingsDefault, ...set }]),
        );
      },
    });
    return store;
  }

  /**
   * How columns are to be stored. Throws `registry-unavailable` where that was never read or is damaged: rows stored
   * with other decimals could not be corrected.
   */
  columnsOf(table: string): TableSettings["columns"] {
    if (this.#settings === null) throw this.#registry.unavailable();
    if (this.#damaged.has(table)) {
      const detail = `the settings of table ${table} are damaged: set them again`;
      throw new HadalError("registry-unavailable", { detail });
    }
    return this.of(table).columns;
  }

  of(table: string): TableSettings {
    const own = this.#settings?.get(table) ?? settingsDefault;
    const maxAgeMs = this.#defaultAgeMs(table);
    // Settings that were never read, or are damaged, may have had an age of their own.
    const isUnread = this.#settings === null || this.#damaged.has(table);
    if (maxAgeMs === null || own.retention.maxAgeMs !== null || isUnread) return own;
    return { ...own, retention: { ...own.retention, maxAgeMs } };
  }

  /** Tables with settings of their own; they may have no rows yet. */
  get tables(): readonly string[] {
    return [...(this.#settings?.keys() ?? []), ...this.#damaged];
  }

  #defaultAgeMs(table: string): number | null {
    return this.#defaults.maxAgesMs?.get(table) ?? this.#defaults.maxAgeMs;
  }

  /** Tables whose rows are deleted or thinned at some age or size. */
  *retained(): IterableIterator<string> {
    const own = this.#settings ?? new Map<string, TableSettings>();
    const others = [...this.#defaults.tables()].filter(
      (table) => this.#defaultAgeMs(table) !== null,
    );
    for (const table of new Set([...own.keys(), ...others])) {
      const { retention, thinning } = this.of(table);
      const { maxAgeMs, maxBytes } = retention;
      if (maxAgeMs !== null || maxBytes !== null || thinning.length > 0) yield table;
    }
  }

  /** Tables with a limit of bytes. */
  *bounded(): IterableIterator<string> {
    for (const [table, { retention }] of this.#settings ?? [])
      if (retention.maxBytes !== null) yield table;
  }

  /** Resolves when the settings are on the disk and in force. Rejects with `registry-unavailable`, and nothing changes. */
  set(table: string, settings: TableSettings, entry: AuditEntry | null = null): Promise<void> {
    return this.#registry.change("tables", async (transaction) => {
      await putSettings(transaction, table, settings);
      if (entry !== null) await insertAuditEntry(transaction, entry);
    });
  }

  remove(table: string, entry: AuditEntry | null = null): Promise<void> {
    return this.#registry.change("tables", async (transaction) => {
      await removeSettings(transaction, table);
      if (entry !== null) await insertAuditEntry(transaction, entry);
    });
  }
}
