import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { TableSettings } from "@hadal/sdk";
import { readDocument, writeDocument } from "../../base/file/documentFile.js";

const settingsDefault: TableSettings = {
  retention: { maxAgeMs: null, maxBytes: null },
  thinning: [],
  columns: [],
};

/** What was set of each table, in one file that is there whole or not at all. */
export class TableSettingsFile {
  readonly #path: string;
  #settings: ReadonlyMap<string, TableSettings>;
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string, settings: ReadonlyMap<string, TableSettings>) {
    this.#path = path;
    this.#settings = settings;
  }

  /** `warn` is called for a damaged file: then all rows are kept until the settings are set again. */
  static async open(path: string, warn: (text: string) => void): Promise<TableSettingsFile> {
    await mkdir(dirname(path), { recursive: true });
    const settings = await readDocument(path, { name: documentName, check: checkSettings, warn });
    return new TableSettingsFile(path, settings ?? new Map());
  }

  of(table: string): TableSettings {
    return this.#settings.get(table) ?? settingsDefault;
  }

  /** Tables whose rows are let go, or thinned, at some time. */
  *retained(): IterableIterator<string> {
    for (const [table, { retention, thinning }] of this.#settings) {
      const { maxAgeMs, maxBytes } = retention;
      if (maxAgeMs !== null || maxBytes !== null || thinning.length > 0) yield table;
    }
  }

  /** Tables that may take so many bytes and no more. */
  *bounded(): IterableIterator<string> {
    for (const [table, { retention }] of this.#settings)
      if (retention.maxBytes !== null) yield table;
  }

  /** Resolves when the settings are on the disk, and in force. Rejects with `not-saved`, and those before hold. */
  set(table: string, settings: TableSettings): Promise<void> {
    return this.#change((all) => all.set(table, settings));
  }

  remove(table: string): Promise<void> {
    return this.#change((all) => all.delete(table));
  }

  /** One change after the other, each on the disk before the next one looks. */
  #change(edit: (settings: Map<string, TableSettings>) => void): Promise<void> {
    const changed = this.#writing.then(async () => {
      const next = new Map(this.#settings);
      edit(next);
      await writeDocument(this.#path, documentName, [...next]);
      this.#settings = next;
    });
    this.#writing = changed.catch(() => undefined);
    return changed;
  }
}

const documentName = "the settings of tables";

/** Throws where it is something else. */
export function checkSettings(value: unknown): ReadonlyMap<string, TableSettings> {
  // Files of older versions say nothing of what could not be set then.
  const entries = value as readonly (readonly [string, Partial<TableSettings>])[];
  return new Map(entries.map(([table, set]) => [table, { ...settingsDefault, ...set }]));
}
