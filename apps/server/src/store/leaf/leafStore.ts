import { randomUUID } from "node:crypto";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, removeStaged, syncFolder } from "../../base/file/durableFile.js";
import { tableFolder } from "../../base/file/tableFolder.js";
import type { Reduction } from "../../base/row/reduction.js";
import { storageProblem } from "../columns/storageProblems.js";
import type { TableContext } from "../segment/tableContext.js";
import { recoverTable } from "../table/recoverTable.js";
import type { Table } from "../table/table.js";
import { readTableFile, SavedTableFile, tableFileName } from "../table/tableFile.js";
import { LeafUnits } from "../unit/leafUnits.js";
import { TextAging } from "../upkeep/textAging.js";
import type { OpenWarm } from "../warm/warmTable.js";
import { StoreChanges } from "./storeChanges.js";

export interface StoreOptions {
  readonly textAging?: TextAging;
  readonly openWarm?: OpenWarm | undefined;
  /** A clock that never goes back. */
  readonly nowMs?: () => number;
}

interface StoreParts {
  readonly units: LeafUnits;
  readonly textAging: TextAging;
  readonly openWarm: OpenWarm;
  readonly nowMs: () => number;
}

/** All tables of a leaf, in memory and under one folder. */
export class LeafStore {
  readonly #tables = new Map<string, Table>();
  readonly #creating = new Map<string, Promise<Table>>();
  /**
   * Deleted tables whose folder could not be removed yet, and the removal under way: one of the
   * same name waits.
   */
  readonly #leaving = new Map<string, Promise<void>>();
  /** Its tables follow those of another leaf, which may have removed what these still have. */
  isCopy = false;
  /** What copies of this leaf have not seen yet. */
  readonly changes = new StoreChanges();
  /** What the leaf knows of units. */
  readonly units: LeafUnits;
  /** Folders of tables whose names are not known. */
  readonly #unread = new Set<string>();
  readonly #folder: string;
  readonly #context: TableContext;
  readonly #textAging: TextAging;
  readonly #openWarm: OpenWarm;
  readonly #nowMs: () => number;

  private constructor(
    folder: string,
    context: TableContext,
    { units, textAging, openWarm, nowMs }: StoreParts,
  ) {
    this.#folder = folder;
    this.units = units;
    this.#context = context;
    this.#textAging = textAging;
    this.#openWarm = openWarm;
    this.#nowMs = nowMs;
    units.isInLog = (unit) => [...this.#tables.values()].some((table) => table.hasGivenUp(unit));
    units.onDecided = () => {
      // In one turn: a query sees a unit in all tables, or in none.
      for (const table of this.#tables.values()) table.noteDecided();
      this.changes.noteUnits();
    };
  }

  /**
   * Reads every table under the folder: sealed segments, then the rows of logs that no segment has.
   */
  static async open(
    folder: string,
    context: TableContext,
    options: StoreOptions = {},
  ): Promise<LeafStore> {
    await makeFolder(folder);
    // A process that was killed may have made files, and not synced their names: what is used of them
    // from here on, and acknowledged, must outlive a loss of power. Their tables' folders follow.
    await syncFolder(folder);
    const units = await LeafUnits.open(folder, context.warn);
    const { textAging = new TextAging(context), openWarm = () => null } = options;
    const { nowMs = () => performance.now() } = options;
    const store = new LeafStore(folder, context, { units, textAging, openWarm, nowMs });
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      // A stray file is no reason not to start.
      if (entry.isDirectory()) await store.#recover(entry.name);
    }
    units.endRecovery();
    return store;
  }

  get tables(): IterableIterator<Table> {
    return this.#tables.values();
  }

  /** Folders that stay unread until rows of their tables arrive: their contents are unknown. */
  get unreadFolders(): readonly string[] {
    return [...this.#unread];
  }

  /** Whether the table has files whose batches are unknown. */
  isUnread(name: string): boolean {
    return (
      this.#unread.has(tableFolder(name)) || this.#tables.get(name)?.hasUnknownBatches === true
    );
  }

  find(name: string): Table | undefined {
    return this.#tables.get(name);
  }

  /** The table of that name, once it is created and all earlier requests for it are done. */
  async findSettled(name: string): Promise<Table | undefined> {
    const table =
      this.#tables.get(name) ?? (await this.#creating.get(name)?.catch(() => undefined));
    await table?.settled();
    return table;
  }

  /** The table of that name, made when it is not there: the first row makes the table. */
  async findOrCreate(name: string): Promise<Table> {
    const known = this.#tables.get(name) ?? this.#creating.get(name);
    // Returned without `await` it would come later than to those who look for the batches of this one.
    if (known !== undefined) return await known;
    const creating = this.#create(name);
    this.#creating.set(name, creating);
    try {
      return await creating;
    } finally {
      this.#creating.delete(name);
    }
  }

  /** Removes sealed segments, or the whole table (null), from memory and from the disk. */
  async drop(name: string, generations: readonly number[] | null): Promise<void> {
    const table = await this.findSettled(name);
    if (generations !== null) {
      await table?.dropSegments(generations);
      return;
    }
    if (table === undefined || this.#tables.get(name) !== table) return this.#removeLeft(name);
    this.#tables.delete(name);
    this.changes.noteTables();
    await this.#remove(name, async () => {
      await table.close().catch((error: unknown) => this.#context.warn(String(error)));
      table.releaseAll();
    });
  }

  /** Takes rows out of sealed segments of a table, see {@link Table.reduceSegments}. */
  async reduce(
    name: string,
    generations: readonly number[],
    reduction: Reduction,
    pause: () => Promise<void>,
  ): Promise<void> {
    await this.#tables.get(name)?.reduceSegments(generations, reduction, pause);
  }

  /**
   * Removes the rest of a deleted table before it counts as deleted, and before a new table gets
   * its name.
   */
  async #removeLeft(name: string): Promise<void> {
    const leaving = this.#leaving.get(name);
    if (leaving === undefined) return;
    const isGone = await leaving.then(
      () => true,
      () => false,
    );
    if (isGone) return;
    // Another waiting caller may have tried again already.
    if (this.#leaving.get(name) !== leaving) return this.#removeLeft(name);
    await this.#remove(name, async () => undefined);
  }

  #remove(name: string, before: () => Promise<void>): Promise<void> {
    const removing = before()
      .then(() => this.#removeFolder(this.#folderOf(name)))
      .then(() => {
        this.#leaving.delete(name);
      });
    this.#leaving.set(name, removing);
    return removing;
  }

  async #removeFolder(folder: string): Promise<void> {
    // Under another name the folder is no table any more, wherever its removal is cut off.
    const dropped = `${folder}${droppedSuffix}`;
    await rm(dropped, { recursive: true, force: true });
    await rename(folder, dropped).catch((error: NodeJS.ErrnoException) => {
      // Renamed before, when the rest failed.
      if (error.code !== "ENOENT") throw error;
    });
    await syncFolder(this.#folder);
    await rm(dropped, { recursive: true, force: true });
  }

  /** Compresses old texts, see {@link TextAging.age}. */
  ageTexts(nowMs: number, rawTextsMs: number, pause: () => Promise<unknown>): Promise<void> {
    return this.#textAging.age(nowMs, rawTextsMs, pause);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#tables.values()].map((table) => table.close()));
    await this.#textAging.close();
  }

  async #create(name: string): Promise<Table> {
    try {
      await this.#removeLeft(name);
      const folder = this.#folderOf(name);
      await makeFolder(folder);
      // The folder may have rows already: its table file was damaged, and named no table until now.
      const file = new SavedTableFile(folder, {
        ...{ name, id: randomUUID() },
        ...{ generationMin: 1, expiring: [], isLeaving: false },
      });
      const table = await this.#recoverTable(folder, file);
      await file.save();
      this.#unread.delete(tableFolder(name));
      this.#tables.set(name, table);
      this.changes.note(name);
      this.changes.noteTables();
      return table;
    } catch (error) {
      throw storageProblem(error);
    }
  }

  async #recover(entry: string): Promise<void> {
    const folder = join(this.#folder, entry);
    if (entry.endsWith(droppedSuffix)) return rm(folder, { recursive: true, force: true });
    await removeStaged(folder);
    await syncFolder(folder);
    let file: SavedTableFile;
    try {
      const content = await readTableFile(folder);
      if (tableFolder(content.name) !== entry) throw new Error("it names another table");
      file = new SavedTableFile(folder, content);
    } catch (error) {
      // Start without its rows rather than not at all. A table that was never stored in has an
      // empty folder.
      if ((await readdir(folder)).length > 0) {
        const until = "left unread until rows of its table come";
        this.#context.warn(`${folder} is ${until}: its ${tableFileName} is damaged: ${error}`);
        this.#unread.add(entry);
      }
      return;
    }
    const table = await this.#recoverTable(folder, file);
    this.#tables.set(table.name, table);
  }

  #recoverTable(folder: string, file: SavedTableFile): Promise<Table> {
    const { name } = file.content;
    return recoverTable({
      ...{ folder, file, context: this.#context },
      ...{ units: this.units, nowMs: this.#nowMs, textAging: this.#textAging },
      onChange: () => this.changes.note(name),
      isCopy: () => this.isCopy,
      openWarm: (columns) => this.#openWarm(folder, columns),
    });
  }

  #folderOf(name: string): string {
    return join(this.#folder, tableFolder(name));
  }
}

/** Ends the name of a deleted table's folder. */
const droppedSuffix = ".dropped";
