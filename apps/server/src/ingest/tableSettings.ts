import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { TableSettings } from "@hadal/sdk";
import { writeFileDurably } from "../base/durableFile.js";

const settingsDefault: TableSettings = {
  retention: { maxAgeMs: null, maxBytes: null },
  thinning: [],
  columns: [],
};

/** What was set of each table, in one file that is there whole or not at all. */
export class TableSettingsFile {
  private writing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly path: string,
    private readonly settings: Map<string, TableSettings>,
  ) {}

  static async open(path: string): Promise<TableSettingsFile> {
    await mkdir(dirname(path), { recursive: true });
    try {
      // Files of older versions say nothing of what could not be set then.
      const entries = JSON.parse(await readFile(path, "utf8")) as [
        string,
        Partial<TableSettings>,
      ][];
      const settings = entries.map(
        ([table, set]) => [table, { ...settingsDefault, ...set }] as const,
      );
      return new TableSettingsFile(path, new Map(settings));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") {
        return new TableSettingsFile(path, new Map());
      }
      // Without it rows would be kept, or let go, against what was asked.
      throw new Error(`the settings of tables, ${path}, cannot be read: ${String(error)}`);
    }
  }

  of(table: string): TableSettings {
    return this.settings.get(table) ?? settingsDefault;
  }

  /** Tables whose rows are let go, or thinned, at some time. */
  *retained(): IterableIterator<string> {
    for (const [table, { retention, thinning }] of this.settings) {
      const { maxAgeMs, maxBytes } = retention;
      if (maxAgeMs !== null || maxBytes !== null || thinning.length > 0) yield table;
    }
  }

  /** Resolves when the settings are on the disk. */
  async set(table: string, settings: TableSettings): Promise<void> {
    this.settings.set(table, settings);
    await this.save();
  }

  async remove(table: string): Promise<void> {
    if (this.settings.delete(table)) await this.save();
  }

  private save(): Promise<void> {
    const text = JSON.stringify([...this.settings]);
    this.writing = this.writing
      .catch(() => undefined)
      .then(() => writeFileDurably(this.path, Buffer.from(text)));
    return this.writing;
  }
}
